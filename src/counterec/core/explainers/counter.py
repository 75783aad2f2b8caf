"""The front: one explainer, several goals, every answer verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from counterec.core.arrays import require, row_chunks
from counterec.core.explainers.answer import Explanations, Proposal, verified
from counterec.core.explainers.minimal import MinimalSettings, minimal
from counterec.core.explainers.objective import PAPER, Objective, RelaxedSettings
from counterec.core.explainers.question import Question
from counterec.core.explainers.relaxed import relaxed
from counterec.core.explainers.single import SingleSettings, single
from counterec.core.scorers.protocols import Scorer

Goal = Literal["relaxed", "single", "minimal"]
GOALS: tuple[Goal, ...] = ("relaxed", "single", "minimal")

PAIRS_AT_ONCE = 4096
"""Pairs solved side by side: what bounds the memory of a whole run."""


class Explainer(Protocol):
    """Anything that answers questions."""

    @property
    def name(self) -> str:
        """What the method is called."""
        ...

    def explain(self, question: Question) -> Explanations:
        """Return a verified answer for every pair of the question."""
        ...


@dataclass(frozen=True)
class CountER:
    """Counterfactual explanations of any scorer: a small change within the bounds that crosses the target."""

    scorer: Scorer
    goal: Goal = "relaxed"
    relaxed: RelaxedSettings = field(default_factory=RelaxedSettings)
    single: SingleSettings = field(default_factory=SingleSettings)
    minimal: MinimalSettings = field(default_factory=MinimalSettings)
    objective: Objective = PAPER
    """The complexity and strength that *relaxed* weighs, where they are not the paper's."""

    def __post_init__(self) -> None:
        require(self.goal in GOALS, f"unknown goal {self.goal!r}; one of {', '.join(GOALS)}")

    @property
    def name(self) -> str:
        """The goal, which is what the answers differ by."""
        return self.goal

    def explain(self, question: Question, progress: Callable[[int], None] = lambda _: None) -> Explanations:
        """Return a verified answer for every pair; ``progress`` is told how many more are done."""
        parts = []
        for rows in row_chunks(len(question), PAIRS_AT_ONCE) or [slice(0, 0)]:
            part = question.rows(rows)
            parts.append(verified(self.scorer, part, self._proposal(part)))
            progress(len(part))
        return Explanations.joined(parts)

    def _proposal(self, question: Question) -> Proposal:
        if self.goal == "relaxed":
            return relaxed(self.scorer, question, self.relaxed, self.objective)
        if self.goal == "single":
            return single(self.scorer, question, self.single)
        return minimal(self.scorer, question, self.minimal)
