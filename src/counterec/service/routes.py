"""The routes of the API."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import numpy as np
import polars as pl
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic_core import to_json
from starlette.requests import ClientDisconnect

from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.budget import Budget
from counterec.core.explainers.history.answer_row import HistoryRow
from counterec.errors import CounterecError, UnknownIdError
from counterec.pipeline import layout
from counterec.pipeline.asked_pairs import AskedPair, asked_pair, reranked_item, user_list
from counterec.pipeline.evidence import evidence_of
from counterec.report.overview import CaseFilter, Cohorts, decisive_aspects, items_by_aspect, outcomes, statuses
from counterec.service import schemas
from counterec.service.compute import TOGETHER, Ticket
from counterec.service.problems import REQUEST_ID, Problem, problem_of, show
from counterec.service.schemas import AspectName, Offset, OptionalId, PageSize, PathId, QueryId, Search, Text
from counterec.service.service import Service
from counterec.wording import (
    AnswerRecord,
    HistoryRecord,
    audience_record,
    background,
    reason,
    reranking_records,
    sentence,
)

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints

T = TypeVar("T")

MOST_PAIRS = 1000
"""Most pairs that one document answers."""
MOST_STREAMED = 100_000
"""Most pairs that one stream answers."""
LONGEST_MS = 60_000
"""Longest deadline that a request may state."""
JSON_LINES = "application/x-ndjson"
BELOW = 3
"""Items below the list that *what if* shows by default."""
MOST_ITEMS = 100
"""Rows of winning and losing items in an overview."""

router = APIRouter()


def _json(value: Any) -> Response:
    """Encode once, by pydantic's own writer; the tests hold answers to their models. Write NaN as null."""
    body = to_json(value, inf_nan_mode="null", timedelta_mode="float")
    return Response(body, headers={"cache-control": "no-store"}, media_type="application/json")


async def _wait(request: Request, future: Future[T]) -> T:
    """Return the result of a future; cancel it if the client leaves first."""
    waiting = asyncio.wrap_future(future)
    gone = asyncio.ensure_future(_wait_until_gone(request))
    either: set[asyncio.Future[Any]] = {waiting, gone}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise ClientDisconnect
        return waiting.result()
    finally:
        gone.cancel()
        if not waiting.done():
            waiting.cancel()  # and with it the future


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


# The run, its users, its items and their lists


@router.get("/run", response_model=schemas.RunInfo, tags=["catalogue"])
async def run_info(request: Request) -> Response:
    """What is served: the run, its aspects, and the methods whose answers are stored."""
    service: Service = request.app.state.service
    run = service.run
    return _json(
        {
            "name": run.path.resolve().name,
            "model": run.config.model.kind,
            "k": run.recommendations.k,
            "users": len(run.space.users),
            "items": len(run.space.items),
            "aspects": run.space.aspects.texts,
            "methods": run.methods,
            "pseudonyms": not service.people.privacy.shows_text,
        }
    )


@router.get("/users", response_model=schemas.UserPage, tags=["catalogue"])
async def users(request: Request, search: Search = None, offset: Offset = 0, limit: PageSize = 50) -> Response:
    """Users whose id holds a text, in the order of their ids."""
    service: Service = request.app.state.service
    found = await service.read(lambda: _search(service.searched_users, search))
    return _json({"total": len(found), "offset": offset, "users": found[offset : offset + limit]})


@router.get("/users/{user_id:path}", response_model=schemas.UserInfo, tags=["catalogue"])
async def user(request: Request, user_id: PathId) -> Response:
    """What a user cares about: the aspects that they attend to."""
    service: Service = request.app.state.service
    space, known = service.run.space, service.people.user(user_id)
    attention = space.user_attention[space.users.number(known)]
    named = {space.aspects.texts[aspect]: float(attention[aspect]) for aspect in np.flatnonzero(attention).tolist()}
    return _json({"user_id": user_id, "attention": named})


