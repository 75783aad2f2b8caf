"""What several methods name for the same pairs, each set of aspects once: a verdict on it belongs to all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from counterec.core.arrays import IntVector
from counterec.core.evaluation.necessity_verdicts import Verdicts
from counterec.core.explainers.answer import NamedAspects


def judged_once(parts: Sequence[NamedAspects], judge: Callable[[NamedAspects], Verdicts]) -> list[Verdicts]:
    """The verdicts on every part; ``judge`` is asked once, about the sets of aspects that are different."""
    different, places = distinct_named(parts)
    found = judge(different)
    return [found.rows(rows) for rows in places]


def distinct_named(parts: Sequence[NamedAspects]) -> tuple[NamedAspects, list[IntVector]]:
    """The different sets of aspects of all pairs and, for every part, which of these each row names."""
    users, items, named = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("users", "items", "named")
    )
    keys = np.hstack([users[:, None].view(np.uint8), items[:, None].view(np.uint8), np.packbits(named, axis=1)])
    _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    chosen = named[first]
    different = NamedAspects(users[first], items[first], chosen, chosen.astype(np.float32))
    return different, np.split(which.reshape(-1), np.cumsum([len(part) for part in parts])[:-1])
