"""The numbers that the paper prints, and what follows from them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from counterec.errors import UnknownIdError

Side = Literal["user_side", "model_side"]

OURS = {"single": "single", "multi": "relaxed"}
"""Which of our methods is the paper's CountER, in each shape."""
BASELINES = ("random", "efm", "mter", "a2cf")
"""The methods the paper compares CountER with."""
MODEL_SIDE_BASELINES = tuple(method for method in BASELINES if method != "mter")
"""The baselines with PN and PS. MTER has none: its overall rating is not computed from the aspects."""


@dataclass(frozen=True)
class DatasetCounts:
    """One row of Table 1: ``density`` is the printed percentage, ``offered_as`` the name its files are found under."""

    key: str
    name: str
    users: int
    items: int
    reviews: int
    aspects: int
    density: float
    offered_as: str = ""

    @property
    def computed_density(self) -> float:
        """The percentage of all pairs of a user and an item that have a review."""
        return 100 * self.reviews / (self.users * self.items)


@dataclass(frozen=True)
class Erratum:
    """A place where the paper disagrees with itself."""

    name: str
    where: str
    printed: float
    computed: float
    text: str


@dataclass(frozen=True)
class Published:
    """Tables 1 to 4 and the numbers in the text; shares are percentages."""

    tables: dict[str, Any]
    text: dict[str, float]
    datasets: dict[str, DatasetCounts]
    errata: tuple[Erratum, ...]
    reference: str

    def dataset(self, name: str | None) -> DatasetCounts:
        """One of the five datasets by its name, in any spelling; without a name, the one kept for reference."""
        if name is None:
            return self.datasets[self.reference]
        found = self._found(name)
        if found is None:
            known = ", ".join(counts.name for counts in self.datasets.values())
            raise UnknownIdError(f"{name!r} is none of the paper's datasets; choose one of {known}, or leave it out")
        return found

    def has(self, name: str) -> bool:
        """Whether this is the name of one of the five datasets."""
        return self._found(name) is not None

    def _found(self, name: str) -> DatasetCounts | None:
        names = {_plain(other): one for one in self.datasets.values() for other in (one.name, one.offered_as) if other}
        return names.get(_plain(name))

    def fidelity(self, dataset: str, method: str, shape: str, masked: bool) -> float | None:
        """A number of Table 2; None where the paper has none."""
        name = _printed_name(method, shape, masked)
        return self.tables["fidelity"][shape].get(name, {}).get(dataset)

    def side(
        self, side: Side, dataset: str, method: str, shape: str, masked: bool
    ) -> tuple[float, float, float] | None:
        """Three numbers of Table 3 (precision, recall, F1) or Table 4 (PN, PS, F_NS); None where the paper has none."""
        found = self.tables[side][shape].get(_printed_name(method, shape, masked))
        return None if found is None else tuple(found[dataset])

    def mean_gain(self, masked: bool) -> float:
        """By how many percent CountER's F_NS exceeds the best baseline's in Table 4, on average over its cells."""
        gains = [self._gain(dataset, shape, masked) for shape in OURS for dataset in self.datasets]
        return sum(gains) / len(gains)

    def _gain(self, dataset: str, shape: str, masked: bool) -> float:
        rows = self.tables["model_side"][shape]
        best = max(rows[method][dataset][2] for method in MODEL_SIDE_BASELINES)
        return 100 * (rows["counter_masked" if masked else "counter"][dataset][2] / best - 1)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _printed_name(method: str, shape: str, masked: bool) -> str | None:
    """The paper's row for one of our methods. Its baselines have one row for both masks; its Random has no mask."""
    if method == OURS[shape]:
        return "counter_masked" if masked else "counter"
    if method == "random":
        return None if masked else method
    return method if method in BASELINES else None


@cache
def published() -> Published:
    """The paper's numbers, read once."""
    text = files("counterec.report").joinpath("data", "paper.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    datasets = {key: DatasetCounts(key, **counts) for key, counts in content["datasets"].items()}
    errata = tuple(Erratum(**erratum) for erratum in content["errata"])
    return Published(content, content["text"], datasets, errata, content["reference"])
