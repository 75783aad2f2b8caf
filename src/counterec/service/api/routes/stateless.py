"""Questions about rows that come with the request."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from counterec.service.api import answers, requests
from counterec.service.api.responses import json_response
from counterec.service.api.stateless import stateless_answers
from counterec.service.api.waiting import awaited
from counterec.service.problems import Problem, shown
from counterec.service.service import Service

router = APIRouter(tags=["questions"])


@router.post("/stateless/explain", response_model=answers.StatelessAnswers)
async def stateless_explain(request: Request, asked: requests.StatelessRequest) -> Response:
    """Why is an item in the list that a model makes of these rows? Nothing of the run folder is looked at.

    The model is one that the operator allows by name. The rows are as the model knows them.
    """
    service: Service = request.app.state.service
    if asked.model not in service.models:
        known = ", ".join(service.models) or "none"
        raise Problem(404, "unknown-model", f"there is no model {shown(asked.model)} here; there are: {known}")
    limit = service.settings.limits.candidates
    if len(asked.items) > limit:
        raise Problem(422, "too-many", f"{len(asked.items):,} items; at most {limit:,} in one request")
    for place, row in enumerate(({"user_id": None} | asked.user, *asked.items)):
        name = "item_id" if place else "user_id"
        if not isinstance(row.get(name), str) or not row[name]:
            where = f"row {place - 1} of items" if place else "the user"
            raise Problem(422, "not-valid", f"{where} has no {name}; it must be a text")
    model, recompute = service.models[asked.model]
    schema = service.own_schema(asked.model)
    work = service.read_later(lambda: stateless_answers(asked, model, recompute, schema))
    return json_response(await awaited(request, work))
