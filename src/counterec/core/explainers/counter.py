"""The front of the explainers: one class, several goals, every answer verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from counterec.core.arrays import FloatMatrix, IntVector, require, row_chunks
from counterec.core.candidates import Candidates
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.explainers.answer import Explanations, Proof, Proposal, Status, verified
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.change_bounds import with_absent_allowed
from counterec.core.explainers.complete.catalogue_facts import CatalogueFacts
from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.complete.solver import complete
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.metered_scorer import MeteredScorer
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.solver import fewest_aspects, minimal
from counterec.core.explainers.question import Direction, Question
from counterec.core.explainers.ranker_targets import under_ranker
from counterec.core.explainers.reachable_values import made_reachable
from counterec.core.explainers.relaxed.objective import PAPER, Objective
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.relaxed.solver import relaxed
from counterec.core.explainers.score_bounds import cannot_cross
from counterec.core.explainers.single.settings import SingleSettings
from counterec.core.explainers.single.solver import single
from counterec.core.failure_isolation import OnFailure, isolate_failures
from counterec.core.list_rules import Ranker, require_ranker
from counterec.core.scorers.base import Scorer, require_scorer
from counterec.errors import UsageError

PAIRS_AT_ONCE = 4096
"""Pairs solved side by side, to bound the memory of a whole run."""


SCORES_ALONE: tuple[Goal, ...] = ("minimal", "single")
"""The goals that ask for scores of the pairs themselves and nothing else.

They need no target where lists decide, and what they ask can be counted pair by pair.
"""


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
    ranker: Ranker | None = None
    """What makes lists of scores, if the question's own lists do not say: it decides what flips."""
    budget: Budget | None = None
    """What the search for one pair may ask of the scorer, for *minimal* and *single*; with it, calls are counted.

    A deadline alone goes with every goal. Only *minimal* can be ended early by it, with the best change that was met;
    the others are asked pair by pair, and a pair that is begun is ended."""
    on_failure: OnFailure | None = None
    """Called for each user whose pairs raised an error and got *failed*; with None, the error is raised."""

    def __post_init__(self) -> None:
        require_scorer(self.scorer)
        require(self.goal in GOALS, f"unknown goal {self.goal!r}; one of {', '.join(GOALS)}")
        if self.ranker is not None:
            require_ranker(self.ranker)
        if self.budget is not None and self.goal not in SCORES_ALONE and not self._pair_by_pair:
            raise UsageError(
                f"the goal {self.goal} asks for more than scores of the pairs themselves, which a budget cannot count; "
                f"use the goal {' or '.join(SCORES_ALONE)}, or no budget"
            )

    @property
    def name(self) -> str:
        """The goal."""
        return self.goal

    def explain(self, question: Question, progress: Callable[[int], None] = lambda _: None) -> Explanations:
        """Return a verified answer for every pair; ``progress`` is called with the number of pairs just done."""
        question = under_ranker(self.scorer, question, self.ranker)
        if question.by_membership and self.goal not in SCORES_ALONE:
            raise UsageError(
                f"the goal {self.goal} needs a score to cross; {type(question.ranker).__name__} is not monotone, so "
                f"there is none: use the goal {' or '.join(SCORES_ALONE)}"
            )
        parts = []
        for rows in row_chunks(len(question), PAIRS_AT_ONCE) or [slice(0, 0)]:
            part = question.rows(rows)
            parts.append(self._answered(part) if self.on_failure is None else self._guarded(part, self.on_failure))
            progress(len(part))
        return replace(Explanations.joined(parts), goal=self.goal)

    @property
    def _pair_by_pair(self) -> bool:
        """Whether nothing but time is limited, and the search cannot be ended early."""
        budget = self.budget
        return self.goal != "minimal" and budget is not None and budget.deadline is not None and not budget.limits_calls

    def _answered(self, question: Question) -> Explanations:
        if self.budget is None:
            return self._searched(self.scorer, question)
        if self._pair_by_pair and len(question):
            return self._until_deadline(question, self.budget)
        meter = MeteredScorer(self.scorer, question, self.budget)
        answers = self._searched(meter, question)
        return _ended_early(meter, question, answers)

    def _until_deadline(self, question: Question, budget: Budget) -> Explanations:
        """The pairs one after the other; those that the deadline leaves no time for are out of budget."""
        parts = []
        for row in range(len(question)):
            part = question.rows(np.array([row]))
            parts.append(self._not_asked(part) if budget.is_late else self._searched(self.scorer, part))
        return Explanations.joined(parts)

    def _not_asked(self, question: Question) -> Explanations:
        nothing = np.zeros(len(question), dtype=bool)
        answers = _best_so_far(self.scorer, question, np.zeros_like(question.lowest))
        unjudged = Verdicts(users=question.users, asked=nothing, necessary=nothing, sufficient=nothing)
        return answers if self.goal != "complete" else answers.with_verdicts(unjudged)

    def _searched(self, scorer: Scorer, question: Question) -> Explanations:
        facts = CatalogueFacts(scorer, question.space, question.k)
        proposal = made_reachable(scorer, question, self._proposal(scorer, question, facts))
        answers = verified(scorer, question, proposal)
        rows = self._rows_for_absence(scorer, question, answers)
        if len(rows):
            answers = self._with_absence(scorer, question, proposal, answers, rows, facts)
        others = np.setdiff1d(np.arange(len(question)), rows)
        return self._with_proven_misses(question, answers, others)

    def _rows_for_absence(self, scorer: Scorer, question: Question, answers: Explanations) -> IntVector:
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
        return rows[fewest_aspects(scorer, question.rows(rows), self.minimal, most) == 0]

    def _with_absence(
        self,
        scorer: Scorer,
        question: Question,
        proposal: Proposal,
        answers: Explanations,
        rows: IntVector,
        facts: CatalogueFacts,
    ) -> Explanations:
        """Ask these pairs again with aspects that may become absent: fewer aspects win, present ones among equals."""
        wider = with_absent_allowed(question.rows(rows))
        again = made_reachable(scorer, wider, self._proposal(scorer, wider, facts))
        found = self._with_proven_misses(wider, verified(scorer, wider, again), np.arange(len(rows)))
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
        answers, nothing = Explanations.failed(question), np.zeros(len(question), dtype=bool)
        if self.goal != "complete":
            return answers
        unjudged = Verdicts(users=question.users, asked=nothing, necessary=nothing, sufficient=nothing)
        return replace(answers, verdicts=unjudged)

    def _with_proven_misses(self, question: Question, answers: Explanations, rows: IntVector) -> Explanations:
        """Where nothing was found for these rows, try to prove that nothing flips."""
        missed = rows[answers.status[rows] == Status.NOT_FOUND]
        if not len(missed):
            return answers
        status = answers.status.copy()
        status[missed[cannot_cross(self.scorer, question.rows(missed))]] = Status.CANNOT_FLIP
        return replace(answers, status=status)

    def _proposal(self, scorer: Scorer, question: Question, facts: CatalogueFacts) -> Proposal:
        if self.goal == "relaxed":
            return relaxed(scorer, question, self.relaxed, self.objective)
        if self.goal == "single":
            return single(scorer, question, self.single, self.telling)
        if self.goal == "complete":
            return complete(scorer, question, self.complete, self.reserve, facts)
        return minimal(scorer, question, self.minimal, self.telling)


