"""The compute thread: what waits is solved together, large requests give way, gone clients free their work."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from counterec.core.explainers.answer_row import AnswerRow
from counterec.pipeline.asked_pairs import AskedPair
from counterec.service.compute import TOGETHER, Compute, Ticket
from counterec.service.metrics import Metrics
from counterec.service.problems import Problem

ROW = AnswerRow(
    user_id="u",
    item_id="i",
    position=1,
    question="why",
    versus=None,
    goal="minimal",
    status="not_found",
    aspects=(),
    before=(),
    after=(),
    score_before=1.0,
    score_after=1.0,
    target=0.5,
    margin=0.0,
    values="reachable",
    balance_before=(),
    balance_after=(),
    proof=None,
)


class Asked:
    """Stands for a run: notes the batches, waits for a signal, and fails for user 13."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.began, self.go = threading.Event(), threading.Event()

    def explain_pairs(self, pairs: list[AskedPair], **_: Any) -> list[AnswerRow]:
        self.began.set()
        self.go.wait(10)
        self.batches.append([pair.user for pair in pairs])
        if any(pair.user == 13 for pair in pairs):
            raise RuntimeError("unlucky")
        return [replace(ROW, user_id=str(pair.user)) for pair in pairs]


@pytest.fixture
def asked():
    return Asked()


@pytest.fixture
def compute(asked: Asked):
    found = Compute(asked, Metrics())  # type: ignore[arg-type]
    yield found
    asked.go.set()
    found.close()


def ticket(*users: int, key: str = "minimal") -> Ticket:
    pairs = [AskedPair(user, 0) for user in users]
    return Ticket(pairs, "why", "minimal", None, (key,), lambda row: row.user_id)


def held(compute: Compute, asked: Asked) -> None:
    """Let the thread be busy with something, so that the next tickets wait together."""
    compute.ask(ticket(99))
    assert asked.began.wait(10)


def test_tickets_that_wait_are_solved_together(compute: Compute, asked: Asked) -> None:
    held(compute, asked)
    futures = [compute.ask(ticket(user)) for user in range(5)]
    other = compute.ask(ticket(7, key="single"))
    asked.go.set()
    assert [future.result(10) for future in futures] == [[str(user)] for user in range(5)]
    assert other.result(10) == ["7"]
    assert [0, 1, 2, 3, 4] in asked.batches
    assert [7] in asked.batches


def test_a_large_request_gives_way(compute: Compute, asked: Asked) -> None:
    held(compute, asked)
    large = compute.ask(ticket(*range(100, 100 + 3 * TOGETHER)))
    small = compute.ask(ticket(1, key="single"))
    asked.go.set()
    assert small.result(10) == ["1"]
    assert large.result(10) == [str(user) for user in range(100, 100 + 3 * TOGETHER)]
    assert asked.batches.index([1]) < len(asked.batches) - 1


def test_a_gone_client_frees_its_work(compute: Compute, asked: Asked) -> None:
    held(compute, asked)
    gone = compute.ask(ticket(*range(200, 300)))
    stays = compute.ask(ticket(5))
    gone.cancel()
    asked.go.set()
    assert stays.result(10) == ["5"]
    assert not any(user >= 200 for batch in asked.batches for user in batch)


def test_what_fails_for_one_is_answered_for_the_others(compute: Compute, asked: Asked) -> None:
    held(compute, asked)
    futures = {user: compute.ask(ticket(user)) for user in (12, 13, 14)}
    asked.go.set()
    assert [futures[user].result(10) for user in (12, 14)] == [["12"], ["14"]]
    with pytest.raises(RuntimeError, match="unlucky"):
        futures[13].result(10)


def test_who_waits_at_the_end_is_told(asked: Asked) -> None:
    compute = Compute(asked, Metrics())  # type: ignore[arg-type]
    held(compute, asked)
    waiting = compute.ask(ticket(1, key="single"))
    ending = threading.Thread(target=compute.close)
    ending.start()
    while not compute._closed:
        pass
    asked.go.set()
    ending.join(10)
    with pytest.raises(Problem):
        waiting.result(10)
    with pytest.raises(Problem):
        compute.ask(ticket(2))


def test_metrics_have_few_labels() -> None:
    metrics = Metrics()
    metrics.count_request("GET", "/api/v1/run", 200, 0.01)
    metrics.count_answer("why", "minimal", "explained", ["battery"])
    metrics.count_request("\nBAD", "other", 405, 0.01)
    text = metrics.expose().decode()
    assert 'counterec_requests_total{method="GET",route="/api/v1/run",status="200"} 1.0' in text
    assert 'counterec_named_aspects_total{aspect="(other)"} 1.0' in text
    assert 'method="other"' in text
    assert "# TYPE counterec_request_seconds histogram" in text
