"""Metrics for Prometheus: requests, their latency, answers by status and goal, named aspects.

Every label has few values: declared routes, statuses, goals, and a fixed number of aspects.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from counterec.core.space import AspectSpace

MOST_ASPECTS = 30
"""Aspects counted by name: those of most items. All others are one."""
OTHER_ASPECTS = "(other)"
SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
MULTIPLE = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with the folder in which several processes share their metrics."""


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
        self._waiting = Gauge(
            "counterec_waiting_pairs",
            "Pairs that wait to be explained.",
            multiprocess_mode="livesum",
            registry=self.registry,
        )
        self._named: frozenset[str] = frozenset()

    def know_aspects(self, space: AspectSpace) -> None:
        """Choose the aspects to count by name."""
        items = (space.item_quality != space.scale.absent).sum(axis=0)
        order = sorted(range(len(space.aspects)), key=lambda aspect: (-int(items[aspect]), aspect))
        self._named = frozenset(space.aspects.texts[aspect] for aspect in order[:MOST_ASPECTS])

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        known = method if method in ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH") else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_answer(self, question: str, goal: str, status: str, aspects: Iterable[str]) -> None:
        """Count an answer."""
        self._answers.labels(question, goal, status).inc()
        if status == "explained":
            for aspect in aspects:
                self._aspects.labels(aspect if aspect in self._named else OTHER_ASPECTS).inc()

    def set_waiting(self, pairs: int) -> None:
        """Record how many pairs wait."""
        self._waiting.set(pairs)

    def expose(self) -> bytes:
        """Return the metrics in the text format of Prometheus; of several processes, those of all."""
        if MULTIPLE not in os.environ:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
