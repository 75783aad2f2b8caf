"""The paper's relaxed problem (Eq. 11; Eq. 16 with the mask), solved for all pairs at once.

    minimise  ‖Δ‖₂ + γ‖Δ‖₁ + λ·max(0, α + s(Δ) − target)   within the bounds of Δ

by proximal gradient steps from Δ = 0. With a fixed λ the cheapest point can be Δ = 0, far from any flip, so λ is raised
for each pair until it flips. Then the change is polished where it crosses. Nothing is drawn at random: two runs agree.
``as_published`` solves the problem as printed instead: sigmoid scores, fixed λ, α and γ, plain gradient steps. Of the
attributes of a schema, only numbers can be relaxed: a category has no values between two others.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from counterec.core.arrays import BoolVector, FloatMatrix
from counterec.core.explainers.answer import Proposal
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.solver import minimal
from counterec.core.explainers.probe import sign_of
from counterec.core.explainers.question import Question
from counterec.core.explainers.relaxed.as_published import as_published
from counterec.core.explainers.relaxed.objective import PAPER, Objective
from counterec.core.explainers.relaxed.polishing import polished
from counterec.core.explainers.relaxed.proximal_descent import ProximalDescent
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.relaxed.tensor_problem import RelaxedProblem, span_units
from counterec.core.scorers.base import DifferentiableScorer, Scorer, scores_of, tensor_scores_of
from counterec.errors import UsageError


def relaxed(scorer: Scorer, question: Question, settings: RelaxedSettings, objective: Objective = PAPER) -> Proposal:
    """Propose for every pair the cheapest flipping change that the descent met, with small entries set back to 0."""
    if not isinstance(scorer, DifferentiableScorer):
        raise UsageError(
            f"{type(scorer).__name__} has no score_tensor, and the relaxed goal needs gradients; "
            "use the goal minimal, single or complete, which need scores alone"
        )
    if question.space.schema is not None:
        question = of_numbers(scorer, question)
    delta = _solved(scorer, question, settings, objective)
    if question.whole:
        delta = _gone_whole(question, delta)
    if question.whole or question.most is not None:
        delta = _within_limits(scorer, question, settings, objective, delta)
    return Proposal.of(delta)


def of_numbers(scorer: DifferentiableScorer, question: Question) -> Question:
    """The question with numbers alone; one that may move either way moves where the score falls or rises as asked."""
    scale, names = question.space.scale, question.space.aspects.texts
    if (
        len(question)
        and scale.is_category[question.constraints.movable(question.space, question.users).any(axis=0)].all()
    ):
        said = f"the goal relaxed moves numbers only, and of {', '.join(names)} none is a number that may move"
        raise UsageError(f"{said}; use the goal minimal, single or complete")
    lowest, highest = (np.where(scale.is_category, 0, bound) for bound in (question.lowest, question.highest))
    if scale.either_way.any():
        uphill = _slopes(scorer, question) * sign_of(question) < 0
        both = (lowest < 0) & (highest > 0)
        lowest, highest = np.where(both & uphill, 0, lowest), np.where(both & ~uphill, 0, highest)
    return replace(question, lowest=lowest, highest=highest)


def _slopes(scorer: DifferentiableScorer, question: Question) -> FloatMatrix:
    """∂s/∂Y of every pair as it is."""
    pairs, device = question.pairs, getattr(scorer, "device", torch.device("cpu"))
    users, items, attention = (torch.tensor(a, device=device) for a in (pairs.users, pairs.items, pairs.user_attention))
    quality = torch.tensor(pairs.item_quality, device=device).requires_grad_()
    score = tensor_scores_of(scorer, users, items, attention, quality)
    return torch.autograd.grad(score.sum(), quality)[0].cpu().numpy()


def _solved(
    scorer: DifferentiableScorer, question: Question, settings: RelaxedSettings, objective: Objective
) -> FloatMatrix:
    units = question.space.scale.span if settings.as_published else span_units(question)
    question = question.between_bounds()
    problem = RelaxedProblem(scorer, question, settings, objective, units)
    if settings.as_published:
        delta = as_published(problem)
    else:
        delta = polished(problem, question, ProximalDescent(problem).run())
    inside = np.clip(delta, question.lowest, question.highest)
    quality = question.pairs.item_quality
    inside = np.where(
        quality + inside == quality, 0, inside
    )  # where the sigmoid is flat, steps may be lost in rounding
    return without_small_entries(scorer, question, inside, settings.threshold)


def _gone_whole(question: Question, delta: FloatMatrix) -> FloatMatrix:
    """Every aspect that moves, moved to its bound."""
    return np.select([delta < 0, delta > 0], [question.lowest, question.highest], 0).astype(np.float32)


def _within_limits(
    scorer: DifferentiableScorer,
    question: Question,
    settings: RelaxedSettings,
    objective: Objective,
    delta: FloatMatrix,
) -> FloatMatrix:
    """Where too many aspects moved, or whole moves do not flip: solve again over the fewest aspects that flip.

    The relaxed problem cannot limit the number of aspects, so the goal *minimal* chooses them.
    """
    most = delta.shape[1] if question.most is None else question.most
    over = np.count_nonzero(delta, axis=1) > most
    if question.whole:
        over |= ~_flips(scorer, question, delta)
    rows = np.flatnonzero(over)
    if not len(rows):
        return delta
    part, result = question.rows(rows), delta.copy()
    few = minimal(scorer, part, MinimalSettings(budget=0)).delta
    result[rows] = few
    if not question.whole:
        narrowed = replace(part, lowest=np.where(few < 0, part.lowest, 0), highest=np.where(few > 0, part.highest, 0))
        again = _solved(scorer, narrowed, settings, objective)
        flips = _flips(scorer, part, again)
        result[rows[flips]] = again[flips]
    return result


def without_small_entries(scorer: Scorer, question: Question, delta: FloatMatrix, threshold: float) -> FloatMatrix:
    """Set every entry under the threshold to 0, then restore the largest of them until the pair flips again.

    A change that does not flip is returned as it is: it is a miss either way.
    """
    least = threshold * question.space.scale.span
    small = (np.abs(delta) < least) & (delta != 0)
    flipping = _flips(scorer, question, delta)
    kept = np.where(small & flipping[:, None], 0, delta).astype(np.float32)
    order = np.argsort(-np.abs(np.where(small, delta, 0)), axis=1, kind="stable")
    waiting = np.flatnonzero(flipping & small.any(axis=1))
    for place in range(delta.shape[1]):
        if not len(waiting):
            break
        waiting = waiting[~_flips(scorer, question.rows(waiting), kept[waiting])]
        column = order[waiting, place]
        kept[waiting, column] = delta[waiting, column]
    return kept


def _flips(scorer: Scorer, question: Question, delta: FloatMatrix) -> BoolVector:
    return question.crossed(scores_of(scorer, question.changed(delta)))
