"""The user's side: masked F1 of CountER, of the baselines and of a rule without a model, and what could be reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.reading_sections.markdown import PLACE, but_not_in, table, value, with_interval
from benchmarks.reading_sections.places import (
    BASELINES,
    FEWEST_CASES,
    SAME_LISTS,
    Number,
    Place,
    above_zero,
    below_zero,
)
from counterec.core.explainers.goal_names import GOALS
from counterec.report.evaluation_json import MASK_NAMES as MASKS

SHAPES = ("single", "multi")


@dataclass(frozen=True)
class Compared:
    """The best goal and the best baseline of a report by masked F1: name, shape and value; and their difference."""

    place: Place
    goal: tuple[str, str, float]
    baseline: tuple[str, str, float]
    difference: Number | None
    """On the pairs that the lists of both have; None where there are none."""

    @property
    def missed(self) -> bool:
        """Whether the baseline is better, each in its own lists."""
        return self.goal[2] < self.baseline[2]

    @property
    def verdict(self) -> str:
        """What the interval of the difference says."""
        if self.difference is None:
            return "not compared"
        return "above" if above_zero(self.difference) else "below" if below_zero(self.difference) else "undecided"


def compared(found: Sequence[Place]) -> list[Compared]:
    """The best goal beside the best baseline, in every report that has both."""
    pairs = []
    for one in found:
        goal, other = (one.best(methods, "f1_all", True, SHAPES) for methods in (GOALS, BASELINES))
        if goal and other:
            pairs.append(Compared(one, goal, other, _on_the_same_pairs(one, goal[0], other)))
    return pairs


def user_side(found: Sequence[Place]) -> Iterator[str]:
    """The best goal against the best baseline; then all explanations of the same lists."""
    pairs = compared(found)
    missed = [pair.place for pair in pairs if pair.missed]
    told = Counter(pair.verdict for pair in pairs)
    rows = [(*_shown(pair), *_reachable(pair.place)) for pair in pairs]
    yield (
        "Masked F1 over all pairs: the best of CountER's goals is at least as high as the best of the paper's "
        f"baselines in {len(rows) - len(missed)} of {len(rows)} reports{but_not_in(missed)} Each explains its own "
        "lists. On the pairs that both lists have, the whole interval of the difference is above 0 in "
        f"{told['above']} and below 0 in {told['below']}; in {told['undecided']} it contains 0, or there are fewer "
        f"than {FEWEST_CASES} pairs. The best goal and the best baseline are chosen by these same numbers, which "
        "favours both."
    )
    yield ""
    heads = ("pairs", "best goal", "best baseline", "difference, same pairs", "most frequent aspects, no model")
    yield from table((PLACE, *heads, "hindsight: up to 3 aspects that flip", "bound", "any aspects"), rows)
    yield ""
    yield (
        "The last three columns say what a method could reach that knew the held-out review. *Hindsight*: the best of "
        "all sets of up to three aspects whose absence takes the item off the list. *Bound*: as if every larger set "
        "took it off, too. *Any aspects*: of the item that the user has mentioned, reasons or not."
    )
    yield ""
    yield "Masked F1 over all pairs on the same lists, our model's, so that only the explanations differ:"
    yield ""
    methods = (*GOALS, *SAME_LISTS)
    yield from table((PLACE, *methods), ((str(one), *(_f1(one, method) for method in methods)) for one in found))


def _on_the_same_pairs(one: Place, goal: str, other: tuple[str, str, float]) -> Number | None:
    there = one.differences(goal, True, "f1_all")
    return next((each for each in there if (each["other"], each["shape"]) == other[:2]), None)


def _shown(pair: Compared) -> tuple[str, ...]:
    one, difference = pair.place, pair.difference
    cases = f"{one.cell('relaxed', 'multi', True)['f1_all']['cases']:,}"
    same = f"{with_interval(difference)}, {difference['cases']:,} pairs" if difference else "–"
    best = (f"{method} {number:.3f}" for method, _, number in (pair.goal, pair.baseline))
    return str(one), cases, *best, same


def _reachable(one: Place) -> tuple[str, ...]:
    """The rule without a model, and the best in hindsight."""
    bound = one.found["hindsight"][MASKS[True]]
    rule = value(one.cell("frequency", "multi", True).get("f1_all"))
    return rule, *(value(bound[name]) for name in ("best", "bound", "unconstrained"))


def _f1(one: Place, method: str) -> str:
    best = one.best((method,), "f1_all", True, ("single",) if method == "single" else ("multi",))
    return f"{best[2]:.3f}" if best else "–"
