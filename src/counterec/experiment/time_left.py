"""About how long the rest of an experiment takes, by what the same stages took in other cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SEPARATOR = ": "
"""Between the cell and the stage, in the name of a stage of a cell."""


def time_left(taken: Mapping[str, float], left: Iterable[str]) -> float:
    """The seconds that these stages take, one after another.

    A stage is expected to take the mean of what its namesakes of other cells took, or what it took itself last time;
    where there is none, the mean of all stages.
    """
    by_kind: dict[str, list[float]] = {}
    for name, seconds in taken.items():
        by_kind.setdefault(_kind(name), []).append(seconds)
    everything = [seconds for found in by_kind.values() for seconds in found]
    usual = sum(everything) / len(everything) if everything else 0.0
    expected = {kind: sum(found) / len(found) for kind, found in by_kind.items()}
    return sum(taken.get(name, expected.get(_kind(name), usual)) for name in left)


def _kind(stage: str) -> str:
    return stage.rpartition(SEPARATOR)[2]
