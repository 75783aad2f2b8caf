"""Which aspects count as right on the user's side, and the line that says so where it is not the paper's rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from counterec.errors import InvalidValueError

AS_PUBLISHED = "positive"
"""The paper's rule: the aspects that the user praised in the held-out review."""
OTHERWISE = {"all": "every aspect that the held-out review mentions, praised or not"}


def ground_truth_note(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """One line where the ground truth of the experiment is not the paper's, else none."""
    rule = settings.get("ground_truth")
    if rule == AS_PUBLISHED:
        return ()
    if rule not in OTHERWISE:
        known = " or ".join((AS_PUBLISHED, *OTHERWISE))
        raise InvalidValueError(f"the experiment's ground_truth is {rule!r}; hand over its settings with {known}")
    return (f'Ground truth "{rule}": {OTHERWISE[rule]}. The paper counts only praised aspects.',)
