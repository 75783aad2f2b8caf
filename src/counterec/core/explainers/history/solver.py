"""For many pairs: the fewest past reviews without which each item would not be in its user's list."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from counterec.core.arrays import IntVector, require
from counterec.core.counted_attention import CountedAttention
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.history.answer import HistoryAnswers
from counterec.core.explainers.history.past_reviews import PastReviews
from counterec.core.explainers.history.place import Place
from counterec.core.explainers.history.set_search import Found, SetSearch
from counterec.core.explainers.history.settings import HistorySettings
from counterec.core.explainers.history.user_history import UserHistory, require_forgetting
from counterec.core.explainers.tolerances import MARGIN, margin_of
from counterec.core.lists import Recommendations
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.catalogue import Catalogue, catalogue_of
from counterec.core.space import AspectSpace

NO_LIMIT = Budget()
DEFAULT = HistorySettings()


class HistoryExplainer:
    """Explains items of lists by the past reviews of their users.

    ``attention`` is the rule that makes X from counts; by default that of the space, which must then be as it was
    trained.
    """

    def __init__(
        self,
        scorer: Scorer,
        space: AspectSpace,
        lists: Recommendations,
        past: PastReviews,
        *,
        attention: CountedAttention | None = None,
        settings: HistorySettings = DEFAULT,
        margin: float = MARGIN,
        catalogue: Catalogue | None = None,
    ) -> None:
        require_forgetting(scorer)
        self._scorer, self._space, self._lists, self._past = scorer, space, lists, past
        self._attention = attention or CountedAttention.of(space)
        self._settings, self._margin_share = settings, margin
        self._catalogue = catalogue or catalogue_of(scorer, space)

    def explain(
        self,
        users: IntVector,
        items: IntVector,
        *,
        budget: Budget = NO_LIMIT,
        progress: Callable[[int], None] = lambda _: None,
    ) -> HistoryAnswers:
        """Verified answers in the order of the pairs; each item must be in its user's list.

        The pairs of a user share what is scored. What a pair may spend, and so its answer, does not depend on them. A
        ``budget`` takes the place of the settings: a call is one set of reviews, and a row one candidate without it.
        ``progress`` is called with the number of pairs just done.
        """
        users, items = np.asarray(users, dtype=np.int64), np.asarray(items, dtype=np.int64)
        require(len(users) == len(items), f"{len(users)} users and {len(items)} items make no pairs")
        order = np.argsort(users, kind="stable")
        parts = []
        for rows in np.split(order, np.flatnonzero(np.diff(users[order])) + 1):
            if len(rows):
                parts.append(self._of_user(int(users[rows[0]]), items[rows], budget))
                progress(len(rows))
        return HistoryAnswers.joined(parts).rows(np.argsort(order, kind="stable"))

    def _of_user(self, user: int, items: IntVector, budget: Budget) -> HistoryAnswers:
        self._past.require_behind(self._space, user)
        lists = self._lists
        (row,) = lists.rows_of(np.array([user])).tolist()
        history = UserHistory(self._scorer, self._catalogue, lists, self._past, self._attention, user)
        margin = float(margin_of(lists.spread[row : row + 1], lists.largest[row : row + 1], self._margin_share)[0])
        listed = lists.items[row, : lists.k]
        parts = []
        for item in items.tolist():
            name = self._space.items.texts[item]
            require(item in listed, f"{name} is not in the list of {self._space.users.texts[user]}")
            place = Place(user, item, history.candidates, lists.k, margin, lists.ranker)
            parts.append(self._verified(history, place, self._searched(history, place, budget)))
        return HistoryAnswers.joined(parts)

    def _searched(self, history: UserHistory, place: Place, budget: Budget) -> Found:
        now = history.scores(())
        if place.ranker is None and not place.has_target:
            return Found((), Status.NO_TARGET, Proof.NONE, 0)
        if place.left(now):  # float results vary with the batch: a tie with the first item below
            return Found((), Status.ALREADY_TRUE, Proof.NONE, 0)
        return SetSearch(history, place, self._settings, budget).found()

    def _verified(self, history: UserHistory, place: Place, found: Found) -> HistoryAnswers:
        """The row of a pair, from a fresh scoring of all candidates without the reviews."""
        before = history.scores(())
        after = history.scored_anew(found.removed) if found.removed else before
        left = bool(found.removed) and place.left(after)
        explained = found.status is Status.EXPLAINED
        status = Status.NOT_FOUND if explained and not left else found.status
        return HistoryAnswers(
            users=np.array([place.user]),
            items=np.array([place.item]),
            removed=(history.items[np.array(found.removed, dtype=np.int64)],),
            score_before=before[[place.at]],
            score_after=after[[place.at]],
            target_before=np.array([place.target(before)]),
            target_after=np.array([place.target(after)]),
            margin=np.array([place.margin]),
            position_before=np.array([place.position(before)]),
            position_after=np.array([place.position(after)]),
            entered=np.array([place.entered(before, after)]),
            left=np.array([left]),
            past=np.array([len(history)]),
            sets=np.array([found.sets]),
            status=np.array([status]),
            proof=np.array([found.proof if status is Status.EXPLAINED else Proof.NONE]),
        )
