"""What the service did, as Prometheus reads it: requests, their latency, answers by status and goal, named aspects.

Every label has few values: routes as they are declared, statuses, goals, and a fixed number of aspects.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import Metric

from counterec.core.space import AspectSpace

MOST_ASPECTS = 30
"""Aspects that are counted by name: those that most items have. All others are one."""
OTHER_ASPECTS = "(other)"
SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)

Snapshot = list[dict[str, Any]]
"""The metrics of one process, as JSON has them."""


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "counterec_requests", "Requests by route and status.", ["method", "route", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "counterec_request_seconds", "Latency by route.", ["route"], buckets=SECONDS, registry=self.registry
        )
        self._answers = Counter(
            "counterec_answers",
            "Answers by question, goal and status; explained, or why not.",
            ["question", "goal", "status"],
            registry=self.registry,
        )
        self._aspects = Counter(
            "counterec_named_aspects", "How often explanations name an aspect.", ["aspect"], registry=self.registry
        )
        self._waiting = Gauge("counterec_waiting_pairs", "Pairs that wait to be explained.", registry=self.registry)
        self._named: frozenset[str] = frozenset()

    def know_aspects(self, space: AspectSpace) -> None:
        """Choose the aspects that are counted by name."""
        items = (space.item_quality != space.scale.absent).sum(axis=0)
        order = sorted(range(len(space.aspects)), key=lambda aspect: (-int(items[aspect]), aspect))
        self._named = frozenset(space.aspects.texts[aspect] for aspect in order[:MOST_ASPECTS])

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        known = method if method in ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH") else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def answer(self, question: str, goal: str, status: str, aspects: Iterable[str]) -> None:
        """Count an answer."""
        self._answers.labels(question, goal, status).inc()
        if status == "explained":
            for aspect in aspects:
                self._aspects.labels(aspect if aspect in self._named else OTHER_ASPECTS).inc()

    def waiting(self, pairs: int) -> None:
        """Say how many pairs wait."""
        self._waiting.set(pairs)

    def snapshot(self) -> Snapshot:
        """The metrics as they are now."""
        return [
            {
                "name": family.name,
                "help": family.documentation,
                "type": family.type,
                "samples": [
                    [sample.name, sample.labels, sample.value]
                    for sample in family.samples
                    if not sample.name.endswith("_created")
                ],
            }
            for family in self.registry.collect()
        ]


def exposition(snapshots: Sequence[Snapshot]) -> bytes:
    """The metrics of all processes, summed, in the text form of Prometheus."""
    registry = CollectorRegistry()
    registry.register(_Summed(snapshots))
    return generate_latest(registry)


class _Summed:
    """The sum of snapshots; every metric here adds up over processes."""

    def __init__(self, snapshots: Sequence[Snapshot]) -> None:
        self._snapshots = snapshots

    def collect(self) -> Iterable[Metric]:
        families: dict[str, Metric] = {}
        totals: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}
        for snapshot in self._snapshots:
            for family in snapshot:
                name = family["name"]
                families.setdefault(name, Metric(name, family["help"], family["type"]))
                sums = totals.setdefault(name, {})
                for sample, labels, value in family["samples"]:
                    key = (sample, tuple(labels.items()))
                    sums[key] = sums.get(key, 0.0) + value
        for name, metric in families.items():
            for (sample, labels), value in totals[name].items():
                metric.add_sample(sample, dict(labels), value)
        return list(families.values())
