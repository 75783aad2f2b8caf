"""What the recommenders' benchmark keeps of one training: its lists, how good they are, and what it says of them.

A training is kept as plain arrays in a folder of the benchmark, so that a sitting that is cut off loses one training
and not a data set.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from counterec.core.arrays import FloatMatrix, IntMatrix, IntVector
from counterec.core.evaluation.quality import UserQuality
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.minimal.solver import fewest_aspects
from counterec.core.explainers.question import Question
from counterec.core.scorers.protocols import Scorer

FEW = 3
"""A short answer names at most this many aspects."""
QUALITY = ("users", "ndcg", "recall", "hit")
NAMED = ("users", "items", "named", "weight")


@dataclass(frozen=True)
class Shares:
    """How much of a list aspects explain: shares of the recommended items that have an item below their list."""

    absent: float
    """Leave the list when all their aspects are absent."""
    lowest: float
    """Leave it when all are at the lowest value that an item can have."""
    short: float
    """Leave it by a change of at most three aspects, to values that an item can have."""


@dataclass(frozen=True, eq=False)
class MeasuredTraining:
    """One training of one model, with lists over the whole catalogue and, by protocol, how good its lists are."""

    users: IntVector
    items: IntMatrix
    """The list of each user over the whole catalogue [users, K]; -1 where there is no item."""
    quality: dict[str, UserQuality]
    seconds: float
    chosen: dict[str, Any] = field(default_factory=dict)
    shares: Shares | None = None
    named: NamedAspects | None = None
    """The aspects that *minimal* names for the lists over the whole catalogue."""

    @cached_property
    def pairs(self) -> set[tuple[int, int]]:
        """The recommended pairs."""
        listed = zip(self.users.tolist(), self.items.tolist(), strict=True)
        return {(user, item) for user, items in listed for item in items if item >= 0}

    @property
    def different_items(self) -> int:
        """How many different items all lists hold."""
        return len({item for _, item in self.pairs})

    def save(self, path: Path) -> None:
        """Write it beside, then into place."""
        arrays = {"users": self.users, "items": self.items}
        for protocol, quality in self.quality.items():
            arrays |= {f"{protocol}.{name}": getattr(quality, name) for name in QUALITY}
        if self.named is not None:
            arrays |= {f"named.{name}": getattr(self.named, name) for name in NAMED}
        shares = None if self.shares is None else asdict(self.shares)
        plain = {"seconds": self.seconds, "chosen": self.chosen, "shares": shares, "protocols": list(self.quality)}
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".beside.npz")
        np.savez_compressed(beside, plain=np.array(json.dumps(plain)), **arrays)  # type: ignore[arg-type]
        beside.replace(path)

    @classmethod
    def load(cls, path: Path) -> MeasuredTraining:
        """What ``save`` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            plain = json.loads(str(arrays["plain"]))
            quality = {
                protocol: UserQuality(**{name: arrays[f"{protocol}.{name}"] for name in QUALITY})
                for protocol in plain["protocols"]
            }
            kept = "named.users" in arrays
            named = NamedAspects(**{name: arrays[f"named.{name}"] for name in NAMED}) if kept else None
            shares = None if plain["shares"] is None else Shares(**plain["shares"])
            return cls(arrays["users"], arrays["items"], quality, plain["seconds"], plain["chosen"], shares, named)


def shares_of(scorer: Scorer, question: Question) -> Shares:
    """The shares of the pairs of *why*."""
    asked = question.rows(np.flatnonzero(question.has_target))
    nothing = np.broadcast_to(asked.space.scale.absent, asked.lowest.shape)
    few = fewest_aspects(scorer, asked, MinimalSettings(), FEW)
    return Shares(
        absent=_leaving(scorer, asked, nothing),
        lowest=_leaving(scorer, asked, asked.after(asked.lowest)),
        short=float((few > 0).mean()),
    )


def _leaving(scorer: Scorer, question: Question, quality: FloatMatrix) -> float:
    return float(question.crossed(scorer.score(question.pairs.with_quality(quality))).mean())
