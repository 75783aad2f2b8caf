"""One compute thread: pairs that wait are explained together, large requests in turns with small ones.

Pairs of the same question, goal and constraints share most of the cost of a search, so whatever waits is taken in one
batch. A request with many pairs gives way after each batch. A request whose client has left is dropped. Pairs with a
deadline are solved by themselves.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.service.problems import Problem

if TYPE_CHECKING:
    from counterec.core.explainers.answer_row import AnswerRow
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.goal_names import Goal
    from counterec.core.explainers.history.answer_row import By
    from counterec.core.explainers.question import Kind
    from counterec.pipeline.asked_pairs import AskedPair
    from counterec.run import Run
    from counterec.service.metrics import Metrics

T = TypeVar("T")

TOGETHER = 16
"""Pairs of one batch: more would save little per pair, and make all others wait longer."""
GATHER_S = 0.003
"""How long to wait for as many tickets as the last batch had: clients that were answered together ask again together,
and one pair costs as much as three in a batch."""


@dataclass(eq=False)
class Ticket:
    """One request: pairs of one question, and where its answers go."""

    pairs: Sequence[AskedPair]
    question: Kind
    goal: Goal
    constraints: Constraints | None
    key: tuple[str, ...]
    """Equal for pairs that can be solved together: what is named, question, goal and constraints as texts."""
    to_answer: Callable[[AnswerRow | HistoryRow], Any]
    """Makes a row an answer, in the compute thread."""
    budget: Budget | None = None
    by: By = "aspects"
    """Whether answers name aspects, past reviews, or either."""
    past_budget: Budget | None = None
    """Deadline for past reviews: every set of them scores all candidates, so there is always one."""
    done: Future[list[Any]] = field(default_factory=Future)
    found: list[Any] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many pairs have no answer yet."""
        return len(self.pairs) - len(self.found)


class Compute:
    """The thread that solves tickets, and does other small work that needs the scorer."""

    def __init__(self, run: Run, metrics: Metrics) -> None:
        self._run, self._metrics = run, metrics
        self._tickets: deque[Ticket] = deque()
        self._others: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._wake = threading.Condition()
        self._closed = False
        self._last = 1
        """Tickets of the last batch."""
        self._thread = threading.Thread(target=self._work, name="compute", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; what waits fails with a problem."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(timeout=5)

    def ask(self, ticket: Ticket) -> Future[list[Any]]:
        """Explain the pairs of a ticket."""
        with self._wake:
            self._require_open()
            self._tickets.append(ticket)
            self._wake.notify()
        return ticket.done

    def do(self, work: Callable[[], T]) -> Future[T]:
        """Do something in the compute thread, before the next batch."""
        done: Future[T] = Future()
        with self._wake:
            self._require_open()
            self._others.append((work, done))
            self._wake.notify()
        return done

    def _require_open(self) -> None:
        if self._closed:
            raise Problem(503, "ending", "the server is about to end; ask again later", {"retry-after": "5"})

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._closed or self._tickets or self._others)
                self._wake.wait_for(self._are_gathered, GATHER_S)
                if self._closed:
                    self._give_up()
                    return
                other = self._others.popleft() if self._others else None
                batch = [] if other else self._take_batch()
                self._metrics.set_waiting(sum(ticket.left for ticket in self._tickets))
            if other is not None:
                _finish(other[1], other[0])
            elif batch:
                self._solve(batch)

    def _are_gathered(self) -> bool:
        """Return whether there is no reason to wait for more."""
        return self._closed or bool(self._others) or len(self._tickets) >= self._last

    def _give_up(self) -> None:
        problem = Problem(503, "ending", "the server is about to end; ask again later", {"retry-after": "5"})
        for waiting in (*(ticket.done for ticket in self._tickets), *(done for _, done in self._others)):
            _fail(waiting, problem)

    def _take_batch(self) -> list[tuple[Ticket, int]]:
        """Return the next tickets and how many pairs of each; unfinished ones go to the end of the queue."""
        self._tickets = deque(ticket for ticket in self._tickets if not ticket.done.done())
        if not self._tickets:
            return []
        first = self._tickets[0]
        alike = [first]
        if first.budget is None and first.by == "aspects":
            alike = [ticket for ticket in self._tickets if ticket.key == first.key and ticket.budget is None]
        taken, room = [], TOGETHER
        for ticket in alike:
            if room:
                count = min(room, ticket.left)
                taken.append((ticket, count))
                room -= count
                self._tickets.remove(ticket)
                if count < ticket.left:
                    self._tickets.append(ticket)
        self._last = len(taken)
        return taken

    def _solve(self, batch: list[tuple[Ticket, int]]) -> None:
        try:
            self._answer(batch)
        except Exception as error:
            if len(batch) == 1:
                _fail(batch[0][0].done, error)
                return
            for one in batch:  # what fails for one must not fail for the others
                self._solve([one])

    def _answer(self, batch: list[tuple[Ticket, int]]) -> None:
        first = batch[0][0]
        pairs = [pair for ticket, count in batch for pair in ticket.pairs[len(ticket.found) :][:count]]
        rows = self._explain(first, pairs)
        answers, start = [], 0
        for ticket, count in batch:
            answers.append([ticket.to_answer(row) for row in rows[start : start + count]])
            start += count
        for row in rows:
            if isinstance(row, HistoryRow):
                self._metrics.count_answer("why", row.by, row.status, ())
            else:
                self._metrics.count_answer(row.question, row.goal, row.status, row.aspects)
        for (ticket, _), some in zip(batch, answers, strict=True):
            ticket.found += some
            if not ticket.left:
                _succeed(ticket.done, ticket.found)

    def _explain(self, first: Ticket, pairs: list[AskedPair]) -> Sequence[AnswerRow | HistoryRow]:
        how: dict[str, Any] = {"goal": first.goal, "constraints": first.constraints, "budget": first.budget}
        if first.by == "aspects":
            return self._run.explain_pairs(pairs, question=first.question, **how)
        return self._run.explain_pairs_by(first.by, pairs, past_budget=first.past_budget, **how)


def _finish(done: Future[T], work: Callable[[], T]) -> None:
    if done.cancelled():
        return
    try:
        found = work()
    except Exception as error:
        _fail(done, error)
        return
    _succeed(done, found)


def _succeed(done: Future[T], found: T) -> None:
    if done.set_running_or_notify_cancel():
        done.set_result(found)


def _fail(done: Future[Any], error: Exception) -> None:
    if not done.done() and done.set_running_or_notify_cancel():
        done.set_exception(error)
