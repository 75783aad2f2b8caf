"""Whether extracted sentiments agree with the stars that reviewers gave to aspects of a hotel."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from counterec.core.opinions import quality
from counterec.extraction.protocol import Extractor

# Chosen only by the names of ratings and aspects. A bare "desk" is left out: it is furniture as often as people.
WORDS = {
    "Rooms": {"room", "suite", "bedroom", "bathroom"},
    "Service": {
        *("service", "customer service", "staff", "front desk staff", "desk staff", "front desk", "employee"),
        *("concierge", "receptionist", "reception", "check-in"),
    },
    "Cleanliness": {"cleanliness", "housekeeping", "cleaning"},
    "Location": {"location", "area", "neighborhood"},
    "Value": {"value", "price", "rate", "cost"},
    "Sleep Quality": {"bed", "sleep", "pillow", "mattress", "noise"},
}
LEAST_MENTIONS, MANY_MENTIONS, LEAST_HOTELS, CEILING = 20, 30, 30, 5.0


@dataclass(frozen=True)
class Ranks:
    """How well mentions rank some hotels: Spearman's correlation with their mean stars."""

    hotels: int
    of_means: float
    of_sums: float
    of_quality: float
    at_the_top: int
    """The number of hotels that share the highest Y."""


@dataclass(frozen=True)
class Agreement:
    """How well the mentions of a rating's words agree with that rating."""

    rating: str
    ranks: Ranks
    alike: Ranks
    """The same among hotels with fewer than ``MANY_MENTIONS`` mentions, so about equally many each."""
    right: int
    reviews: int


def load_hotels(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def agreements(extractor: Extractor, rows: list[dict[str, Any]]) -> Iterator[Agreement]:
    """Compare hotels and single reviews, for every rating whose words are mentioned often enough."""
    found = extractor.extract([row["text"] for row in rows])
    for rating, words in WORDS.items():
        mentions: dict[str, list[int]] = defaultdict(list)
        stars: dict[str, list[float]] = defaultdict(list)
        right = reviews = 0
        for row, of_text in zip(rows, found, strict=True):
            signs = [mention.sentiment for mention in of_text if mention.aspect in words]
            given = _number(row["aspect_ratings"].get(rating))
            mentions[row["item"]] += signs
            if given is None:
                continue
            stars[row["item"]].append(given)
            if signs and sum(signs) and given != 3:
                reviews += 1
                right += (sum(signs) > 0) == (given > 3)
        counted = {hotel: signs for hotel, signs in mentions.items() if len(signs) >= LEAST_MENTIONS and stars[hotel]}
        alike = {hotel: signs for hotel, signs in counted.items() if len(signs) < MANY_MENTIONS}
        if len(counted) >= LEAST_HOTELS:
            yield Agreement(rating, _ranked(counted, stars), _ranked(alike, stars), right, reviews)


def _ranked(mentions: dict[str, list[int]], stars: dict[str, list[float]]) -> Ranks:
    given = [float(np.mean(stars[hotel])) for hotel in mentions]
    numbers, sums = (np.array([[len(signs), sum(signs)] for signs in mentions.values()], dtype=np.float64)).T
    of_items = quality(numbers, sums, CEILING)
    by_means, by_sums, by_quality = (spearman(x.tolist(), given) for x in (sums / numbers, sums, of_items))
    return Ranks(len(mentions), by_means, by_sums, by_quality, int((of_items == of_items.max()).sum()))


def spearman(first: list[float], second: list[float]) -> float:
    """Return the rank correlation, with ties at their mean rank."""
    return float(np.corrcoef(_ranks(first), _ranks(second))[0, 1])


def _ranks(values: list[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[where].astype(np.float64)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