@router.get("/items", response_model=schemas.ItemPage, tags=["catalogue"])
async def items(request: Request, search: Search = None, offset: Offset = 0, limit: PageSize = 50) -> Response:
    """Items whose id or name holds a text, in the order of their ids."""
    service: Service = request.app.state.service
    found, names = await service.read(lambda: _search(service.searched_items, search)), service.run.item_names
    page = [{"item_id": item, "name": names.get(item)} for item in found[offset : offset + limit]]
    return _json({"total": len(found), "offset": offset, "items": page})


@router.get("/items/{item_id:path}", response_model=schemas.ItemInfo, tags=["catalogue"])
async def item(request: Request, item_id: PathId) -> Response:
    """An item's values on its aspects, as people have them."""
    service: Service = request.app.state.service
    run, known = service.run, service.people.item(item_id)
    space = run.space
    quality, schema = space.item_quality[space.items.number(known)], space.schema
    present = np.flatnonzero(quality != space.scale.absent).tolist()
    values = {
        space.aspects.texts[at]: float(quality[at]) if schema is None else schema[at].value(float(quality[at]))
        for at in present
    }
    return _json({"item_id": known, "name": run.item_names.get(known), "values": values})


@router.get("/recommendations", response_model=schemas.UserList, tags=["catalogue"])
async def recommendations(request: Request, user_id: QueryId) -> Response:
    """A user's list, best first, and the first item below it."""
    service: Service = request.app.state.service
    listed = user_list(service.run, service.people.user(user_id))
    return _json({"user_id": user_id, "k": service.run.recommendations.k, "items": [asdict(place) for place in listed]})


def _search(searched: list[tuple[str, str]], search: str | None) -> list[str]:
    if not search:
        return [name for name, _ in searched]
    wanted = search.casefold()
    return [name for name, text in searched if wanted in text]


# Questions


@router.post(
    "/explain",
    response_model=schemas.Answers,
    responses={200: {"content": {JSON_LINES: {"schema": {"type": "string"}}}}},
    tags=["questions"],
)
async def explain(request: Request, asked: schemas.ExplainRequest) -> Response:
    """Why is an item in a list (why), what would bring it there (why_not), why is it ahead of another (why_rather)?

    One pair or many, each answered as the library answers it, in the order of the pairs. With `Accept:
    application/x-ndjson`, every answer is one line, sent as soon as its chunk is done; a line with a problem document
    ends a stream that fails.
    """
    started = time.monotonic()
    service: Service = request.app.state.service
    budget = _budget(asked.deadline_ms, started)
    constraints = _constraints(service, asked.constraints)
    key = "" if asked.constraints is None else asked.constraints.model_dump_json()
    to_answer = _answer_writer(service, constraints)

    def ask(pairs: list[AskedPair]) -> Future[list[Any]]:
        ticket = Ticket(
            pairs=pairs,
            question=asked.question,
            goal=asked.goal,
            constraints=constraints,
            key=(asked.by, asked.question, asked.goal, key),
            to_answer=to_answer,
            budget=budget,
            by=asked.by,
            past_budget=budget or Budget(deadline=time.monotonic() + LONGEST_MS / 1000),
        )
        return service.compute.ask(ticket)

    if JSON_LINES in request.headers.get("accept", ""):
        pairs = await service.read(lambda: _asked_pairs(service, asked, MOST_STREAMED))
        lines = _lines(ask, pairs, str(request.scope.get(REQUEST_ID, "")))
        return StreamingResponse(lines, headers={"cache-control": "no-store"}, media_type=JSON_LINES)
    found = await _wait(request, ask(_asked_pairs(service, asked, MOST_PAIRS)))
    return _json({"k": service.run.recommendations.k, "answers": found})