def _ended_early(meter: MeteredScorer, question: Question, answers: Explanations) -> Explanations:
    """The answers and what they cost; a pair whose budget was spent has the best change it met, verified."""
    rows = np.flatnonzero(meter.spent_out)
    if not len(rows):
        return replace(answers, spent=meter.spent)
    best = _best_so_far(meter.without_limit(), question.rows(rows), meter.best.delta[rows])
    if answers.verdicts is not None:
        best = best.with_verdicts(answers.verdicts.rows(rows).only(np.zeros(len(rows), dtype=bool)))
    order = np.arange(len(question))
    order[rows] = len(question) + np.arange(len(rows))
    return replace(Explanations.joined([answers, best]).rows(order), spent=meter.spent)


def _best_so_far(scorer: Scorer, question: Question, delta: FloatMatrix) -> Explanations:
    """The verified answers of searches that ended early with these changes: out of budget, whether they flip or not."""
    best = verified(scorer, question, Proposal.of(delta))
    ended = np.isin(best.status, (Status.EXPLAINED, Status.NOT_FOUND))
    if question.constraints.most_reviewed is not None and question.direction is Direction.LOWER:
        becomes_absent = with_absent_allowed(question).movable.any(axis=1)  # what the search had not come to yet
        ended |= (best.status == Status.NOTHING_TO_CHANGE) & becomes_absent
    status = np.where(ended, Status.OUT_OF_BUDGET, best.status)
    return replace(best, status=status, proof=np.full(len(question), Proof.NONE))


def _sizes(answers: Explanations) -> IntVector:
    return np.count_nonzero(answers.delta, axis=1)


def _never(answers: Explanations, rows: IntVector, tried: IntVector) -> IntVector:
    """Per answer the number of aspects below which every set was tried; beyond reach where nothing else was asked."""
    below = np.full(len(answers), answers.delta.shape[1] + 1)
    below[rows] = tried
    return below
