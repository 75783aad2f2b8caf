"""An audience: the fewest improvements of one item, the same for all, that bring it into the lists of many users.

The seller's *why not*. It is the search of the goal *minimal* with a single owner of sets, the audience: a set is
enough if it wins enough users at its bounds (``problem``). It is pruned before all smaller sets are tried: the fewer
aspects it has, the fewer sets a proof has to try, each for every user.
"""

from __future__ import annotations

import numpy as np

from counterec.core.arrays import FloatVector, IntVector, require
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.audience.problem import AudienceProblem
from counterec.core.explainers.audience.settings import AudienceSettings
from counterec.core.explainers.audience.user_gaps import after_shared_change
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.explainers.minimal.set_search import SetSearch
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Direction, Question, crossed
from counterec.core.explainers.question_builders import why_not
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import PairBatch, Scorer, scores_of
from counterec.core.space import AspectSpace
from counterec.errors import UsageError


def why_not_for_all(
    scorer: Scorer,
    space: AspectSpace,
    recommendations: Recommendations,
    item: int,
    users: IntVector,
    wanted: int,
    *,
    constraints: Constraints = NONE,
    margin: float = MARGIN,
    settings: AudienceSettings = AudienceSettings(),  # noqa: B008
) -> AudienceAnswer:
    """Find the fewest improvements of the item with which it enters the lists of at least ``wanted`` of these users.

    With the mask, the aspects that any of them cares about may move.
    """
    if recommendations.ranker is not None:
        raise UsageError(
            "rules decide these lists, and an audience is sought by scores alone: ask why_not of each user"
        )
    users = np.unique(np.asarray(users, dtype=np.int64))
    require(wanted >= 1, f"at least {wanted} users: ask for 1 or more")
    question = why_not(space, recommendations, users, np.full(len(users), item), constraints=constraints, margin=margin)
    can_be_won = int((~question.settled).sum())
    if wanted > can_be_won:
        raise UsageError(
            f"at least {wanted} users cannot be won: of these {len(users)}, {can_be_won} do not have "
            f"{space.items.texts[item]} in their list yet"
        )
    delta, proof = _smallest_change(scorer, question.rows(~question.settled), wanted, settings)
    return _verified(scorer, question, recommendations, wanted, delta, proof)


def _smallest_change(
    scorer: Scorer, question: Question, wanted: int, settings: AudienceSettings
) -> tuple[FloatVector, Proof]:
    """The change, and what is known of how few aspects it takes; the nearest miss where none is enough."""
    sets = MinimalSettings(settings.budget // len(question))
    search = SetSearch(AudienceProblem(scorer, question, wanted), sets, settings.rivals, settings.shrinking)
    found = search.sought(search.proven(search.pruned(search.grown())))
    delta = search.shrunk(found)
    proof = search.proof_again(search.proof(found, delta), delta)
    search.fill_in_misses(delta)
    return delta[0], Proof(proof[0])


def _verified(
    scorer: Scorer, question: Question, lists: Recommendations, wanted: int, delta: FloatVector, proof: Proof
) -> AudienceAnswer:
    """Score the item once more for every user, with exactly this change."""
    item = int(question.items[0])
    before = scores_of(scorer, question.pairs)
    quality = np.broadcast_to(after_shared_change(question.rows(slice(0, 1)), delta[None])[0], question.lowest.shape)
    after = scores_of(scorer, PairBatch(question.users, question.items, question.pairs.user_attention, quality))
    target, last = _thresholds(question, lists)
    enters = crossed(after, target, Direction.RAISE, question.margin)
    keeps = np.isnan(target) | (after > target) | ((after == target) & (item < last))
    has_it = np.where(question.settled, keeps, enters)
    reached = int((has_it & ~question.settled).sum()) >= wanted
    movable = question.movable[~question.settled].any()
    missed = Status.NOT_FOUND if movable else Status.NOTHING_TO_CHANGE
    return AudienceAnswer(
        item=item,
        users=question.users,
        wanted=wanted,
        delta=delta,
        target=target,
        score_before=before,
        score_after=after,
        had_it=question.settled,
        has_it=has_it,
        status=Status.EXPLAINED if reached else missed,
        proof=proof if reached else Proof.NONE,
    )


def _thresholds(question: Question, lists: Recommendations) -> tuple[FloatVector, IntVector]:
    """Per user the Kth best of the other candidates: its score and its number."""
    rows = lists.rows_of(question.users)
    place = np.where(question.settled, lists.k, lists.k - 1)
    return lists.scores[rows, place], lists.items[rows, place]
