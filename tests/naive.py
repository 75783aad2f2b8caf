"""Slow, plain NumPy that re-establishes every claim. It imports nothing from the explainers."""

from __future__ import annotations

from collections.abc import Mapping

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