async def _lines(
    ask: Callable[[list[AskedPair]], Future[list[Any]]], pairs: list[AskedPair], request_id: str
) -> AsyncIterator[bytes]:
    """Yield one line per pair. Only one chunk is asked for at a time, so a client that leaves stops the work."""
    try:
        for start in range(0, len(pairs), TOGETHER):
            for answer in await asyncio.wrap_future(ask(pairs[start : start + TOGETHER])):
                yield to_json(answer, inf_nan_mode="null") + b"\n"
    except Exception as error:  # the status has been sent
        yield problem_of(error, request_id).body() + b"\n"


def _budget(deadline_ms: int | None, started: float) -> Budget | None:
    if deadline_ms is None:
        return None
    if deadline_ms > LONGEST_MS:
        raise Problem(422, "too-long", f"deadline_ms is {deadline_ms}; at most {LONGEST_MS} here")
    return Budget(deadline=started + deadline_ms / 1000)


def _constraints(service: Service, asked: schemas.AskedConstraints | None) -> Constraints | None:
    """Return the constraints of a request, checked against the run's aspects; None for those of the run."""
    if asked is None:
        return None
    for name in asked.names():
        service.people.aspect(name)
    constraints = asked.constraints()
    constraints.check(service.run.space)
    return constraints


def _asked_pairs(service: Service, asked: schemas.ExplainRequest, most: int) -> list[AskedPair]:
    """Return the pairs by numbers, of a whole list its items; refuse the first pair that cannot be asked about."""
    run, people = service.run, service.people
    if asked.user_id is not None:
        user_id = people.user(asked.user_id)
        listed = user_list(run, user_id)[: run.recommendations.k]
        return [asked_pair(run, "why", user_id, place.item_id) for place in listed]
    pairs = asked.pairs or []
    if len(pairs) > most:
        hint = f"; a stream (Accept: {JSON_LINES}) answers up to {MOST_STREAMED:,}" if most < MOST_STREAMED else ""
        raise Problem(422, "too-many", f"{len(pairs):,} pairs; at most {most:,} in one request{hint}")
    found = []
    for place, pair in enumerate(pairs):
        try:
            user_id, item_id = people.user(pair.user_id), people.item(pair.item_id)
            versus = None if pair.versus is None else people.item(pair.versus)
            with people.hidden_in_errors(user_id):
                found.append(asked_pair(run, asked.question, user_id, item_id, versus))
        except (Problem, CounterecError) as error:
            problem = problem_of(error)
            said = f"pair {place}: {problem.detail}"
            raise Problem(problem.status, problem.kind, said, problem.headers, {"pair": place}) from None
    return found


ROW_FIELDS = tuple(field.name for field in fields(AnswerRow))


def _answer_writer(
    service: Service, constraints: Constraints | None
) -> Callable[[AnswerRow | HistoryRow], dict[str, Any]]:
    """Return what makes a row an answer: the row, the position after the change, and sentences."""
    run, people = service.run, service.people

    def to_answer(row: AnswerRow | HistoryRow) -> dict[str, Any]:
        known = {"user_id": people.shown(row.user_id), "name": run.item_names.get(row.item_id)}
        if isinstance(row, HistoryRow):
            return {**asdict(row), **known, **_words(run.history_record(row))}
        record = run.record(row, constraints)
        return {
            **{name: getattr(row, name) for name in ROW_FIELDS},
            **known,
            "position_after": record.position_after,
            "background": background(record),
            **_words(record),
        }

    return to_answer


def _words(record: AnswerRecord | HistoryRecord) -> dict[str, Any]:
    return {
        "reason": reason(record),
        "sentence": sentence(record),
    }


