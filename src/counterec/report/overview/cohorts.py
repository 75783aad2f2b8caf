"""Cohorts of users: by how active they are, and by what they care about more than others do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector, require
from counterec.core.space import AspectSpace
from counterec.pipeline.folder import RunFolder

COHORTS = ("activity", "taste")
"""The ways in which users are divided; each is a column of the cases."""
GROUPS = 3
"""How many groups of about equally many users activity is cut into."""


@dataclass(frozen=True)
class Cohorts:
    """Per user of the run, in the order of their numbers: the group of each kind; None where it is not known."""

    user_ids: Sequence[str]
    activity: Sequence[str | None]
    """How many reviews the training part has of them: “1–4”, “5–9”, “10–31”; of an import, how many items they saw."""
    activity_groups: Sequence[str]
    """The groups of activity, the least active first."""
    taste: Sequence[str | None]
    """The aspect that they care about most, compared with everybody."""

    def __post_init__(self) -> None:
        for name in COHORTS:
            found = len(getattr(self, name))
            require(found == len(self.user_ids), f"{name} has {found} entries for {len(self.user_ids)} users")

    @classmethod
    def of(cls, folder: RunFolder) -> Cohorts:
        """The cohorts of a run's users."""
        space = folder.space
        counts = np.bincount(folder.interactions["train"].users, minlength=len(space.users))
        activity, groups = activity_of(counts)
        return cls(space.users.texts, activity, groups, taste_of(space))

    def table(self) -> pl.DataFrame:
        """One row per user: user_id, activity, taste."""
        groups = pl.Enum(list(self.activity_groups))
        columns = {"user_id": self.user_ids, "activity": self.activity, "taste": self.taste}
        return pl.DataFrame(columns, schema={"user_id": pl.String, "activity": groups, "taste": pl.String})


def activity_of(counts: IntVector) -> tuple[list[str | None], list[str]]:
    """The group of each user by a count, and all groups; no group where nobody has done anything.

    The groups begin at the quantiles 0, 1/3 and 2/3 of the counts, so users with equal counts are in the same one.
    """
    if not counts.any():
        return [None] * len(counts), []
    ordered = np.sort(counts)
    starts = np.unique([ordered[len(ordered) * group // GROUPS] for group in range(GROUPS)])
    place = np.searchsorted(starts, counts, side="right") - 1
    labels = [_range(counts[place == group]) for group in range(len(starts))]
    return [labels[group] for group in place.tolist()], labels


def _range(counts: IntVector) -> str:
    least, most = int(counts.min()), int(counts.max())
    return f"{least}" if least == most else f"{least}–{most}"


def taste_of(space: AspectSpace) -> list[str | None]:
    """Per user, the aspect k with the largest X[i, k] − mean of X[·, k], among those that they mention at all.

    The mean is taken off, since otherwise everybody's taste is what everybody speaks of. Of equal ones it is the first.
    None for users who mention nothing, and where all users are alike.
    """
    X = space.user_attention.astype(np.float64)
    above = np.where(X > 0, X - X.mean(axis=0, keepdims=True), -np.inf)
    if not len(X) or np.ptp(X, axis=0).max() == 0:
        return [None] * len(X)
    best = above.argmax(axis=1)
    known = np.isfinite(above[np.arange(len(X)), best])
    return [space.aspects.texts[aspect] if sure else None for aspect, sure in zip(best.tolist(), known, strict=True)]
