"""Does an improvement for an audience also hold in the nets that a scorer is the mean of?

Each member has lists of its own. The improved item *enters* a list of a member if it was not in it and now is, ranked
again among the same candidates and without a margin. The answer holds in a member if the item enters at least as many
lists of the audience there as were wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from counterec.core.arrays import IntVector, freeze, require
from counterec.core.evaluation.robustness import member_verdicts
from counterec.core.explainers.audience.answer import AudienceAnswer
from counterec.core.explainers.audience.user_gaps import after_shared_change
from counterec.core.explainers.constraints import NONE, Constraints
from counterec.core.explainers.question_builders import why_not
from counterec.core.lists import Recommendations
from counterec.core.scorers.protocols import Scorer, is_averaged
from counterec.core.space import AspectSpace


@dataclass(frozen=True)
class AudienceRobustness:
    """Per member, how many of its own lists for the audience the item enters."""

    wanted: int
    entered: IntVector

    def __post_init__(self) -> None:
        freeze(self, entered=np.int64)
        require(self.entered.ndim == 1 and (self.entered >= 0).all(), "entered must hold one count for each net")

    @property
    def nets(self) -> int:
        """How many members there are."""
        return len(self.entered)

    @property
    def hold(self) -> int:
        """In how many of them enough lists are entered."""
        return int((self.entered >= self.wanted).sum())


def audience_robustness(
    scorer: Scorer,
    space: AspectSpace,
    lists: Recommendations,
    answer: AudienceAnswer,
    *,
    constraints: Constraints = NONE,
    member_lists: Sequence[Recommendations] = (),
) -> AudienceRobustness | None:
    """Ask every member; None if the scorer is no mean of others.

    ``constraints`` are those that the answer was sought with, and ``member_lists`` the members' own lists, where they
    are known.
    """
    if not is_averaged(scorer):
        return None
    users = answer.users
    asked = why_not(space, lists, users, np.full(len(users), answer.item), constraints=constraints)
    (quality,) = after_shared_change(asked.rows(slice(0, 1)), answer.delta[None])
    after = np.broadcast_to(quality, (len(users), len(quality)))
    entered = []
    for number, member in enumerate(scorer.members):
        agrees, crosses = member_verdicts(member, asked, after, member_lists[number] if member_lists else None)
        entered.append(int((agrees & crosses).sum()))
    return AudienceRobustness(answer.wanted, np.array(entered))
