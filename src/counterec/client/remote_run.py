"""A run behind a server, with the names of ``Run``: a script moves from a folder to a server by changing one line."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from counterec.client.connection import Connection
from counterec.client.records import record_from
from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.history.answer_row import HISTORY, HistoryRow
from counterec.errors import ServiceError, UsageError
from counterec.pipeline.asked_pairs import require_by
from counterec.pipeline.evidence import Evidence
from counterec.pipeline.explanation_tables import explanations_table
from counterec.pipeline.history_tables import history_table, mixed_table
from counterec.pipeline.shown_lists import ListedItem, RerankedItem
from counterec.pipeline.without_history import COLUMN as WITHOUT_HISTORY
from counterec.wording.record import HistoryRecord
from counterec.wording.record_builders import history_record

if TYPE_CHECKING:
    import httpx

    from counterec.core.attributes import Value
    from counterec.core.explainers.budget import Budget
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.goal_names import Goal
    from counterec.core.explainers.history.answer_row import By
    from counterec.core.explainers.question import Kind
    from counterec.wording.record import AnswerRecord

PAGE = 1000
"""Rows that are read in one request."""
POLL_S = 0.5
"""How often the progress of a job is asked for."""
TIMEOUT_S = 120.0


def connect(
    url: str, token: str | None = None, *, timeout: float = TIMEOUT_S, transport: httpx.BaseTransport | None = None
) -> RemoteRun:
    """The run that a server serves; ``token`` where the server has one."""
    return RemoteRun(Connection(url, token, timeout, transport))


@dataclass(frozen=True)
class RemoteJob:
    """A batch job as it was when it was asked about."""

    job_id: str
    state: str
    question: str
    goal: str
    pairs: int
    answered: int
    created: str
    detail: str | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more will be answered."""
        return self.state in ("done", "cancelled", "failed")


@dataclass(frozen=True)
class RemoteAudience:
    """What an improvement of one item does for many users, by ids."""

    item_id: str
    status: str
    proof: str | None
    changes: list[dict[str, Any]]
    asked: int
    wanted: int
    entered: list[str]
    had_it: int
    kept_it: int
    sentence: str


