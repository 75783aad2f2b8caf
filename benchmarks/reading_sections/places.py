"""What experiments measured, place by place: one data set, one kind of model and one protocol."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from counterec.report.method_comparisons import FEWEST_USERS

BASELINES = ("efm", "mter", "a2cf")
"""The paper's baselines, which explain lists of their own."""
SAME_LISTS = ("gradient", "shapley", "lime", "alignment", "alignment_efm", "alignment_a2cf", "frequency", "random")
"""The methods that explain our model's lists, as CountER does."""
DENOMINATORS = {"": "explained pairs", "_all": "all pairs"}
"""The end of a measure's name, and the pairs that it is of."""
NUMBERS = "evaluation.json.gz"
"""Every number of a report, where it was collected."""
FEWEST_CASES = FEWEST_USERS
"""A bootstrap over fewer cases decides nothing; the claims have the same rule for users."""
PUBLISHED_NET = "net_as_published"
"""The paper's net by the paper's training: beside ours where trainings are compared."""

Number = Mapping[str, Any]
"""A measure or a difference as a report writes it: ``value``, ``cases`` and ``interval``."""

Causes = Mapping[str, Mapping[str, Any]]
"""What ``benchmarks.causes`` found, by the path of a place."""


@dataclass(frozen=True)
class Place:
    """The report of one data set, model and protocol, as ``evaluation.json`` has it."""

    data: str
    model: str
    protocol: str
    found: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.data}, {self.model}, {self.protocol}"

    @property
    def path(self) -> str:
        """Where it was collected; also how the causes name it."""
        return f"{self.data}/{self.model}/{self.protocol}"

    def cell(self, method: str, shape: str = "multi", masked: bool = False) -> Mapping[str, Any]:
        """All measures of a method; nothing where it was not measured."""
        asked = (method, shape, masked)
        return next((one for one in self.found["cells"] if (one["method"], one["shape"], one["masked"]) == asked), {})

    def differences(self, ours: str, masked: bool, measure: str, fresh: bool = False) -> list[Number]:
        """One of CountER's methods less each other method that it has pairs in common with."""
        there = self.found["fresh_seeds"]["differences"] if fresh else self.found["differences"]
        mine = (one for one in there if one["ours"].split(",")[0] == ours)
        asked = (masked, measure)
        return [one for one in mine if (one["masked"], one["measure"]) == asked and one["value"] is not None]

    def ndcg(self, method: str) -> Number | None:
        """How good the lists of a method are; None where it has none."""
        notes = self.found["methods"].get(method, {})
        quality = notes.get("ranking", notes)
        return None if notes.get("unavailable") or not quality else quality["ndcg"]

    def best(
        self, methods: Sequence[str], measure: str, masked: bool = False, shapes: Sequence[str] = ("multi",)
    ) -> tuple[str, str, float] | None:
        """The best of some methods by a measure: its name, shape and value."""
        known = [
            (method, shape, float(found["value"]))
            for method, shape in product(methods, shapes)
            if (found := self.cell(method, shape, masked).get(measure)) and found["value"] is not None
        ]
        return max(known, key=lambda entry: entry[2], default=None)


def places(results: Path) -> Iterator[Place]:
    """Everything that was collected of experiments."""
    for numbers in sorted(results.glob(f"*/*/*/{NUMBERS}")):
        data, model, protocol = numbers.parts[-4:-1]
        yield Place(data, model, protocol, json.loads(gzip.decompress(numbers.read_bytes())))


def above_zero(difference: Number) -> bool:
    """Whether the whole interval of a difference is above 0, and there are enough cases to trust it."""
    return _trusted(difference) and difference["interval"][0] > 0


def below_zero(difference: Number) -> bool:
    """Whether the whole interval of a difference is below 0, and there are enough cases to trust it."""
    return _trusted(difference) and difference["interval"][1] < 0


def _trusted(difference: Number) -> bool:
    return bool(difference["interval"]) and difference["cases"] >= FEWEST_CASES
