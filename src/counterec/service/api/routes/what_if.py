"""What if items had other values?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from counterec.pipeline.shown_lists import reranked_item
from counterec.service.api import answers, requests
from counterec.service.api.responses import json_response
from counterec.service.api.routes.explain import allowed
from counterec.service.api.waiting import awaited
from counterec.service.service import Service
from counterec.wording import reranking_records, sentence

router = APIRouter(tags=["questions"])

BELOW = 3
"""How many items below the list are shown, if nobody says how many."""


@router.post("/what-if", response_model=answers.WhatIfAnswer)
async def what_if(request: Request, asked: requests.WhatIfRequest) -> Response:
    """The new ranking of a user's candidates if items had other values."""
    service: Service = request.app.state.service
    people = service.people
    user_id, constraints = people.user(asked.user_id), allowed(service, asked.constraints)
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

    return json_response(await awaited(request, service.compute.do(reranked)))