class RemoteRun:
    """Questions to a server, answered with the types of a run; numbers of items and users stay with the server."""

    def __init__(self, connection: Connection) -> None:
        self._server = connection

    def __repr__(self) -> str:
        return f"RemoteRun({self._server.url!r})"

    def __enter__(self) -> RemoteRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    @cached_property
    def info(self) -> dict[str, Any]:
        """What is served: name, model, k, counts, aspects, methods."""
        found: dict[str, Any] = self._server.get("/run")
        return found

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that the run was explained with."""
        return tuple(self.info["methods"])

    @cached_property
    def item_names(self) -> dict[str, str]:
        """The names of items, where known."""
        items = self._pages("/items", "items")
        return {item["item_id"]: item["name"] for item in items if item["name"] is not None}

    def item_name(self, item_id: str) -> str:
        """What a person reads for an item: its name, or its id where it has none."""
        return self.item_names.get(item_id, item_id)

    def users(self, search: str | None = None) -> list[str]:
        """The users whose id holds a text; all without one."""
        return list(self._pages("/users", "users", search=search))

    def items(self, search: str | None = None) -> list[str]:
        """The items whose id or name holds a text; all without one."""
        return [item["item_id"] for item in self._pages("/items", "items", search=search)]

    def listed(self, user_id: str) -> list[ListedItem]:
        """A user's list by ids, best first, and the first item below it."""
        found = self._server.get("/recommendations", user_id=user_id)
        return [ListedItem(**place) for place in found["items"]]

    def explain(
        self,
        user_id: str | None = None,
        item_id: str | None = None,
        *,
        question: Kind = "why",
        versus: str | None = None,
        goal: Goal = "minimal",
        by: By = "aspects",
        constraints: Constraints | None = None,
        budget: Budget | None = None,
    ) -> pl.DataFrame:
        """Answer a question now, as ``Run.explain`` does. Everybody's lists are answered by a batch job, by aspects.

        Of a budget, a server knows the deadline alone.
        """
        require_by(by, question, versus)
        asked = _asked(question, goal, constraints)
        if by != "aspects":
            if user_id is None:
                raise UsageError(f"by {by}, a server is asked about one user: in whose list?")
            asked["by"] = by
        if user_id is None:
            if item_id is not None or versus is not None or question != "why":
                raise UsageError(f"{question} needs a user: in whose list?")
            return self.result(self.wait(self.submit(goal=goal, constraints=constraints).job_id).job_id)
        if item_id is None and question == "why" and versus is None:
            asked["user_id"] = user_id
        else:
            asked["pairs"] = [{"user_id": user_id, "item_id": _named(item_id, question), "versus": versus}]
        answers = self._server.post("/explain", {**asked, **_deadline(budget)})["answers"]
        return self._table(answers) if by == "aspects" else self._table_by(by, answers)

    def explain_many(
        self,
        pairs: Iterable[tuple[str, ...]],
        *,
        question: Kind = "why",
        goal: Goal = "minimal",
        constraints: Constraints | None = None,
        budget: Budget | None = None,
    ) -> pl.DataFrame:
        """Answer one question about up to 1,000 pairs (user id, item id, and the other item of a comparison)."""
        asked = {**_asked(question, goal, constraints), **_deadline(budget)}
        return self._table(self._server.post("/explain", {**asked, "pairs": _pairs(pairs)})["answers"])

    def record(self, row: AnswerRow | Mapping[str, Any], constraints: Constraints | None = None) -> AnswerRecord:
        """The record of a row of an explanations table, checked, as ``Run.record`` gives it."""
        found = row if isinstance(row, AnswerRow) else AnswerRow.of(row)
        asked = {"rows": [asdict(found)], "constraints": _plain(constraints)}
        return record_from(self._server.post("/records", asked)["records"][0])

    def history_record(self, row: HistoryRow | Mapping[str, Any]) -> HistoryRecord:
        """The record of a row by history, checked, as ``Run.history_record`` gives it."""
        found = row if isinstance(row, HistoryRow) else HistoryRow.of(row)
        return history_record(found, k=self.info["k"], names=self.item_names)

    def reranked(
        self, user_id: str, changes: Mapping[str, Mapping[str, Value]], *, constraints: Constraints | None = None
    ) -> list[RerankedItem]:
        """All candidates of a user in their new order if items had other values: item id → aspect → value."""
        asked = {
            "user_id": user_id,
            "changes": {item: dict(values) for item, values in changes.items()},
            "constraints": _plain(constraints),
            "limit": 100_000,
        }
        return [RerankedItem(**place) for place in self._server.post("/what-if", asked)["items"]]

    def why_not_for_all(
        self, item_id: str, user_ids: Iterable[str], wanted: int, *, constraints: Constraints | None = None
    ) -> RemoteAudience:
        """The fewest improvements of an item with which it enters the lists of at least ``wanted`` of these users."""
        asked = {"item_id": item_id, "user_ids": list(user_ids), "wanted": wanted, "constraints": _plain(constraints)}
        return RemoteAudience(**self._server.post("/why-not-for-all", asked))

    def evidence(self, aspect: str, *, user_id: str | None = None, item_id: str | None = None) -> Evidence:
        """What stands behind a user's attention to an aspect, or behind an item's quality."""
        found: dict[str, Any] = {}
        mentions: list[dict[str, Any]] = []
        while not found or len(mentions) < found["total"]:
            found = self._server.get(
                "/evidence", aspect=aspect, user_id=user_id, item_id=item_id, offset=len(mentions), limit=PAGE
            )
            if not found["mentions"]:
                break
            mentions += found["mentions"]
        return Evidence(found["user_id"], found["item_id"], found["aspect"], found["value"], mentions)

    def overview(self, method: str | None = None, **filters: str | int | None) -> dict[str, Any]:
        """What drives the model overall, over the stored answers that the filters leave."""
        found: dict[str, Any] = self._server.get("/overview", method=method, **filters)
        return found

    def explanations_table(self, method: str) -> pl.DataFrame:
        """The explanations of a method as they lie on disk."""
        return self._table(list(self._pages("/explanations", "rows", method=method)))

    def submit(
        self,
        pairs: Iterable[tuple[str, ...]] | None = None,
        *,
        question: Kind = "why",
        goal: Goal = "minimal",
        constraints: Constraints | None = None,
    ) -> RemoteJob:
        """Have many pairs explained by a batch job, or every list of the run."""
        asked = _asked(question, goal, constraints)
        if pairs is not None:
            asked["pairs"] = _pairs(pairs)
        return RemoteJob(**self._server.post("/jobs", asked))

    def job(self, job_id: str) -> RemoteJob:
        """How far a job is."""
        return RemoteJob(**self._server.get(f"/jobs/{job_id}"))

    def cancel(self, job_id: str) -> RemoteJob:
        """Cancel a job; delete one that has ended."""
        return RemoteJob(**self._server.delete(f"/jobs/{job_id}"))

    def wait(self, job_id: str, timeout: float | None = None) -> RemoteJob:
        """A job once it has ended."""
        until = None if timeout is None else time.monotonic() + timeout
        while not (found := self.job(job_id)).ended:
            if until is not None and time.monotonic() >= until:
                raise ServiceError(f"the job {job_id} has {found.answered} of {found.pairs} answers after {timeout} s")
            time.sleep(POLL_S)
        if found.state == "failed":
            raise ServiceError(f"the job {job_id} failed: {found.detail}")
        return found

    def result(self, job_id: str) -> pl.DataFrame:
        """The rows of a job that has ended, as they would lie on disk."""
        return pl.read_parquet(io.BytesIO(self._server.bytes(f"/jobs/{job_id}/result", format="parquet")))

    def _table(self, rows: list[dict[str, Any]]) -> pl.DataFrame:
        return self._marked(explanations_table([AnswerRow.of(row) for row in rows]), rows)

    def _table_by(self, by: By, answers: list[dict[str, Any]]) -> pl.DataFrame:
        """Answers by past reviews, or of both kinds."""
        rows = [HistoryRow.of(row) if row.get("by") == HISTORY else AnswerRow.of(row) for row in answers]
        if by == "both":
            return self._marked(mixed_table(rows), answers)
        return self._marked(history_table([row for row in rows if isinstance(row, HistoryRow)]), answers)

    def _marked(self, table: pl.DataFrame, rows: list[dict[str, Any]]) -> pl.DataFrame:
        if not self.info["updated"]:
            return table
        unknown = [row[WITHOUT_HISTORY] for row in rows]
        return table.with_columns(pl.Series(WITHOUT_HISTORY, unknown, dtype=pl.String))

    def _pages(self, path: str, name: str, **params: Any) -> Iterator[Any]:
        offset, total = 0, 1
        while offset < total:
            found = self._server.get(path, offset=offset, limit=PAGE, **params)
            yield from found[name]
            offset, total = offset + PAGE, found["total"]


def _asked(question: Kind, goal: Goal, constraints: Constraints | None) -> dict[str, Any]:
    return {"question": question, "goal": goal, "constraints": _plain(constraints)}


def _plain(constraints: Constraints | None) -> dict[str, Any] | None:
    return None if constraints is None else asdict(constraints)


def _pairs(pairs: Iterable[tuple[str, ...]]) -> list[dict[str, str]]:
    return [dict(zip(("user_id", "item_id", "versus"), pair, strict=False)) for pair in pairs]


def _named(item_id: str | None, question: str) -> str:
    if item_id is None:
        raise UsageError(f"{question} needs an item: which one?")
    return item_id


def _deadline(budget: Budget | None) -> dict[str, int]:
    """The deadline of a budget as milliseconds from now."""
    if budget is None:
        return {}
    if budget.limits_calls or budget.deadline is None:
        raise UsageError("a server knows no budget of calls or rows; give a deadline, Budget(deadline=…)")
    return {"deadline_ms": max(1, round(1000 * (budget.deadline - time.monotonic())))}
