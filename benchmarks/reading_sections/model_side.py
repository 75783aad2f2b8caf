"""The model's side: F_NS of *complete* against every method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from benchmarks.reading_sections.markdown import PLACE, table, value, with_interval
from benchmarks.reading_sections.places import (
    BASELINES,
    DENOMINATORS,
    FEWEST_CASES,
    SAME_LISTS,
    Number,
    Place,
    above_zero,
)
from counterec.report.evaluation_json import MASK_NAMES as MASKS


def model_side(found: Sequence[Place]) -> Iterator[str]:
    """How often *complete* leads, what comes nearest, and where the paper's own method stands."""
    yield (
        "*complete* leads where its F_NS is above that of another method by a difference, on the same pairs, whose "
        f"whole interval is above 0, on at least {FEWEST_CASES} pairs. There is one comparison for each data set, "
        "protocol and method:"
    )
    yield ""
    yield from _leads(found)
    yield ""
    yield _on_the_same_lists(found)
    yield ""
    yield from _not_ahead(found)
    yield ""
    yield "The method that comes nearest to *complete*, and by how much *complete* is above it on the same pairs:"
    yield ""
    yield from _nearest_ones(found)
    yield ""
    yield (
        "The paper's own method is *relaxed*. F_NS over all pairs, without the mask: three goals, the best of the "
        "other methods on the same lists, which name as many aspects as *relaxed*, and EFM and A2CF in their own "
        "lists:"
    )
    yield ""
    yield from _side_by_side(found)


def _leads(found: Sequence[Place]) -> Iterator[str]:
    """How many of its comparisons *complete* wins, by model and mask."""
    ways = list(product((False, True), DENOMINATORS))
    rows = []
    for model, masked in product(dict.fromkeys(one.model for one in found), MASKS):
        counts = []
        for fresh, end in ways:
            there = (one.differences("complete", masked, f"f_ns{end}", fresh) for one in found if one.model == model)
            won = [above_zero(difference) for compared in there for difference in compared]
            counts.append(f"{sum(won)} of {len(won)}")
        rows.append((f"{model}, {MASKS[masked]}", *counts))
    seeds = {False: "all seeds", True: "fresh seeds alone"}
    yield from table(("model", *(f"{DENOMINATORS[end]}, {seeds[fresh]}" for fresh, end in ways)), rows)


def _on_the_same_lists(found: Sequence[Place]) -> str:
    """How many of the comparisons with methods that explain the same model it wins."""
    won, of = leads(found, own_lists=False)
    return (
        f"Against the methods that explain the same lists, it leads in {won} of {of} comparisons (all seeds, both "
        "denominators, with the mask and without). EFM and A2CF explain lists of their own."
    )


def leads(found: Sequence[Place], own_lists: bool) -> tuple[int, int]:
    """In how many comparisons *complete* leads, of how many: with methods that explain the same lists, or their own."""
    won = [
        above_zero(difference)
        for one, masked, end in product(found, MASKS, DENOMINATORS)
        for difference in one.differences("complete", masked, f"f_ns{end}")
        if (difference["other"] in BASELINES) == own_lists
    ]
    return sum(won), len(won)


def _not_ahead(found: Sequence[Place]) -> Iterator[str]:
    """Every comparison that *complete* does not win over all seeds, by either denominator."""
    rows = []
    for one, masked in product(found, MASKS):
        sides = [
            {each["other"]: each for each in one.differences("complete", masked, f"f_ns{end}")} for end in DENOMINATORS
        ]
        for other in dict.fromkeys(name for side in sides for name in side):
            there = [side.get(other) for side in sides]
            if not all(above_zero(each) for each in there if each):
                rows.append((str(one), MASKS[masked], other, *(_with_pairs(each) if each else "–" for each in there)))
    if not rows:
        yield "It leads in all of them."
        return
    yield "Where it does not lead, with the difference and its number of pairs:"
    yield ""
    yield from table((PLACE, "mask", "other method", *DENOMINATORS.values()), rows)


def _with_pairs(difference: Number) -> str:
    return f"{with_interval(difference)}, {difference['cases']:,}"


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
