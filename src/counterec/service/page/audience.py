"""Audiences of an item, and what would bring it into their lists; it knows nothing of the page's elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from counterec.core.lists import ABSENT_ITEM
from counterec.randomness import generator
from counterec.report.overview import COHORTS, Cohorts
from counterec.wording import AudienceRecord, audience_record

if TYPE_CHECKING:
    from counterec.run import Run

EVERYBODY = "all"
"""The name of the audience of all users, in the address."""
MOST_USERS = 1_000
"""A larger audience is asked in part: that many of its users, drawn at random."""
MOST_GROUPS = 12
"""How many groups of a kind are offered."""
WANTED_SHARE = 0.1
"""Without a wish, so many of the users are to be won."""


@dataclass(frozen=True)
class Audience:
    """Some users, under a name."""

    name: str
    """As the address has it: ``all``, ``activity:5–9``, ``taste:battery``."""
    said: str
    user_ids: Sequence[str]

    @property
    def usual_wish(self) -> int:
        """How many lists an item is to enter, if nobody says how many."""
        return max(1, round(WANTED_SHARE * min(len(self.user_ids), MOST_USERS)))


def audiences_of(cohorts: Cohorts) -> dict[str, Audience]:
    """Everybody, and the groups that are known, the largest first, by their names."""
    found = [Audience(EVERYBODY, "everybody", cohorts.user_ids)]
    said = {"activity": "users with {} reviews", "taste": "users who care most about {}"}
    for kind in COHORTS:
        groups: dict[str, list[str]] = {}
        for user_id, group in zip(cohorts.user_ids, getattr(cohorts, kind), strict=True):
            if group is not None:
                groups.setdefault(group, []).append(user_id)
        largest = sorted(groups, key=lambda group: (-len(groups[group]), group))[:MOST_GROUPS]
        ordered = [group for group in cohorts.activity_groups if group in largest] if kind == "activity" else largest
        found += [Audience(f"{kind}:{group}", said[kind].format(group), groups[group]) for group in ordered]
    return {audience.name: audience for audience in found}


@dataclass(frozen=True)
class Improvement:
    """What would bring an item into the lists of an audience."""

    record: AudienceRecord
    asked: int
    """How many users were asked about."""
    of: int
    """How many the audience has."""
    left_out: int
    """How many of those asked about the item does not compete for."""
    entered: Sequence[str]
    """The users whose list it would enter."""


def improvement_for(run: Run, item_id: str, audience: Audience, wanted: int) -> Improvement:
    """The fewest improvements with which the item enters at least so many lists of the audience."""
    users = _drawn(run, audience)
    answer = run.why_not_for_all(item_id, users, wanted)
    constraints = run.config.explain.constraints
    robustness = run.audience_robustness(answer)
    return Improvement(
        record=audience_record(run.space, answer, run.item_names, constraints, robustness),
        asked=len(users),
        of=len(audience.user_ids),
        left_out=len(users) - len(answer.users),
        entered=[run.space.users.texts[user] for user in answer.users[answer.entered].tolist()],
    )


def _drawn(run: Run, audience: Audience) -> list[str]:
    """The users of an audience; of a large one some, the same every time."""
    users = list(audience.user_ids)
    if len(users) <= MOST_USERS:
        return users
    drawn = generator(run.config.seed, f"audience {audience.name}").choice(len(users), MOST_USERS, replace=False)
    return [users[place] for place in np.sort(drawn).tolist()]


def promising_item(run: Run) -> str | None:
    """An item that is just below many lists; None if there is none."""
    below = run.recommendations.items[:, run.recommendations.k]
    counts = np.bincount(below[below != ABSENT_ITEM], minlength=1)
    return run.space.items.texts[int(counts.argmax())] if counts.any() else None
