"""Slow, plain NumPy that re-establishes every claim. It imports nothing from the explainers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, pairwise, product

import numpy as np

Arrays = Mapping[str, np.ndarray]


def net_score(arrays: Arrays, attention: np.ndarray, quality: np.ndarray) -> float:
    """The logit of one pair, layer by layer, in double precision."""
    hidden = np.concatenate([attention, quality]).astype(np.float64)
    for layer in ("hidden1", "hidden2"):
        hidden = np.maximum(arrays[f"{layer}.weight"].astype(np.float64) @ hidden + arrays[f"{layer}.bias"], 0)
    return float((arrays["output.weight"].astype(np.float64) @ hidden + arrays["output.bias"])[0])


def net_scores(arrays: Arrays, attention: np.ndarray, qualities: np.ndarray) -> np.ndarray:
    return np.array([net_score(arrays, attention, quality) for quality in qualities])


def order(scores: np.ndarray, numbers: np.ndarray) -> list[int]:
    """Items in the order of ranking: higher score first, then smaller number."""
    return [int(number) for _, number in sorted(zip(-scores, numbers, strict=True))]


def flips(score_after: float, target: float, margin: float = 1e-4) -> bool:
    return score_after < target - margin * max(1.0, abs(target))


def in_list(scores: np.ndarray, numbers: np.ndarray, item: int, k: int) -> bool:
    return item in order(scores, numbers)[:k]


def necessary(arrays: Arrays, attention: np.ndarray, Y: np.ndarray, candidates: np.ndarray, item: int, named, k: int):
    """The item leaves the list when the named aspects are absent for all."""
    changed = Y[candidates].copy()
    changed[:, named] = 0
    return not in_list(shared_scores(arrays, attention, changed), candidates, item, k)


def sufficient(arrays: Arrays, attention: np.ndarray, Y: np.ndarray, candidates: np.ndarray, item: int, named, k: int):
    """The item stays in the list when all other aspects are absent for all."""
    changed = np.zeros_like(Y[candidates])
    changed[:, named] = Y[candidates][:, named]
    return in_list(shared_scores(arrays, attention, changed), candidates, item, k)


def shared_scores(arrays: Arrays, attention: np.ndarray, qualities: np.ndarray) -> np.ndarray:
    """Scores of which equal vectors get equal ones by construction."""
    known: dict[bytes, float] = {}
    for quality in qualities:
        known.setdefault(quality.tobytes(), net_score(arrays, attention, quality))
    return np.array([known[quality.tobytes()] for quality in qualities])


def beyond(score: float, target: float, direction: str = "lower", margin: float = 1e-4) -> float:
    """How far a score lies across its target and the margin; above 0 where it flips."""
    m = margin * max(1.0, abs(target))
    return target - m - score if direction == "lower" else score - target - m


def rounding(arrays: Arrays, attention: np.ndarray, quality: np.ndarray) -> float:
    """What single precision may be off by: half a last place of everything that is added up on the way to a score."""
    size = np.abs(np.concatenate([attention, quality]).astype(np.float64))
    for layer in ("hidden1", "hidden2", "output"):
        size = np.abs(arrays[f"{layer}.weight"].astype(np.float64)) @ size + np.abs(arrays[f"{layer}.bias"])
    return float(size[0]) * 2.0**-24


class Way:
    """One aspect of one pair on its way from no change, at share 0, to all of its reach, at share 1.

    The first layer's input is a straight line, ``start + share · slope``. Between two places where one of its units
    switches, the second layer's input is a straight line; and between two places where one of *its* units switches,
    so is the score.
    """

    def __init__(self, arrays: Arrays, attention: np.ndarray, quality: np.ndarray, aspect: int, reach: float) -> None:
        self.arrays = {name: array.astype(np.float64) for name, array in arrays.items()}
        inputs = np.concatenate([attention, quality]).astype(np.float64)
        self.start = self.arrays["hidden1.weight"] @ inputs + self.arrays["hidden1.bias"]
        self.slope = self.arrays["hidden1.weight"][:, len(attention) + aspect] * float(reach)

    def second(self, share: float) -> np.ndarray:
        """The second layer's input."""
        first = np.maximum(self.start + share * self.slope, 0)
        return self.arrays["hidden2.weight"] @ first + self.arrays["hidden2.bias"]

    def score(self, share: float) -> float:
        second = np.maximum(self.second(share), 0)
        return float((self.arrays["output.weight"] @ second + self.arrays["output.bias"])[0])

    def first_layer_kinks(self) -> list[float]:
        kinks = {0.0, 1.0}
        for start, slope in zip(self.start, self.slope, strict=True):
            if slope != 0 and 0 < -start / slope < 1:
                kinks.add(float(-start / slope))
        return sorted(kinks)

    def kinks(self) -> list[float]:
        """All shares at which the score may bend, and both ends."""
        kinks = self.first_layer_kinks()
        inner = []
        for low, high in pairwise(kinks):
            for a, e in zip(self.second(low), self.second(high), strict=True):
                if a * e < 0:
                    inner.append(float(low + (high - low) * a / (a - e)))
        return sorted({*kinks, *inner})

    def first_crossing(self, beyond: Callable[[float], float]) -> float:
        """The least share at which ``beyond(score)``, a straight line, is above 0; infinite where it never is."""
        kinks = self.kinks()
        values = [beyond(self.score(share)) for share in kinks]
        if values[0] > 0:
            return 0.0
        for (low, before), (high, after) in pairwise(zip(kinks, values, strict=True)):
            if after > 0:
                return low + (high - low) * -before / (after - before)
        return float("inf")


def ways(lowest: np.ndarray, highest: np.ndarray) -> list[tuple[int, float]]:
    """Every (aspect, reach) that a single change may go; an aspect that may fall and rise has two."""
    below = [(aspect, float(reach)) for aspect, reach in enumerate(lowest) if reach < 0]
    return below + [(aspect, float(reach)) for aspect, reach in enumerate(highest) if reach > 0]


def changes_at_bounds(lowest: np.ndarray, highest: np.ndarray, aspects: Iterable[int]) -> Iterator[np.ndarray]:
    """Every change that has exactly these aspects at a bound: one, unless an aspect may fall and rise."""
    chosen = list(aspects)
    for ends in product(*([end for end in (lowest[a], highest[a]) if end != 0] for a in chosen)):
        change = np.zeros(len(lowest))
        change[chosen] = ends
        yield change


def sets_of(aspects: Iterable[int], size: int) -> Iterator[tuple[int, ...]]:
    return combinations([int(aspect) for aspect in aspects], size)
