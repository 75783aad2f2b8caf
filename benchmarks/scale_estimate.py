"""What 100 million users and 10 million items would take, worked out from measured unit costs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.scale_page import sections_of

MEASURED = "Yelp from text, net"
"""The section of the measured page that unit costs are taken from."""
LIST_LENGTH = 5
FLOAT = 4


@dataclass(frozen=True)
class Catalogue:
    """The size that is worked out; ``candidates`` are the items per user that the caller brings."""

    users: int = 100_000_000
    items: int = 10_000_000
    aspects: int = 200
    reviews_per_user: int = 40
    sentences_per_review: int = 8
    characters_per_sentence: int = 75
    mentions_per_review: float = 1.6
    candidates: int = 500
    users_per_shard: int = 100_000
    trained_interactions: int = 10_000_000

    @property
    def reviews(self) -> int:
        """All reviews."""
        return self.users * self.reviews_per_user

    @property
    def shards(self) -> int:
        """Shards of users."""
        return -(-self.users // self.users_per_shard)


@dataclass(frozen=True)
class UnitCost:
    """Seconds of one core per unit, and the record that it was measured in."""

    seconds: float
    record: str


def unit_costs(page: str) -> dict[str, UnitCost]:
    """Return the unit costs that the section of a whole run holds."""
    section = sections_of(page).get(MEASURED)
    if section is None:
        raise ValueError(f"the page has no section {MEASURED!r} to take costs from; measure it first")
    return _of_section(section)


def _of_section(section: str) -> dict[str, UnitCost]:
    seconds = {stage: _number(value) for stage, value in re.findall(r"^\| ([^|]+?) \| ([\d,.]+) \|", section, re.M)}
    processes = _number(_only(r"([\d,]+) processes", section))
    sentences, reviews = (_number(_only(rf"([\d,]+) {what}", section)) for what in ("sentences", "reviews"))
    users, items = (_number(_only(rf"The run has.*?([\d,]+) {what}", section)) for what in ("users", "items"))
    pairs = users * LIST_LENGTH
    record = f"scale.md, {MEASURED}"
    return {
        "sentence": UnitCost(seconds["extract"] * processes / sentences, record),
        "scored pair": UnitCost(seconds["rank"] * processes / (users * items), record),
        "explained pair": UnitCost(seconds["explain minimal"] * processes / pairs, record + ", with PN and PS"),
        "interaction": UnitCost(seconds["fit"] * processes / reviews, record),
    }


def _only(pattern: str, section: str) -> str:
    match = re.search(pattern, section)
    if match is None:
        raise ValueError(f"the section {MEASURED!r} does not say {pattern!r}; measure it again")
    return match.group(1)


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def core_hours(size: Catalogue, costs: Mapping[str, UnitCost]) -> dict[str, float]:
    """Return the hours of one core that each part takes; all but training are shared by shards."""
    pairs = size.users * LIST_LENGTH
    seconds = {
        "extract": size.reviews * size.sentences_per_review * costs["sentence"].seconds,
        "fit": size.trained_interactions * costs["interaction"].seconds,
        "rank": size.users * size.candidates * costs["scored pair"].seconds,
        "explain minimal": pairs * costs["explained pair"].seconds,
    }
    return {name: value / 3600 for name, value in seconds.items()}


def gigabytes(size: Catalogue) -> dict[str, float]:
    """Return the bytes that are read or written, once each, in units of 10⁹."""
    mentions = size.reviews * size.mentions_per_review
    parts = {
        "texts": size.reviews * size.sentences_per_review * size.characters_per_sentence,
        "mentions": mentions * 60,  # two ids, aspect, opinion, sentiment and four places, compressed
        "X": size.users * size.aspects * FLOAT,
        "Y, read by every shard": size.items * size.aspects * FLOAT,
        "candidates": size.users * size.candidates * FLOAT,
        "answers": size.users * LIST_LENGTH * 150,
    }
    return {name: value / 1e9 for name, value in parts.items()}


def estimate(costs: Mapping[str, UnitCost], size: Catalogue = Catalogue()) -> Iterator[str]:  # noqa: B008
    """Yield the page's tables, as Markdown."""
    units = {"extract": "sentence", "fit": "interaction", "rank": "scored pair"}
    units |= {"explain minimal": "explained pair"}
    hours = core_hours(size, costs)
    columns = ("part", "unit", "core seconds per unit", "measured in", "core hours", "hours on 1,000 cores")
    yield f"| {' | '.join(columns)} |\n" + "|---" * len(columns) + "|"
    for part, taken in hours.items():
        cost = costs[units[part]]
        spread = "–" if part == "fit" else f"{taken / 1000:,.2f}"
        yield f"| {part} | {units[part]} | {cost.seconds:.3g} | {cost.record} | {taken:,.0f} | {spread} |"
    shared = sum(taken for part, taken in hours.items() if part != "fit")
    yield f"| all but fit | | | | {shared:,.0f} | {shared / 1000:,.2f} |"
    yield ""
    yield "| bytes | GB | per shard, GB |\n|---|---|---|"
    for part, amount in gigabytes(size).items():
        own = amount if part.startswith("Y") else amount / size.shards
        yield f"| {part} | {amount:,.0f} | {own:,.2f} |"
    yield ""
    minutes = 60 * shared / size.shards
    yield f"{size.shards:,} shards of {size.users_per_shard:,} users, {minutes:,.0f} core minutes each."
