"""The front of the explainers: one class, several goals, every answer verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from counterec.core.arrays import IntVector, require, row_chunks
from counterec.core.candidates import Candidates
from counterec.core.evaluation.necessity_verdicts import Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Proposal, Status, verified
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.complete.solver import complete
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.solver import minimal
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.reachable_values import made_reachable
from counterec.core.explainers.relaxed.objective import PAPER, Objective
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.relaxed.solver import relaxed
from counterec.core.explainers.score_bounds import cannot_cross
from counterec.core.explainers.single.settings import SingleSettings
from counterec.core.explainers.single.solver import single
from counterec.core.failure_isolation import OnFailure, isolate_failures
from counterec.core.scorers.protocols import Scorer

PAIRS_AT_ONCE = 4096
"""Pairs solved side by side, to bound the memory of a whole run."""


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
    """Counterfactual explanations of any scorer: small changes within the bounds that cross the target."""

    scorer: Scorer
    goal: Goal = "relaxed"
    relaxed: RelaxedSettings = field(default_factory=RelaxedSettings)
    single: SingleSettings = field(default_factory=SingleSettings)
    minimal: MinimalSettings = field(default_factory=MinimalSettings)
    complete: CompleteSettings = field(default_factory=CompleteSettings)
    reserve: Candidates | None = None
    """For *complete*: the items that the candidates were drawn from, if they were drawn."""
    objective: Objective = PAPER
    """The complexity and strength that *relaxed* weighs, if not the paper's."""
    on_failure: OnFailure | None = None
    """Called for each user whose pairs raised an error and got *failed*; with None, the error is raised."""

    def __post_init__(self) -> None:
        require(self.goal in GOALS, f"unknown goal {self.goal!r}; one of {', '.join(GOALS)}")

    @property
    def name(self) -> str:
        """The goal."""
        return self.goal

    def explain(self, question: Question, progress: Callable[[int], None] = lambda _: None) -> Explanations:
        """Return a verified answer for every pair; ``progress`` is called with the number of pairs just done."""
        parts = []
        for rows in row_chunks(len(question), PAIRS_AT_ONCE) or [slice(0, 0)]:
            part = question.rows(rows)
            parts.append(self._answered(part) if self.on_failure is None else self._guarded(part, self.on_failure))
            progress(len(part))
        return Explanations.joined(parts)

    def _answered(self, question: Question) -> Explanations:
        proposal = self._proposal(question)
        if question.direction is Direction.RAISE:
            proposal = made_reachable(self.scorer, question, proposal)
        return self._with_proven_misses(question, verified(self.scorer, question, proposal))

    def _guarded(self, question: Question, on_failure: OnFailure) -> Explanations:
        """The answers of all users that raise no error, and *failed* for the others."""
        answered: list[IntVector] = []
        parts: list[Explanations] = []

        def work(rows: IntVector) -> None:
            parts.append(self._answered(question.rows(rows)))
            answered.append(rows)

        failed = isolate_failures(question.users, work, on_failure)
        parts.append(self._failed(question.rows(failed)))
        return Explanations.joined(parts).rows(np.argsort(np.concatenate([*answered, failed])))

    def _failed(self, question: Question) -> Explanations:
        nothing, unknown = np.zeros(len(question), dtype=bool), np.full(len(question), np.nan)
        verdicts = Verdicts(users=question.users, asked=nothing, necessary=nothing, sufficient=nothing)
        return Explanations(
            users=question.users,
            items=question.items,
            delta=np.zeros(question.lowest.shape),
            score_before=unknown,
            score_after=unknown,
            target=question.target,
            status=np.full(len(question), Status.FAILED),
            proof=np.full(len(question), Proof.NONE),
            direction=question.direction,
            margin=question.margin,
            verdicts=verdicts if self.goal == "complete" else None,
        )

    def _with_proven_misses(self, question: Question, answers: Explanations) -> Explanations:
        """Where nothing was found, try to prove that nothing flips."""
        missed = np.flatnonzero(answers.status == Status.NOT_FOUND)
        if not len(missed):
            return answers
        status = answers.status.copy()
        status[missed[cannot_cross(self.scorer, question.rows(missed))]] = Status.CANNOT_FLIP
        return replace(answers, status=status)

    def _proposal(self, question: Question) -> Proposal:
        if self.goal == "relaxed":
            return relaxed(self.scorer, question, self.relaxed, self.objective)
        if self.goal == "single":
            return single(self.scorer, question, self.single)
        if self.goal == "complete":
            return complete(self.scorer, question, self.complete, self.reserve)
        return minimal(self.scorer, question, self.minimal)
