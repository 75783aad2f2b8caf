"""Questions: explain, records, what-if, audiences."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import Response

from counterec.core.explainers.budget import Budget
from counterec.errors import CounterecError
from counterec.pipeline.asked_pairs import AskedPair, asked_pair
from counterec.pipeline.shown_lists import user_list
from counterec.service.api import answers, requests
from counterec.service.api.errors import problem_of
from counterec.service.api.responses import json_response
from counterec.service.api.told import teller
from counterec.service.api.waiting import awaited
from counterec.service.compute import Ticket
from counterec.service.problems import Problem
from counterec.service.service import Service

if TYPE_CHECKING:
    from counterec.core.explainers.constraints import Constraints
    from counterec.core.explainers.question import Kind

router = APIRouter(tags=["questions"])


@router.post("/explain", response_model=answers.Answers)
async def explain(request: Request, asked: requests.ExplainRequest) -> Response:
    """Why is an item in a list (why), what would bring it there (why_not), why is it ahead of another (why_rather)?

    One pair or many, each answered as the library answers it. Answers are in the order of the pairs.
    """
    started = time.monotonic()
    service: Service = request.app.state.service
    budget = _budget(service, asked.deadline_ms, started)
    longest = _budget(service, service.settings.limits.deadline_ms, started)
    constraints = allowed(service, asked.constraints)
    pairs = _pairs(service, asked)
    ticket = Ticket(
        pairs=pairs,
        question=asked.question,
        goal=asked.goal,
        constraints=constraints,
        key=(
            asked.by,
            asked.question,
            asked.goal,
            "" if asked.constraints is None else asked.constraints.model_dump_json(),
        ),
        told=teller(service, constraints),
        budget=budget,
        by=asked.by,
        past_budget=budget or longest,
    )
    found = await awaited(request, service.compute.ask(ticket))
    return json_response({"k": service.run.recommendations.k, "answers": found})


def _budget(service: Service, deadline_ms: int | None, started: float) -> Budget | None:
    if deadline_ms is None:
        return None
    longest = service.settings.limits.deadline_ms
    if deadline_ms > longest:
        raise Problem(422, "too-long", f"deadline_ms is {deadline_ms}; at most {longest} here")
    return Budget(deadline=started + deadline_ms / 1000)


def _pairs(service: Service, asked: requests.ExplainRequest) -> list[AskedPair]:
    """The pairs by numbers; of a whole list, its items."""
    limit = service.settings.limits.pairs
    if asked.pairs is not None and len(asked.pairs) > limit:
        detail = f"{len(asked.pairs):,} pairs; at most {limit:,} in one request, so submit a job"
        raise Problem(422, "too-many", detail)
    if asked.user_id is None:
        return checked_pairs(service, asked.question, asked.pairs or [])
    run, user_id = service.run, service.people.user(asked.user_id)
    listed = user_list(run, user_id)[: run.recommendations.k]
    return [asked_pair(run, "why", user_id, place.item_id) for place in listed]


def checked_pairs(service: Service, question: Kind, pairs: list[requests.AskedPair]) -> list[AskedPair]:
    """Pairs of a request by numbers; the first that cannot be asked about is an error that says which."""
    people, found = service.people, []
    for place, pair in enumerate(pairs):
        try:
            user_id, item_id = people.user(pair.user_id), people.item(pair.item_id)
            versus = None if pair.versus is None else people.item(pair.versus)
            with people.hidden_in_errors(user_id):
                found.append(asked_pair(service.run, question, user_id, item_id, versus))
        except (Problem, CounterecError) as error:
            problem = problem_of(error)
            said = f"pair {place}: {problem.detail}"
            raise Problem(problem.status, problem.kind, said, problem.headers, {"pair": place}) from None
    return found


def allowed(service: Service, asked: requests.AskedConstraints | None) -> Constraints | None:
    """The constraints of a request, checked against the run's aspects; None for those of the run."""
    if asked is None:
        return None
    for name in asked.names():
        service.people.aspect(name)
    constraints = asked.constraints()
    constraints.check(service.run.space)
    return constraints
