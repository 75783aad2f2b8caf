"""The page in a few sentences: what was aimed at, and what came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.reading_sections.claims import judged
from benchmarks.reading_sections.model_side import leads
from benchmarks.reading_sections.places import Place
from benchmarks.reading_sections.user_side import compared


def in_short(found: Sequence[Place]) -> Iterator[str]:
    """One sentence for each question that the page answers."""
    yield from (
        *_model_side(found),
        *_user_side(found),
        *answers_that_hold(found),
        *_past_reviews(found),
        *_claims(found),
    )


def _model_side(found: Sequence[Place]) -> Iterator[str]:
    same, own = (leads(found, own_lists) for own_lists in (False, True))
    yield (
        f"- **The model's side.** On the same lists *complete* has a higher F_NS than the other method in {same[0]} of "
        f"{same[1]} comparisons; against EFM and A2CF, which explain lists of their own, in {own[0]} of {own[1]}."
    )


def _user_side(found: Sequence[Place]) -> Iterator[str]:
    pairs = compared(found)
    told = Counter(pair.verdict for pair in pairs)
    yield (
        f"- **The user's side.** By masked F1 the best goal is below the best baseline in "
        f"{sum(pair.missed for pair in pairs)} of {len(pairs)} reports, each in its own lists; on the same pairs, "
        f"significantly so in {told['below']}, and significantly above it in {told['above']}."
    )


def answers_that_hold(found: Sequence[Place]) -> Iterator[str]:
    """How many answers another training leaves, by the kind of model, over both protocols."""
    by_model: dict[str, list[float]] = {}
    for one in found:
        for again in one.found["retraining"]:
            if again["method"] == "complete" and again["holds_all"]["value"] is not None:
                by_model.setdefault(one.model, []).append(again["holds_all"]["value"])
    if by_model:
        shares = ", ".join(f"`{model}` {min(each):.0%} to {max(each):.0%}" for model, each in by_model.items())
        yield f"- **Another training.** The share of pairs for which an answer of *complete* still holds: {shares}."


def _past_reviews(found: Sequence[Place]) -> Iterator[str]:
    shares: dict[str, list[float]] = {}
    for one in found:
        for each in one.found["history"]["explained"]:
            if each["explained"]["value"] is not None:
                shares.setdefault(each["by"], []).append(each["explained"]["value"])
    past, alone = (shares.get(by, []) for by in ("past reviews", "past reviews, and no aspects"))
    if past and alone:
        yield (
            f"- **Past reviews** explain {min(past):.0%} to {max(past):.0%} of the pairs, and {min(alone):.0%} to "
            f"{max(alone):.0%} that aspects do not explain."
        )


def _claims(found: Sequence[Place]) -> Iterator[str]:
    counts = judged(found).values()
    most = {verdict: sum(each[verdict] > len(found) / 2 for each in counts) for verdict in ("holds", "does not")}
    yield (
        f"- **The paper's claims.** Of {len(counts)}, {most['holds']} hold in most reports and {most['does not']} do "
        f"not hold in most; the other {len(counts) - sum(most.values())} cannot be decided, or differ by report."
    )