@router.post("/what-if", response_model=schemas.WhatIfAnswer, tags=["questions"])
async def what_if(request: Request, asked: schemas.WhatIfRequest) -> Response:
    """The new ranking of a user's candidates if items had other values."""
    service: Service = request.app.state.service
    people = service.people
    user_id, constraints = people.user(asked.user_id), _constraints(service, asked.constraints)
    for item_id, values in asked.changes.items():
        people.item(item_id)
        for name in values:
            people.aspect(name)

    def reranked() -> dict[str, Any]:
        run = service.run
        places = asked.limit or run.recommendations.k + BELOW
        with people.hidden_in_errors(user_id):
            found = run.what_if(user_id, asked.changes, constraints=constraints, places=places)
        shown = set(range(min(places, len(found.items))))
        shown |= {found.place(item) - 1 for item in (*found.changed.tolist(), *found.left.tolist())}
        rows = [asdict(reranked_item(run, found, at)) for at in sorted(shown) if at < len(found.items)]
        said = [sentence(record) for record in reranking_records(run.space, found, run.item_names)]
        return {
            "user_id": asked.user_id,
            "k": found.k,
            "candidates": run.candidates.count(found.user),
            "items": rows,
            "sentences": said,
        }

    return _json(await _wait(request, service.compute.do(reranked)))


@router.post("/why-not-for-all", response_model=schemas.AudienceReply, tags=["questions"])
async def why_not_for_all(request: Request, asked: schemas.AudienceRequest) -> Response:
    """The fewest improvements of an item with which it enters the lists of at least so many of these users."""
    service: Service = request.app.state.service
    people, constraints = service.people, _constraints(service, asked.constraints)
    user_ids, item_id = [people.user(user) for user in asked.user_ids], people.item(asked.item_id)

    def sought() -> dict[str, Any]:
        run = service.run
        with people.hidden_in_errors(*user_ids):
            found = run.why_not_for_all(item_id, user_ids, asked.wanted, constraints=constraints)
        record = audience_record(run.space, found, run.item_names, constraints or run.config.explain.constraints)
        changes = [{"aspect": each.aspect, "before": each.before, "after": each.after} for each in record.changes]
        entered = [people.shown(run.space.users.texts[user]) for user in found.users[found.entered].tolist()]
        return {
            "item_id": item_id,
            "status": record.status,
            "proof": record.proof,
            "changes": changes,
            "asked": record.asked,
            "wanted": record.wanted,
            "entered": entered,
            "had_it": record.had_it,
            "kept_it": record.kept_it,
            "sentence": sentence(record),
        }

    return _json(await _wait(request, service.compute.do(sought)))


# Stored answers, and what is behind a number

Method = Annotated[str | None, Query(max_length=64, description="Whose answers; by default the run's first method.")]
Group = Literal["position", "activity", "taste"]


@router.get("/explanations", response_model=schemas.StoredRows, tags=["stored"])
async def explanations(
    request: Request, method: Method = None, user_id: OptionalId = None, offset: Offset = 0, limit: PageSize = 100
) -> Response:
    """The stored answers of a method, all or one user's, as they lie on disk."""
    service: Service = request.app.state.service
    chosen, known = _method(service, method), None if user_id is None else service.people.user(user_id)

    def rows() -> dict[str, Any]:
        table = service.run.explanations_table(chosen)
        table = table if known is None else table.filter(pl.col("user_id") == known)
        return {"total": len(table), "offset": offset, "rows": _show_rows(service, table[offset : offset + limit])}

    return _json(await service.read(rows))


def case_filter(
    aspect: Text = None,
    position: Annotated[int | None, Query(ge=1, le=100_000)] = None,
    activity: Text = None,
    taste: Text = None,
    status: schemas.Status | None = None,
    item_id: OptionalId = None,
) -> CaseFilter:
    """Which recommendations are meant."""
    return CaseFilter(aspect=aspect, position=position, activity=activity, taste=taste, status=status, item_id=item_id)


Chosen = Annotated[CaseFilter, Depends(case_filter)]


