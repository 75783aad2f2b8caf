"""The model's side: F_NS of *complete* against every method, and what any method could reach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from benchmarks.reading_sections.markdown import PLACE, table, value, with_interval
from benchmarks.reading_sections.places import DENOMINATORS, MASKS, SAME_LISTS, Place, above_zero


def model_side(found: Sequence[Place]) -> Iterator[str]:
    """How often *complete* leads, what comes nearest, and where the paper's own method stands."""
    for fresh, end in product((False, True), DENOMINATORS):
        yield _leads(found, end, fresh)
    yield ""
    yield "The method that comes nearest to *complete*, and by how much *complete* is above it on the same pairs:"
    yield ""
    yield from _nearest_ones(found)
    yield ""
    yield (
        "The paper's own method is *relaxed*. F_NS over all pairs, without the mask, of three goals, of the best "
        "method that is none of CountER's and explains the same lists with as many aspects, and of EFM and A2CF in "
        "their own lists:"
    )
    yield ""
    yield from _side_by_side(found)


def _leads(found: Sequence[Place], end: str, fresh: bool) -> str:
    """How many of *complete*'s comparisons it wins, and all that it does not."""
    compared = [
        (one, difference)
        for one, masked in product(found, MASKS)
        for difference in one.differences("complete", masked, f"f_ns{end}", fresh)
    ]
    won = sum(above_zero(difference) for _, difference in compared)
    others = [
        f"{one}, {difference['other']}, {MASKS[difference['masked']]}: {with_interval(difference)}, "
        f"{difference['cases']:,} pairs"
        for one, difference in compared
        if not above_zero(difference)
    ]
    seeds = "fresh seeds alone" if fresh else "all seeds"
    return (
        f"- F_NS of *complete*, {DENOMINATORS[end]}, {seeds}: above the other method with its whole interval in "
        f"{won} of {len(compared)} "
        f"comparisons.{' The others: ' if others else ''}{'; '.join(others)}{'.' if others else ''}"
    )


def _nearest_ones(found: Sequence[Place]) -> Iterator[str]:
    ways = list(product(MASKS, DENOMINATORS))
    rows = []
    for one in found:
        ours = one.cell("complete")
        nearest = (_nearest(one, masked, end) for masked, end in ways)
        rows.append((str(one), value(ours["f_ns_all"]), value(ours["aspects"], 1), *nearest))
    heads = (f"{MASKS[masked]}, {DENOMINATORS[end]}" for masked, end in ways)
    yield from table((PLACE, "F_NS, all pairs", "aspects", *heads), rows)


def _nearest(one: Place, masked: bool, end: str) -> str:
    compared = one.differences("complete", masked, f"f_ns{end}")
    nearest = min(compared, key=lambda difference: float(difference["value"]), default=None)
    return "–" if nearest is None else f"{nearest['other']}: {with_interval(nearest)}"


def _side_by_side(found: Sequence[Place]) -> Iterator[str]:
    rows = []
    for one in found:
        goals = (value(one.cell(goal).get("f_ns_all")) for goal in ("complete", "relaxed", "minimal"))
        best = one.best(SAME_LISTS, "f_ns_all")
        own = (value(one.cell(method).get("f_ns_all")) for method in ("efm", "a2cf"))
        rows.append((str(one), *goals, f"{best[0]} {best[2]:.3f}" if best else "–", *own))
    yield from table((PLACE, "complete", "relaxed", "minimal", "best other on the same lists", "EFM", "A2CF"), rows)


def leaving(causes: str) -> dict[str, tuple[int, int]]:
    """By place: how many items leave the list if no item has any aspect, of how many, as the page of causes says."""
    line = re.compile(r"^- items that leave without aspects: ([\d,]+) of ([\d,]+) pairs", re.M)
    found = {}
    for section in causes.split("\n## ")[1:]:
        if counts := line.search(section):
            place = section.partition("\n")[0].replace("/", ", ")
            left, pairs = (int(count.replace(",", "")) for count in counts.groups())
            found[place] = (left, pairs)
    return found


def bounded(found: Sequence[Place], left: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """What any method could reach where the model recommends for other reasons, too."""
    yield (
        "An item that is in the list even if no item has any aspect is there for something else: in a hybrid, for "
        "what other people chose. No aspects count as sufficient for it, whoever names them, so PS is at most the "
        "share of the items that leave, and F_NS at most 2·PS/(1 + PS). A2CF ranks by aspects alone, so its own "
        "lists have no such bound. Where there is one, what *complete* reaches of it, and A2CF in its own lists:"
    )
    yield ""
    rows = []
    for one in found:
        leave, pairs = left.get(str(one), (0, 0))
        if leave < pairs:
            share = leave / pairs
            bound, ours = 2 * share / (1 + share), one.cell("complete")["f_ns_all"]
            reached = f"{ours['value'] / bound:.0%}" if bound else "–"
            a2cf = value(one.cell("a2cf").get("f_ns_all"))
            rows.append((str(one), f"{share:.3f}", f"{bound:.3f}", value(ours), reached, a2cf))
    yield from table((PLACE, "PS at most", "F_NS at most", "complete", "of the bound", "A2CF, own lists"), rows)
