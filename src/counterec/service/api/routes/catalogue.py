"""The run, its users, its items and their lists."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from counterec.pipeline.shown_lists import user_list
from counterec.service.api import answers
from counterec.service.api.fields import LONGEST_ID, Offset, PageSize, Search
from counterec.service.api.responses import json_response
from counterec.service.service import Service

router = APIRouter(tags=["catalogue"])

PathId = Annotated[str, Path(min_length=1, max_length=LONGEST_ID)]
QueryId = Annotated[str, Query(min_length=1, max_length=LONGEST_ID)]


@router.get("/run", response_model=answers.RunInfo)
async def run_info(request: Request) -> Response:
    """What is served: the run, its aspects, and the methods whose answers are stored."""
    service: Service = request.app.state.service
    run = service.run
    return json_response(
        {
            "name": run.path.resolve().name,
            "model": run.config.model.kind,
            "k": run.recommendations.k,
            "users": len(run.space.users),
            "items": len(run.space.items),
            "aspects": run.space.aspects.texts,
            "methods": run.methods,
            "pseudonyms": not service.people.privacy.shows_text,
            "models": service.settings.models,
        }
    )


@router.get("/users", response_model=answers.UserPage)
async def users(request: Request, search: Search = None, offset: Offset = 0, limit: PageSize = 50) -> Response:
    """Users whose id holds a text, in the order of their ids."""
    service: Service = request.app.state.service
    found = await service.read(lambda: _found(service.searched_users, search))
    return json_response({"total": len(found), "offset": offset, "users": found[offset : offset + limit]})


@router.get("/users/{user_id:path}", response_model=answers.UserInfo)
async def user(request: Request, user_id: PathId) -> Response:
    """What a user cares about: the aspects that they attend to."""
    service: Service = request.app.state.service
    space, known = service.run.space, service.people.user(user_id)
    attention = space.user_attention[space.users.number(known)]
    named = {space.aspects.texts[aspect]: float(attention[aspect]) for aspect in np.flatnonzero(attention).tolist()}
    return json_response({"user_id": user_id, "attention": named})


@router.get("/items", response_model=answers.ItemPage)
async def items(request: Request, search: Search = None, offset: Offset = 0, limit: PageSize = 50) -> Response:
    """Items whose id or name holds a text, in the order of their ids."""
    service: Service = request.app.state.service
    found, names = await service.read(lambda: _found(service.searched_items, search)), service.run.item_names
    page = [{"item_id": item, "name": names.get(item)} for item in found[offset : offset + limit]]
    return json_response({"total": len(found), "offset": offset, "items": page})


@router.get("/items/{item_id:path}", response_model=answers.ItemInfo)
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
    return json_response({"item_id": known, "name": run.item_names.get(known), "values": values})


@router.get("/recommendations", response_model=answers.UserList)
async def recommendations(request: Request, user_id: QueryId) -> Response:
    """A user's list, best first, and the first item below it."""
    service: Service = request.app.state.service
    listed = user_list(service.run, service.people.user(user_id))
    return json_response(
        {"user_id": user_id, "k": service.run.recommendations.k, "items": [asdict(place) for place in listed]}
    )


def _found(searched: list[tuple[str, str]], search: str | None) -> list[str]:
    if not search:
        return [name for name, _ in searched]
    wanted = search.casefold()
    return [name for name, text in searched if wanted in text]
