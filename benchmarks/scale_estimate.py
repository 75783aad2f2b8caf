"""What 100 million users and 10 million items would take, worked out from measured unit costs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.pages import sections_of

MEASURED = "Yelp from text, net"
"""The section of the measured page that unit costs are taken from."""
LIST_LENGTH = 5
FLOAT = 4
Y = "Y, read by every shard"


@dataclass(frozen=True)
class Catalogue:
    """The size that is worked out; ``candidates`` are the items per user that the caller brings."""

    users: int = 100_000_000
    items: int = 10_000_000
    aspects: int = 200
    reviews_per_user: int = 40
    sentences_per_review: int = 8
    characters_per_sentence: int = 37  # those of the text that was measured
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
    """Seconds of one core per unit of a part's work."""

    unit: str
    seconds: float


def unit_costs(page: str) -> dict[str, UnitCost]:
    """Return the cost of each part per unit, from the section of a whole run."""
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
    return {
        "read": UnitCost("review", seconds["read"] * processes / reviews),
        "extract": UnitCost("sentence", seconds["extract"] * processes / sentences),
        "build": UnitCost("review", seconds["build"] * processes / reviews),
        "fit": UnitCost("interaction", seconds["fit"] * processes / reviews),
        "rank": UnitCost("scored pair", seconds["rank"] * processes / (users * items)),
        "explain minimal": UnitCost("explained pair", seconds["explain minimal"] * processes / pairs),
        "evaluate": UnitCost("explained pair", seconds["evaluate"] * processes / pairs),
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
    units = {
        "review": size.reviews,
        "sentence": size.reviews * size.sentences_per_review,
        "interaction": size.trained_interactions,
        "scored pair": size.users * size.candidates,
        "explained pair": size.users * LIST_LENGTH,
    }
    return {part: units[cost.unit] * cost.seconds / 3600 for part, cost in costs.items()}


def gigabytes(size: Catalogue) -> dict[str, float]:
    """Return the bytes that are read or written, once each, in units of 10⁹."""
    mentions = size.reviews * size.mentions_per_review
    parts = {
        "texts": size.reviews * size.sentences_per_review * size.characters_per_sentence,
        "mentions": mentions * 60,  # two ids, aspect, opinion, sentiment and four places, compressed
        "X": size.users * size.aspects * FLOAT,
        Y: size.items * size.aspects * FLOAT,
        "candidates": size.users * size.candidates * FLOAT,
        "answers": size.users * LIST_LENGTH * 150,
    }
    return {name: value / 1e9 for name, value in parts.items()}


def estimate(costs: Mapping[str, UnitCost], size: Catalogue = Catalogue()) -> Iterator[str]:  # noqa: B008
    """Yield the page's tables, as Markdown."""
    hours = core_hours(size, costs)
    shared = sum(taken for part, taken in hours.items() if part != "fit")
    columns = ("part", "unit", "core seconds per unit", "core hours", "hours on 1,000 cores")
    yield f"| {' | '.join(columns)} |\n" + "|---" * len(columns) + "|"
    for part, taken in hours.items():
        spread = "–" if part == "fit" else f"{taken / 1000:,.2f}"
        yield f"| {part} | {costs[part].unit} | {costs[part].seconds:.3g} | {taken:,.0f} | {spread} |"
    yield f"| all but fit | | | {shared:,.0f} | {shared / 1000:,.2f} |"
    yield ""
    yield from bytes_table(size)
    yield ""
    minutes = 60 * shared / size.shards
    yield f"{size.shards:,} shards of {size.users_per_shard:,} users, {minutes:,.0f} core minutes each."


def bytes_table(size: Catalogue) -> Iterator[str]:
    """Yield what lies on disk, what each shard reads or writes of it, and what all of them do."""
    yield "| bytes | GB | per shard, GB | all shards, GB |\n|---|---|---|---|"
    parts = gigabytes(size)
    own = {part: amount if part == Y else amount / size.shards for part, amount in parts.items()}
    for part, amount in parts.items():
        yield f"| {part} | {amount:,.0f} | {own[part]:,.2f} | {own[part] * size.shards:,.0f} |"
    moved = sum(own.values())
    yield f"| all | {sum(parts.values()):,.0f} | {moved:,.2f} | {moved * size.shards:,.0f} |"
