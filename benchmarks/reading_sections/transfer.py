"""Under other conditions than those that an answer was chosen under: other lists, and another training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from benchmarks.reading_sections.markdown import PLACE, table, value, with_interval
from benchmarks.reading_sections.places import PUBLISHED_NET, SAME_LISTS, Place, above_zero
from counterec.core.explainers.goal_names import GOALS

CONDITIONS = ("k=4", "k=6", "fresh candidates", "trained again")
"""What the lists are made anew by: one shorter, one longer, among other drawn candidates, by another training."""
KEPT = ("listed", "alike", "holds", "holds_all", "necessary_kept", "sufficient_kept")


def transfer(found: Sequence[Place]) -> Iterator[str]:
    """F_NS of *complete* and of the best other method under each condition."""
    rows, won, of = [], Counter[str](), Counter[str]()
    for one in found:
        row = [str(one)]
        for condition in CONDITIONS:
            compared = best_under(one, condition)
            row.append("–" if compared is None else f"{compared[0]:.3f}, {compared[1]} {compared[2]:.3f}")
            if compared:
                of[condition] += 1
                won[condition] += compared[0] > compared[2]
        rows.append(row)
    said = "; ".join(f"{condition}: {won[condition]} of {of[condition]}" for condition in CONDITIONS if of[condition])
    yield (
        "PN and PS are judged in the lists that *complete* was chosen in. Under other conditions its F_NS over all "
        f"pairs is the highest of all methods that explain the same lists in so many reports: {said}. The table has "
        "*complete*, and the best of the others."
    )
    yield ""
    yield from table((PLACE, *CONDITIONS), rows)


def best_under(one: Place, condition: str) -> tuple[float, str, float] | None:
    """F_NS of *complete* under a condition, the best of the others there, and its F_NS."""
    values = {
        method: float(sides["f_ns_all"]["value"])
        for method in (*GOALS, *SAME_LISTS)
        if (sides := one.cell(method).get("elsewhere", {}).get(condition)) and sides["f_ns_all"]["value"] is not None
    }
    others = {method: number for method, number in values.items() if method != "complete"}
    if "complete" not in values or not others:
        return None
    best = max(others, key=lambda method: others[method])
    return values["complete"], best, others[best]


TRAININGS = {PUBLISHED_NET: "the net as published", "net": "`net`", "hybrid": "`hybrid`"}


def trainings(found: Sequence[Place]) -> Iterator[str]:
    """How many answers of *complete* hold under another training, by the kind of training, over whole catalogues."""
    by_data: dict[str, dict[str, str]] = {}
    for one in (place for place in found if place.protocol == "full" and place.model in TRAININGS):
        again = next((each for each in one.found["retraining"] if each["method"] == "complete"), None)
        if again:
            told = ", ".join(value(again[name], 2) for name in ("listed", "alike", "holds_all"))
            by_data.setdefault(one.data, {})[one.model] = told
    if any(PUBLISHED_NET in models for models in by_data.values()):
        yield (
            "Of the answers of *complete* under *full*: the share whose item is listed again, how alike the aspects "
            "are then (Jaccard), and the share of all pairs whose answer still takes the item off:"
        )
        yield ""
        rows = ([data, *(models.get(model, "–") for model in TRAININGS)] for data, models in by_data.items())
        yield from table(("data", *TRAININGS.values()), rows)
        yield ""


def retraining(found: Sequence[Place]) -> Iterator[str]:
    """What is left of an answer when the model is trained again, and what the mark says beforehand."""
    rows, marks = [], []
    for one, goal in product(found, ("minimal", "relaxed", "complete")):
        again = next((each for each in one.found["retraining"] if each["method"] == goal), None)
        if again is None:
            continue
        mark = again["holds_marked_in_all_less_fewer"]
        rows.append((str(one), goal, *(value(again[name], 2) for name in KEPT), with_interval(mark)))
        marks += [mark] if mark["value"] is not None else []
    if marks:
        values = [mark["value"] for mark in marks]
        yield (
            "The robustness mark (an answer holds in all nets of a mean) tells beforehand which answers hold under "
            f"another training, whole interval above 0, in {sum(map(above_zero, marks))} of {len(marks)} cases of a "
            f"report and a goal; the difference is {min(values):.2f} to {max(values):.2f}. A model of one net has no "
            "such mark."
        )
        yield ""
    yield from trainings(found)
    heads = ("listed again", "aspects alike", "answer holds", "of all pairs", "still necessary", "still sufficient")
    yield from table((PLACE, "goal", *heads, "holds: marked less others"), rows)