@router.get("/overview", response_model=schemas.Overview, tags=["stored"])
async def overview(request: Request, chosen: Chosen, method: Method = None, by: Group | None = None) -> Response:
    """What drives the model overall: which aspects decide, for which positions and cohorts; who wins and loses by them.

    Counted over the stored answers of one method, those that the filters leave.
    """
    service: Service = request.app.state.service
    name = _method(service, method)

    def counted() -> dict[str, Any]:
        cases = chosen.applied(service.cases(name))
        cohorts = Cohorts.of(service.run)
        return {
            "method": name,
            "outcomes": asdict(outcomes(cases)),
            "statuses": statuses(cases).to_dicts(),
            "aspects": decisive_aspects(cases, by).to_dicts(),
            "wins": items_by_aspect(cases, "wins").head(MOST_ITEMS).to_dicts(),
            "loses": items_by_aspect(cases, "loses").head(MOST_ITEMS).to_dicts(),
            "cohorts": {
                "activity": list(cohorts.activity_groups),
                "taste": sorted({taste for taste in cohorts.taste if taste is not None}),
            },
        }

    return _json(await service.read(counted))


@router.get("/overview/cases", response_model=schemas.StoredRows, tags=["stored"])
async def cases(
    request: Request, chosen: Chosen, method: Method = None, offset: Offset = 0, limit: PageSize = 100
) -> Response:
    """The recommendations behind a number of the overview."""
    service: Service = request.app.state.service
    name = _method(service, method)

    def rows() -> dict[str, Any]:
        found = chosen.applied(service.cases(name))
        return {"total": len(found), "offset": offset, "rows": _show_rows(service, found[offset : offset + limit])}

    return _json(await service.read(rows))


@router.get("/evidence", response_model=schemas.EvidenceAnswer, tags=["stored"])
async def evidence(
    request: Request,
    aspect: Annotated[AspectName, Query()],
    user_id: OptionalId = None,
    item_id: OptionalId = None,
    offset: Offset = 0,
    limit: PageSize = 100,
) -> Response:
    """The sentences behind a user's attention to an aspect, or behind an item's quality: name one of the two."""
    service: Service = request.app.state.service
    run, people = service.run, service.people
    if (user_id is None) == (item_id is None):
        raise Problem(422, "cannot-be-asked", "name either user_id or item_id: whose number is it?")
    if not run.has(layout.MENTIONS):
        raise Problem(404, "no-reviews", "this run was not made from reviews, so nothing stands behind its numbers")
    user = None if user_id is None else people.user(user_id)
    item = None if item_id is None else people.item(item_id)
    if aspect not in run.aspect_of_name:
        people.aspect(aspect)

    def found() -> dict[str, Any]:
        try:
            behind = evidence_of(run, aspect, user, item)
        except UnknownIdError:
            raise Problem(404, "no-evidence", f"nobody mentions {show(aspect)} there") from None
        page = [_mention(service, row) for row in behind.mentions[offset : offset + limit]]
        return {
            "user_id": user_id,
            "item_id": item_id,
            "aspect": behind.aspect,
            "value": behind.value,
            "total": len(behind.mentions),
            "mentions": page,
        }

    return _json(await service.read(found))


def _method(service: Service, method: str | None) -> str:
    methods = service.run.methods
    if method is None:
        if not methods:
            raise Problem(404, "no-answers", "no answers are stored in this run")
        return methods[0]
    if method not in methods:
        raise Problem(404, "unknown-method", f"there is no method {show(method)}; there are {', '.join(methods)}")
    return method


def _show_rows(service: Service, table: pl.DataFrame) -> list[dict[str, Any]]:
    rows = table.to_dicts()
    for row in rows:
        row["user_id"] = service.people.shown(row["user_id"])
    return rows


def _mention(service: Service, row: dict[str, Any]) -> dict[str, Any]:
    """One mention; where text is kept back, neither its words nor its opinion."""
    shows = service.people.privacy.shows_text
    time = row["time"]
    return {
        **row,
        "user_id": service.people.shown(row["user_id"]),
        "time": None if time is None else str(time),
        "words": row["words"] if shows else None,
        "opinion": row["opinion"] if shows else None,
    }
