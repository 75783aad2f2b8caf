"""Why some of the paper's expectations fail: each cause with a measurement that could have refuted it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.reading_sections.markdown import PLACE, table, value
from benchmarks.reading_sections.places import Place
from counterec.core.explainers.goal_names import GOALS
from counterec.report.evaluation_json import MASK_NAMES as MASKS
from counterec.report.published_numbers import published

CONTROLLED = {"NDCG@K": "NDCG@K", "F1, relaxed, of all": "relaxed", "F1, frequency, of all": "most frequent aspects"}
"""The columns of the control that the page shows, and their heads there."""
Pairs = list[tuple[float, float]]


def reasons(found: Sequence[Place]) -> Iterator[str]:
    """The causes, one after another."""
    yield from (
        *matching(found),
        *scored_aspects(found),
        "",
        *sufficiency(found),
        "",
        *frequency(found),
        "",
        *alpha(found),
    )


def matching(found: Sequence[Place]) -> Iterator[str]:
    """The matching baselines: high PS and low PN was expected."""
    necessary, sufficient = (_own_and_ours(found, measure) for measure in ("pn_all", "ps_all"))
    lower = sum(ours < own for own, ours in necessary)
    higher = sum(ours > own for own, ours in sufficient)
    yield (
        f"**Matching.** A2CF's single best-aligned aspect has PN {_span(own for own, _ in necessary)} and PS "
        f"{_span(own for own, _ in sufficient)} in its own lists, where PS was expected to be high and PN low. Its "
        "score is a sum over aspects, and it names the largest term. Without it the item drops; with it alone, all "
        "items that share it compete. If that is the cause, the same rule should be less necessary and more "
        "sufficient for a score that is no such sum. Explaining our model's lists, it has PN "
        f"{_span(ours for _, ours in necessary)}, lower in {lower} of {len(necessary)} reports, and PS "
        f"{_span(ours for _, ours in sufficient)}, higher in {higher}."
    )


def scored_aspects(found: Sequence[Place]) -> Iterator[str]:
    """How often EFM's best-aligned aspect is none of those that it scores by."""
    notes = [one.found["methods"].get("efm", {}) for one in found]
    known = [note["best_aligned_is_not_scored"] for note in notes if "best_aligned_is_not_scored" in note]
    if known:
        yield ""
        yield (
            "EFM scores an item by some of the user's aspects and is made to name one of these: others are no "
            f"reasons of its list. Left free, it would name another for {min(known):.1%} to {max(known):.1%} of its "
            "pairs."
        )


def _own_and_ours(found: Sequence[Place], measure: str) -> Pairs:
    """A measure of A2CF's aspect in its own lists, and of the same rule in our model's."""
    cells = ((one.cell("a2cf", "single"), one.cell("alignment_a2cf", "single")) for one in found)
    return [(own[measure]["value"], ours[measure]["value"]) for own, ours in cells if own and ours]


def sufficiency(found: Sequence[Place]) -> Iterator[str]:
    """Why *relaxed* does not lead everywhere."""
    cells = [(one.cell("relaxed"), one.cell("complete")) for one in found]
    relaxed, complete = ([cell["ps_all"]["value"] for cell in side] for side in zip(*cells, strict=True))
    named = [(few["aspects"]["value"], more["aspects"]["value"]) for few, more in cells]
    higher = sum(more > few for few, more in zip(relaxed, complete, strict=True))
    yield (
        f"**Why *relaxed* does not lead.** Its PS is {_span(relaxed)}: it names what takes the item off the list, "
        "and nothing asks that this alone would have brought it there. If the model were the cause, no answer could "
        f"do better. *complete*, which asks for both, has PS {_span(complete)} on the same lists, higher in {higher} "
        f"of {len(cells)} reports, with {_span((more for _, more in named), 1)} aspects instead of "
        f"{_span((few for few, _ in named), 1)}."
    )


def frequency(found: Sequence[Place]) -> Iterator[str]:
    """What F1 rewards."""
    counts = {"goal": 0, "best": 0, "bound": 0}
    compared = 0
    for one in found:
        rule, goal = (one.best(methods, "f1_all", True) for methods in (("frequency",), GOALS))
        if rule and goal:
            compared += 1
            bounds = one.found["hindsight"][MASKS[True]]
            counts["goal"] += rule[2] > goal[2]
            for name in ("best", "bound"):
                counts[name] += rule[2] > bounds[name]["value"]
    yield (
        "**What F1 rewards.** The rule that asks no model names those of the user's aspects that the item's reviews "
        f"mention most often. Its masked F1 is above that of the best goal in {counts['goal']} of {compared} reports "
        f"on the same lists; in {counts['best']} it is above the best that any set of up to three aspects that flips "
        f"could have, chosen with the held-out review at hand, and in {counts['bound']} above the bound for sets of "
        "any size. There, no method that names only aspects whose absence takes the item off can reach it: people "
        "praise what everybody talks about, whether the model relies on it or not."
    )


def trained(control: str) -> Iterator[str]:
    """Masked F1 at the first and the last number of epochs, as the page of the control has it.

    If F1 measured how well a net is explained, a rule that asks no net would gain nothing by its training.
    """
    yield (
        "**F1 and training.** If F1 measured how well a net is explained, it would rise with training for "
        "explanations of the net, and not for the rule that asks none. Masked F1 over all pairs at the fewest and "
        "the most epochs ([training_control.md](training_control.md) has those between):"
    )
    yield ""
    rows = []
    for section in control.split("\n## ")[1:]:
        name, _, body = section.partition("\n")
        heads, _, *lines = (
            [cell.strip() for cell in line.strip("|").split("|")] for line in body.split("\n") if "|" in line
        )
        first, last = (dict(zip(heads, line, strict=True)) for line in (lines[0], lines[-1]))
        told = (f"{first[head]}, then {last[head]}" for head in CONTROLLED)
        rows.append(
            (name, f"{first['epochs']} and {last['epochs']}", *told, f"{first['all pairs']} and {last['all pairs']}")
        )
    yield from table(("data", "epochs", *CONTROLLED.values(), "pairs"), rows)


def alpha(found: Sequence[Place]) -> Iterator[str]:
    """Why performance does not drop for a large α."""
    yield (
        f"**A large α.** Performance was expected to drop. With λ = {published().text['lambda']:g}, a larger α asks "
        "for a larger fall of the score, and the answers name more aspects. If these were superfluous, F_NS would "
        "fall. Aspects named, and F_NS over all pairs:"
    )
    yield ""
    rows = []
    for one in found:
        points = sorted(
            (each for each in one.found["sweep"] if each["lambda"] == published().text["lambda"]),
            key=lambda each: each["alpha"],
        )
        rows.append({PLACE: str(one)} | {f"α = {each['alpha']:g}": _size_and_f_ns(each) for each in points})
    shown = [PLACE, *(head for head in rows[0] if head in ("α = 0.1", "α = 0.2", "α = 0.5", "α = 0.6", "α = 1"))]
    yield from table(shown, ([row.get(head, "–") for head in shown] for row in rows))


def _size_and_f_ns(point: dict[str, Any]) -> str:
    return f"{value(point['aspects'], 1)}, {value(point['f_ns_all'], 2)}"


def _span(values: Any, digits: int = 2) -> str:
    """From the lowest to the highest."""
    numbers = list(values)
    return f"{min(numbers):.{digits}f} to {max(numbers):.{digits}f}" if numbers else "–"
