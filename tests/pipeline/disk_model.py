"""The model of a run folder in plain arithmetic: a net, or the mean of a few plus a collaborative part."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from tests import naive
from tests.background_claims import Plain

HISTORY = ("item_to_item.indptr", "item_to_item.indices", "item_to_item.values", "history.indptr", "history.items")


class DiskModel:
    """Named arrays, read as the documentation says; of a net, or of a hybrid: ``net.0.hidden1.weight`` and so on."""

    def __init__(self, arrays: Mapping[str, np.ndarray], X: np.ndarray) -> None:
        self.arrays, self.X = arrays, X
        nets: dict[str, dict[str, np.ndarray]] = {}
        for name, array in arrays.items():
            if name.startswith("net."):
                _, number, own = name.split(".", 2)
                nets.setdefault(number, {})[own] = array
        self.hybrid = bool(nets)
        self.nets = [naive.doubled(nets[number]) for number in sorted(nets)] if nets else [naive.doubled(arrays)]
        self.net_score, self.offset, self.noise = cache(self._net_score), cache(self._offset), cache(self._noise)

    def _net_score(self, net: int, user: int, quality: bytes) -> float:
        return naive.net_score(self.nets[net], self.X[user], np.frombuffer(quality))

    def past(self, user: int, item: int) -> dict[int, float]:
        """w_u · B[j, item] by past item j of the user."""
        starts, columns, values, history, items = (self.arrays[name] for name in HISTORY)
        found = {}
        for past in items[history[user] : history[user + 1]].tolist():
            entries = slice(starts[past], starts[past + 1])
            own = values[entries][columns[entries] == item].astype(np.float64).sum()
            found[int(past)] = float(self.arrays["user_weight"][user]) * float(own)
        return found

    def _offset(self, user: int, item: int) -> float:
        return sum(self.past(user, item).values()) if self.hybrid else 0.0

    def member(self, net: int) -> naive.Score:
        """One net with the whole offset."""

        def score(user: int, item: int, quality: np.ndarray) -> float:
            return self.net_score(net, user, quality.astype(np.float64).tobytes()) + self.offset(user, item)

        return score

    def score(self, user: int, item: int, quality: np.ndarray) -> float:
        """The mean of the nets, with the offset."""
        return sum(self.member(net)(user, item, quality) for net in range(len(self.nets))) / len(self.nets)

    def _noise(self, user: int) -> float:
        """What single precision may be off by, in the nets and in adding the offset."""
        largest = sum(np.abs(list(self.past(user, item).values())).sum() for item in range(3)) if self.hybrid else 0
        return sum(naive.net_noise(net, self.X)(user) for net in self.nets) + 1e-6 * float(largest)

    def plain(self, Y: np.ndarray) -> Plain:
        beside = {
            "offset": self.offset,
            "past": self.past,
            "members": [self.member(net) for net in range(len(self.nets))],
        }
        return Plain(self.score, Y, self.noise, np.zeros(Y.shape[1], np.float32), **(beside if self.hybrid else {}))
