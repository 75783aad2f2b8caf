"""Rows of answers in words: their records, from which any sentence can be made."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import TypeAdapter, ValidationError

from counterec.core.explainers.answer_row import AnswerRow
from counterec.service.api import answers, requests
from counterec.service.api.responses import json_response
from counterec.service.api.routes.explain import allowed
from counterec.service.api.waiting import awaited
from counterec.service.problems import Problem
from counterec.service.service import Service
from counterec.wording.record import AnswerRecord

router = APIRouter(tags=["questions"])

ROW: TypeAdapter[AnswerRow] = TypeAdapter(AnswerRow)
RECORD: TypeAdapter[AnswerRecord] = TypeAdapter(AnswerRecord)


@router.post("/records", response_model=answers.Records)
async def records(request: Request, asked: requests.RecordsRequest) -> Response:
    """The records of rows, every claim checked; a row that claims what is not so is refused."""
    service: Service = request.app.state.service
    constraints = allowed(service, asked.constraints)
    rows = [_row(service, place, row) for place, row in enumerate(asked.rows)]

    def made() -> list[Any]:
        with service.people.hidden_in_errors(*{row.user_id for row in rows}):
            return [_plain(service, service.run.record(row, constraints)) for row in rows]

    return json_response({"records": await awaited(request, service.compute.do(made))})


def _plain(service: Service, record: AnswerRecord) -> dict[str, Any]:
    """A record in texts, numbers and lists, as the client reads it."""
    plain: dict[str, Any] = RECORD.dump_python(record, mode="json", exclude={"changes": {"__all__": {"attribute"}}})
    plain["row"]["user_id"] = service.people.shown(record.row.user_id)
    for change, said in zip(record.changes, plain["changes"], strict=True):
        said["attribute"] = None if change.attribute is None else change.attribute.plain()
    return plain


def _row(service: Service, place: int, given: dict[str, Any]) -> AnswerRow:
    """A row as the library has it; its ids and aspects are those of the run."""
    known = {name: given[name] for name in AnswerRow.__dataclass_fields__ if name in given}
    try:
        row = ROW.validate_python({**known, "user_id": service.people.user(str(known.get("user_id")))})
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(str(part)[:100] for part in ("rows", place, *first["loc"]))
        raise Problem(422, "not-valid", f"{where}: {first['msg']}", more={"row": place}) from None
    items = (row.item_id, *([row.versus] if row.versus else []), *(row.carried_by or ()))
    for item in items:
        service.people.item(item)
    for aspect in (*row.aspects, *(row.alternatives or ())):
        service.people.aspect(aspect)
    return row
