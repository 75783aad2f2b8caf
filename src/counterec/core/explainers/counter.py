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
from counterec.core.explainers.change_bounds import with_absent_allowed
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.complete.solver import complete
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.solver import fewest_aspects, minimal
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.reachable_values import made_reachable
from counterec.core.explainers.relaxed.objective import PAPER, Objective
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.relaxed.solver import relaxed
from counterec.core.explainers.score_bounds import cannot_cross
from counterec.core.explainers.single.settings import SingleSettings
from counterec.core.explainers.single.solver import single
from counterec.core.failure_isolation import OnFailure, isolate_failures
from counterec.core.scorers.checked_scores import require_scorer
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
    goal: Goal = "minimal"
    telling: bool = True
    """Whether *minimal* and *single* name, of the aspects that would do, those that tell a person most."""
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
        require_scorer(self.scorer)
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
        return replace(Explanations.joined(parts), goal=self.goal)

    def _answered(self, question: Question) -> Explanations:
        proposal = made_reachable(self.scorer, question, self._proposal(question))
        answers = verified(self.scorer, question, proposal)
        rows = self._rows_for_absence(question, answers)
        if len(rows):
            answers = self._with_absence(question, proposal, answers, rows)
        others = np.setdiff1d(np.arange(len(question)), rows)
        return self._with_proven_misses(question, answers, others)

    def _rows_for_absence(self, question: Question, answers: Explanations) -> IntVector:
        """The pairs whose aspects may also become absent: few aspects at possible values do not flip them."""
        most = question.constraints.most_reviewed
        can_be = question.space.scale.can_be_absent.any()
        if most is None or question.direction is Direction.RAISE or not can_be:
            return np.empty(0, dtype=np.int64)
        open_ = (answers.status != Status.NO_TARGET) & (answers.status != Status.ALREADY_TRUE)
        if self.goal == "minimal":
            few = answers.explained & (np.count_nonzero(answers.delta, axis=1) <= most)
            return np.flatnonzero(open_ & ~few)
        rows = np.flatnonzero(open_)
        if most == 0:
            return rows
        return rows[fewest_aspects(self.scorer, question.rows(rows), self.minimal, most) == 0]

    def _with_absence(
        self, question: Question, proposal: Proposal, answers: Explanations, rows: IntVector
    ) -> Explanations:
        """Ask these pairs again with aspects that may become absent: fewer aspects win, present ones among equals."""
        wider = with_absent_allowed(question.rows(rows))
        again = made_reachable(self.scorer, wider, self._proposal(wider))
        found = self._with_proven_misses(wider, verified(self.scorer, wider, again), np.arange(len(rows)))
        first = answers.rows(rows)
        size, size_again = (np.count_nonzero(some.delta, axis=1) for some in (first, found))
        replaced = ~first.explained | (found.explained & (size_again < size))
        joined = Explanations.joined([answers, found])
        if proposal.tried_below is not None and again.tried_below is not None:
            tried = np.minimum(proposal.tried_below[rows], again.tried_below)
            weaker = (joined.proof == Proof.SMALLEST) & (_sizes(joined) > np.r_[_never(answers, rows, tried), tried])
            joined = replace(joined, proof=np.where(weaker, Proof.IRREDUCIBLE, joined.proof))
        order = np.arange(len(question))
        order[rows[replaced]] = len(question) + np.flatnonzero(replaced)
        return joined.rows(order)

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
            margin=question.margin,
            status=np.full(len(question), Status.FAILED),
            proof=np.full(len(question), Proof.NONE),
            direction=question.direction,
            verdicts=verdicts if self.goal == "complete" else None,
        )

    def _with_proven_misses(self, question: Question, answers: Explanations, rows: IntVector) -> Explanations:
        """Where nothing was found for these rows, try to prove that nothing flips."""
        missed = rows[answers.status[rows] == Status.NOT_FOUND]
        if not len(missed):
            return answers
        status = answers.status.copy()
        status[missed[cannot_cross(self.scorer, question.rows(missed))]] = Status.CANNOT_FLIP
        return replace(answers, status=status)

    def _proposal(self, question: Question) -> Proposal:
        if self.goal == "relaxed":
            return relaxed(self.scorer, question, self.relaxed, self.objective)
        if self.goal == "single":
            return single(self.scorer, question, self.single, self.telling)
        if self.goal == "complete":
            return complete(self.scorer, question, self.complete, self.reserve)
        return minimal(self.scorer, question, self.minimal, self.telling)


def _sizes(answers: Explanations) -> IntVector:
    return np.count_nonzero(answers.delta, axis=1)


def _never(answers: Explanations, rows: IntVector, tried: IntVector) -> IntVector:
    """Per answer the number of aspects below which every set was tried; beyond reach where nothing else was asked."""
    below = np.full(len(answers), answers.delta.shape[1] + 1)
    below[rows] = tried
    return below
