"""What would bring an item into the lists of many users?"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from counterec.service.api import answers, requests
from counterec.service.api.responses import json_response
from counterec.service.api.routes.explain import allowed
from counterec.service.api.waiting import awaited
from counterec.service.service import Service
from counterec.wording import audience_record, sentence

router = APIRouter(tags=["questions"])


@router.post("/why-not-for-all", response_model=answers.AudienceReply)
async def why_not_for_all(request: Request, asked: requests.AudienceRequest) -> Response:
    """The fewest improvements of an item with which it enters the lists of at least so many of these users."""
    service: Service = request.app.state.service
    people, constraints = service.people, allowed(service, asked.constraints)
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

    return json_response(await awaited(request, service.compute.do(sought)))
