"""An explanation as a sentence, in the paper's form; every word of it is decided by the row it describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SLIGHT = 0.25
"""A change is *slight* when it is under this share of the aspect's scale: under 1.0 on a five-point scale."""

MOST_DIGITS = 17
"""Digits after which two numbers that still look equal are equal."""


@dataclass(frozen=True)
class Change:
    """One aspect of an item, before and after."""

    aspect: str
    before: float
    after: float
    span: float = 4.0
    """The length of the aspect's scale."""
    absent: float = 0.0
    """The value that stands for *never reviewed on it*."""
    low: float = 1.0
    """The lowest value that a review can lead to."""

    @property
    def removed(self) -> bool:
        """Whether the aspect is gone altogether."""
        return self.after == self.absent

    @property
    def off_scale(self) -> bool:
        """Whether it ends lower than any reviewed item is, and yet not as one that was never reviewed."""
        return self.absent < self.after < self.low

    def shown(self, digits: int = 1) -> tuple[str, str]:
        """Before and after with this many digits, or as many more as it takes to tell them apart."""
        while True:
            before, after = f"{self.before:.{digits}f}", f"{self.after:.{digits}f}"
            if before != after or digits >= MOST_DIGITS:
                return before, after
            digits += 1

    @property
    def degree(self) -> str:
        """How much worse, in words."""
        return "slightly worse" if abs(self.after - self.before) < SLIGHT * self.span else "worse"


def why_sentence(item: str, changes: Sequence[Change]) -> str:
    """“If the battery of Phone A had been slightly worse (3.0 → 2.1), it would not be recommended.”"""
    worse = [change for change in changes if not change.removed]
    removed = [change for change in changes if change.removed]
    if len(changes) == 1 and worse:
        (change,) = worse
        return f"If the {change.aspect} of {item} had been {change.degree} ({_values(change)}), {CONSEQUENCE}"
    return f"If {item} {_conditions(worse, removed)}, {CONSEQUENCE}"


CONSEQUENCE = "it would not be recommended."


def _conditions(worse: list[Change], removed: list[Change]) -> str:
    conditions = []
    for degree in ("worse", "slightly worse"):
        group = [change for change in worse if change.degree == degree]
        if group:
            conditions.append(f"{degree} on {_listed([f'{c.aspect} ({_values(c)})' for c in group])}")
    parts = [f"had been {_listed(conditions)}"] if conditions else []
    if removed:
        named = _listed([f"{c.aspect} (now {c.before:.1f})" for c in removed], word="or")
        parts.append(f"had not been reviewed on {named}")
    return _listed(parts)


def _values(change: Change) -> str:
    before, after = change.shown()
    return f"{before} → {f'under {change.low:.1f}' if change.off_scale else after}"


def _listed(parts: Sequence[str], word: str = "and") -> str:
    if len(parts) <= 1:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


NO_EXPLANATION = {
    "nothing_to_change": "{item} has no aspect that may change, so none can be what keeps it in the list.",
    "cannot_flip": "No allowed change of its aspects would take {item} off the list.",
    "not_found": "No change was found that takes {item} off the list.",
    "out_of_budget": "The search ended before a change was found that takes {item} off the list.",
    "no_target": "There are too few other candidates for {item} to fall behind.",
    "already_true": "{item} is already below the list.",
}
"""What is said of a pair without an explanation, by its status."""


def status_sentence(item: str, status: str, goal: str = "minimal") -> str:
    """Why there is no explanation. What is proven of a single aspect is said of a single aspect."""
    if goal == "single" and status == "cannot_flip":
        return f"No change of one aspect alone would take {item} off the list."
    return NO_EXPLANATION[status].format(item=item)
