"""Why claims fail that are about single answers: each cause with the number that could have refuted it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.claim_causes import FEW_ASPECTS
from benchmarks.reading_sections.markdown import reports
from benchmarks.reading_sections.places import Causes, Number, Place, above_zero
from counterec.report.claims.explanation_claims import SAME_SCALE
from counterec.report.claims.sweep_claims import SAME_RATIO
from counterec.report.published_numbers import published


def failing_claims(found: Sequence[Place], causes: Causes) -> Iterator[str]:
    """One paragraph per cause, over the reports whose causes were looked for."""
    known = [causes[one.path]["claims"] for one in found if one.path in causes]
    if known:
        yield from (size(known), "", complexity(known), "", norms(known), "", strength(known))


Known = Sequence[dict[str, Number]]
"""By report: the numbers that could have refuted a cause."""


def size(known: Known) -> str:
    """The number of named aspects."""
    has, lead = (_of(known, name) for name in ("named with the item's aspects", "named with the lead"))
    return (
        f"**How many aspects are named.** {published().text['aspects']:g} were expected. If the number were a property "
        "of the method, it would depend neither on the item nor on its lead. Its rank correlation with the number of "
        f"aspects that the item has is {_span(has)} (whole interval above 0 in {_above(has)}), with the lead "
        f"{_span(lead)} ({_above(lead)})."
    )


def complexity(known: Known) -> str:
    """What goes with complexity."""
    told = []
    for what, name in (("being necessary and sufficient", "verdicts"), ("F1", "F1")):
        both = [f"{name} with complexity{end}" for end in ("", ", equally many aspects")]
        pairs = [
            (one[both[0]]["value"], one[both[1]]["value"])
            for one in known
            if all(one[each]["value"] is not None for each in both)
        ]
        nearer = sum(abs(inside) < abs(whole) for whole, inside in pairs)
        whole, inside = ([pair[side] for pair in pairs] for side in (0, 1))
        told.append(
            f"Its rank correlation with {what} is {_range(whole)} over all answers and {_range(inside)} among answers "
            f"that name equally many aspects, nearer to 0 there in {nearer} of {reports(len(pairs))}."
        )
    return (
        "**Complexity** was expected to lower F1 and to leave necessity and sufficiency alone. A complex answer is "
        "above all one that names many aspects. If complexity mattered beyond that, it would among answers that name "
        f"equally many. {' '.join(told)}"
    )


def norms(known: Known) -> str:
    """The scale of the norms."""
    every, few = (_of(known, name) for name in ("norms", "norms, few aspects"))
    same = sum(SAME_SCALE.low < one["value"] < SAME_SCALE.high for one in few)
    return (
        "**Norms.** Of n equal changes ‖Δ‖₁ is √n times ‖Δ‖₂, so answers with many aspects have norms of different "
        f"scales: ‖Δ‖₁ is {_span(every)} times ‖Δ‖₂. If the number of aspects were not the cause, the same would be "
        f"seen where it is small. For answers with at most {FEW_ASPECTS} it is {_span(few)}, less than twice in "
        f"{same} of {reports(len(few))}."
    )


def strength(known: Known) -> str:
    """Strength and λ."""
    small, large = (_of(known, f"fall beyond, {end} λ") for end in ("small", "large"))
    alpha = published().text["alpha"]
    beyond = sum(bool(one["interval"]) and one["interval"][0] > (1 + SAME_RATIO) * alpha for one in large)
    return (
        f"**Strength and λ.** The hinge asks for a fall of α = {alpha:g} beyond what takes the item off the list, and "
        "λ says how much that counts. If a larger λ only enforces it, the fall beyond grows up to α; if λ drives "
        f"strength by itself, it grows further. On the same pairs it is {_span(small)} with the smallest λ that "
        f"explains enough users, and {_span(large)} with the largest; there the whole interval is more than a tenth "
        f"above α in {beyond} of {reports(len(large))}."
    )


def _of(known: Known, name: str) -> list[Number]:
    """One number of every report that has it."""
    return [one[name] for one in known if one[name]["value"] is not None]


def _span(numbers: Sequence[Number]) -> str:
    return _range([one["value"] for one in numbers])


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else "–"


def _above(numbers: Sequence[Number]) -> str:
    return f"{sum(map(above_zero, numbers))} of {reports(len(numbers))}"
