"""The user's side: masked F1 of CountER, of the baselines and of a rule without a model, and what could be reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.reading_sections.markdown import PLACE, but_not_in, table, value, with_interval
from benchmarks.reading_sections.places import (
    BASELINES,
    SAME_LISTS,
    Number,
    Place,
    above_zero,
    below_zero,
)
from counterec.core.explainers.goal_names import GOALS
from counterec.report.evaluation_json import MASK_NAMES as MASKS

SHAPES = ("single", "multi")


def user_side(found: Sequence[Place]) -> Iterator[str]:
    """The best goal against the best baseline; then all explanations of the same lists."""
    rows, missed, told = [], [], Counter[str]()
    for one in found:
        goal, other = (one.best(methods, "f1_all", True, SHAPES) for methods in (GOALS, BASELINES))
        if not goal or not other:
            continue
        if goal[2] < other[2]:
            missed.append(one)
        difference = _on_the_same_pairs(one, goal[0], other)
        told[_verdict(difference)] += 1
        rows.append((*_compared(one, goal, other, difference), *_reachable(one)))
    yield (
        "Masked F1 over all pairs: the best of CountER's goals is at least as high as the best of the paper's "
        f"baselines in {len(rows) - len(missed)} of {len(rows)} reports{but_not_in(missed)} Each explains its own "
        "lists. On the pairs that both lists have, the whole interval of the difference is above 0 in "
        f"{told['above']}, below 0 in {told['below']}, and holds 0 in {told['undecided']}. The best goal and the "
        "best baseline are chosen by these same numbers, which favours both."
    )
    yield ""
    heads = ("pairs", "best goal", "best baseline", "difference, same pairs", "most frequent aspects, no model")
    yield from table((PLACE, *heads, "hindsight: up to 3 aspects that flip", "bound", "any aspects"), rows)
    yield ""
    yield (
        "The last three columns say what any method could reach that names only aspects whose absence takes the "
        "item off the list, if it knew the held-out review: by trying all sets of up to three aspects, if every "
        "larger set flipped, and for any aspects of the item that the user has mentioned, reasons or not."
    )
    yield ""
    yield "Masked F1 over all pairs on the same lists, our model's, so that only the explanations differ:"
    yield ""
    methods = (*GOALS, *SAME_LISTS)
    yield from table((PLACE, *methods), ((str(one), *(_f1(one, method) for method in methods)) for one in found))


def _on_the_same_pairs(one: Place, goal: str, other: tuple[str, str, float]) -> Number | None:
    compared = one.differences(goal, True, "f1_all")
    return next((each for each in compared if (each["other"], each["shape"]) == other[:2]), None)


def _verdict(difference: Number | None) -> str:
    if difference is None:
        return "not compared"
    return "above" if above_zero(difference) else "below" if below_zero(difference) else "undecided"


def _compared(
    one: Place, goal: tuple[str, str, float], other: tuple[str, str, float], difference: Number | None
) -> tuple[str, ...]:
    pairs = f"{one.cell('relaxed', 'multi', True)['f1_all']['cases']:,}"
    same = f"{with_interval(difference)}, {difference['cases']:,} pairs" if difference else "–"
    return str(one), pairs, f"{goal[0]} {goal[2]:.3f}", f"{other[0]} {other[2]:.3f}", same


def _reachable(one: Place) -> tuple[str, ...]:
    """The rule without a model, and the best in hindsight."""
    bound = one.found["hindsight"][MASKS[True]]
    rule = value(one.cell("frequency", "multi", True).get("f1_all"))
    return rule, *(value(bound[name]) for name in ("best", "bound", "unconstrained"))


def _f1(one: Place, method: str) -> str:
    best = one.best((method,), "f1_all", True, ("single",) if method == "single" else ("multi",))
    return f"{best[2]:.3f}" if best else "–"
