"""What is stored: the answers of the run's methods, what drives the model overall, and what stands behind a number."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

import polars as pl
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from counterec.errors import UnknownIdError
from counterec.pipeline import layout
from counterec.pipeline.evidence import evidence_of
from counterec.report.overview import (
    CaseFilter,
    Cohorts,
    decisive_aspects,
    items_by_aspect,
    outcomes,
    statuses,
)
from counterec.service.api import answers
from counterec.service.api.fields import LONGEST_ID, AspectName, Offset, PageSize
from counterec.service.api.responses import json_response
from counterec.service.problems import Problem, shown
from counterec.service.service import Service

router = APIRouter(tags=["stored"])

Method = Annotated[str | None, Query(max_length=64, description="Whose answers; by default the run's first method.")]
Group = Literal["position", "activity", "taste"]
OptionalId = Annotated[str | None, Query(min_length=1, max_length=LONGEST_ID)]
Text = Annotated[str | None, Query(min_length=1, max_length=200)]
MOST_ITEMS = 100
"""Rows of items that win and lose that an overview shows."""


@router.get("/explanations", response_model=answers.StoredRows)
async def explanations(
    request: Request, method: Method = None, user_id: OptionalId = None, offset: Offset = 0, limit: PageSize = 100
) -> Response:
    """The stored answers of a method, all or one user's, as they lie on disk."""
    service: Service = request.app.state.service
    chosen, known = _method(service, method), None if user_id is None else service.people.user(user_id)

    def rows() -> dict[str, Any]:
        table = service.run.explanations_table(chosen)
        table = table if known is None else table.filter(pl.col("user_id") == known)
        return {"total": len(table), "offset": offset, "rows": _shown(service, table[offset : offset + limit])}

    return json_response(await service.read(rows))


def case_filter(
    aspect: Text = None,
    position: Annotated[int | None, Query(ge=1, le=100_000)] = None,
    activity: Text = None,
    taste: Text = None,
    status: answers.Status | None = None,
    item_id: OptionalId = None,
) -> CaseFilter:
    """Which recommendations are meant."""
    return CaseFilter(aspect=aspect, position=position, activity=activity, taste=taste, status=status, item_id=item_id)


Chosen = Annotated[CaseFilter, Depends(case_filter)]


@router.get("/overview", response_model=answers.Overview)
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

    return json_response(await service.read(counted))


@router.get("/overview/cases", response_model=answers.StoredRows)
async def cases(
    request: Request, chosen: Chosen, method: Method = None, offset: Offset = 0, limit: PageSize = 100
) -> Response:
    """The recommendations behind a number of the overview."""
    service: Service = request.app.state.service
    name = _method(service, method)

    def rows() -> dict[str, Any]:
        found = chosen.applied(service.cases(name))
        return {"total": len(found), "offset": offset, "rows": _shown(service, found[offset : offset + limit])}

    return json_response(await service.read(rows))


@router.get("/evidence", response_model=answers.EvidenceAnswer)
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
            raise Problem(404, "no-evidence", f"nobody mentions {shown(aspect)} there") from None
        page = [_mention(service, row) for row in behind.mentions[offset : offset + limit]]
        return {
            "user_id": user_id,
            "item_id": item_id,
            "aspect": behind.aspect,
            "value": behind.value,
            "total": len(behind.mentions),
            "mentions": page,
        }

    return json_response(await service.read(found))


def _method(service: Service, method: str | None) -> str:
    methods = service.run.methods
    if method is None:
        if not methods:
            raise Problem(404, "no-answers", "no answers are stored in this run")
        return methods[0]
    if method not in methods:
        raise Problem(404, "unknown-method", f"there is no method {shown(method)}; there are {', '.join(methods)}")
    return method


def _shown(service: Service, table: pl.DataFrame) -> list[dict[str, Any]]:
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
