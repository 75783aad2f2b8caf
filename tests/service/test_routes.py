"""What the routes answer, against the run itself."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any

import httpx
import numpy as np
import pytest

from counterec import Run
from counterec.report.overview import cases_of, decisive_aspects, outcomes
from counterec.service.routes import _lines

USER = "U0004"


def test_the_run_says_what_is_served(api: httpx.Client, run: Run) -> None:
    found = api.get("/run").json()
    assert found["aspects"] == list(run.space.aspects.texts)
    assert (found["k"], found["users"], found["items"]) == (5, len(run.space.users), len(run.space.items))
    assert found["methods"] == list(run.methods)


def test_users_and_items_are_searched_and_paged(api: httpx.Client, run: Run) -> None:
    users = run.space.users.texts
    first = api.get("/users", params={"limit": 7}).json()
    assert (first["total"], first["users"]) == (len(users), list(users[:7]))
    assert api.get("/users", params={"offset": 7, "limit": 3}).json()["users"] == list(users[7:10])
    assert api.get("/users", params={"search": "u0004"}).json()["users"] == ["U0004"]
    name = next(iter(run.item_names.values()))
    found = api.get("/items", params={"search": name.upper()}).json()
    assert all(name.casefold() in item["name"].casefold() for item in found["items"])
    assert found["total"] >= 1
    assert api.get("/items", params={"search": "no such thing"}).json() == {"total": 0, "offset": 0, "items": []}


def test_a_user_and_an_item_are_told_by_aspects(api: httpx.Client, run: Run) -> None:
    space = run.space
    attention = api.get(f"/users/{USER}").json()["attention"]
    row = space.user_attention[space.users.number(USER)]
    assert attention == {space.aspects.texts[at]: float(row[at]) for at in np.flatnonzero(row)}
    item = space.items.texts[3]
    assert api.get(f"/items/{item}").json()["values"] == {
        name: float(value) for name, value in zip(space.aspects.texts, space.item_quality[3], strict=True) if value != 0
    }


def test_recommendations_are_those_of_the_run(api: httpx.Client, run: Run) -> None:
    found = api.get("/recommendations", params={"user_id": USER}).json()
    assert found["items"] == [asdict(place) for place in run.listed(USER)]
    assert found["k"] == run.recommendations.k


def test_stored_answers_are_those_on_disk(api: httpx.Client, run: Run) -> None:
    method = run.methods[1]
    found = api.get("/explanations", params={"method": method, "user_id": USER}).json()
    assert found["rows"] == run.explanations_table(method).filter(user_id=USER).to_dicts()
    assert api.get("/explanations", params={"method": "no"}).status_code == 404


def test_the_overview_counts_what_the_report_counts(api: httpx.Client, run: Run) -> None:
    cases = cases_of(run)
    found = api.get("/overview").json()
    assert found["outcomes"] == asdict(outcomes(cases))
    assert found["aspects"] == decisive_aspects(cases).to_dicts()
    aspect = found["aspects"][0]["aspect"]
    behind = api.get("/overview/cases", params={"aspect": aspect, "status": "explained", "limit": 1000}).json()
    assert behind["total"] == found["aspects"][0]["decided"] == len(behind["rows"])
    by = api.get("/overview", params={"by": "position"}).json()["aspects"]
    assert {row["position"] for row in by} <= set(range(1, 6))


def test_evidence_is_what_the_run_has(api: httpx.Client, run: Run) -> None:
    aspect = next(iter(api.get(f"/users/{USER}").json()["attention"]))
    found = api.get("/evidence", params={"aspect": aspect, "user_id": USER, "limit": 2}).json()
    own = run.evidence(aspect, user_id=USER)
    assert (found["value"], found["total"]) == (own.value, len(own.mentions))
    assert [mention["words"] for mention in found["mentions"]] == [row["words"] for row in own.mentions[:2]]
    assert api.get("/evidence", params={"aspect": aspect}).status_code == 422
    assert api.get("/evidence", params={"aspect": "no such", "user_id": USER}).status_code == 404


def test_many_pairs_are_answered_in_their_order(api: httpx.Client, run: Run, pairs: list[tuple[str, str]]) -> None:
    asked = [*pairs[40:80], *pairs[:30], pairs[50]]
    body = {"pairs": [{"user_id": user, "item_id": item} for user, item in asked], "goal": "single"}
    found = api.post("/explain", json=body).json()["answers"]
    assert [(row["user_id"], row["item_id"]) for row in found] == asked
    alone = run.explain(*asked[50], goal="single").to_dicts()[0]
    assert (found[50]["status"], found[50]["aspects"]) == (alone["status"], alone["aspects"])


def test_a_stream_has_the_same_answers_line_by_line(api: httpx.Client, pairs: list[tuple[str, str]]) -> None:
    body = {"pairs": [{"user_id": user, "item_id": item} for user, item in pairs[:70]]}
    with api.stream("POST", "/explain", json=body, headers={"accept": "application/x-ndjson"}) as response:
        assert response.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in response.iter_lines()]
    assert lines == api.post("/explain", json=body).json()["answers"]
    many = {"pairs": [*body["pairs"][:1] * 1001, {"user_id": pairs[0][0], "item_id": "no such item"}]}
    refused = api.post("/explain", json=many, headers={"accept": "application/x-ndjson"})
    assert (refused.status_code, refused.json()["pair"]) == (404, 1001)


def test_a_stream_that_fails_ends_in_a_problem() -> None:
    def ask(pairs: list[Any]) -> Future[list[Any]]:
        done: Future[list[Any]] = Future()
        if 16 in pairs:
            done.set_exception(RuntimeError("a secret"))
        else:
            done.set_result([{"pair": pair} for pair in pairs])
        return done

    async def collect() -> list[Any]:
        return [json.loads(line) async for line in _lines(ask, list(range(40)), "my-id")]  # type: ignore[arg-type]

    lines = asyncio.run(collect())
    assert lines[:-1] == [{"pair": pair} for pair in range(16)]
    assert (lines[-1]["status"], lines[-1]["request_id"]) == (500, "my-id")
    assert "secret" not in json.dumps(lines)


def test_a_whole_list_is_asked_by_its_user(api: httpx.Client, run: Run) -> None:
    found = api.post("/explain", json={"user_id": USER}).json()["answers"]
    assert [row["item_id"] for row in found] == [place.item_id for place in run.listed(USER)[:5]]
    assert api.post("/explain", json={"user_id": USER, "question": "why_not"}).status_code == 422


@pytest.mark.parametrize("goal", ["minimal", "single", "relaxed", "complete"])
def test_a_deadline_that_has_passed_gives_what_there_is(
    api: httpx.Client, pairs: list[tuple[str, str]], goal: str
) -> None:
    body = {"pairs": [{"user_id": user, "item_id": item} for user, item in pairs[:150]], "goal": goal}
    found = api.post("/explain", json={**body, "deadline_ms": 1}).json()["answers"]
    assert len(found) == 150
    assert "out_of_budget" in {row["status"] for row in found}
    generous = api.post("/explain", json={**body, "pairs": body["pairs"][:4], "deadline_ms": 60_000}).json()["answers"]
    plain = api.post("/explain", json={**body, "pairs": body["pairs"][:4]}).json()["answers"]
    for timed, untimed in zip(generous, plain, strict=True):
        assert (timed["status"], timed["aspects"]) == (untimed["status"], untimed["aspects"])


def test_what_if_shows_the_list_and_what_changed(api: httpx.Client, run: Run) -> None:
    item, aspect = run.listed(USER)[0].item_id, run.space.aspects.texts[0]
    found = api.post("/what-if", json={"user_id": USER, "changes": {item: {aspect: 1.0}}}).json()
    own = run.reranked(USER, {item: {aspect: 1.0}})
    assert found["candidates"] == len(own)
    by_item = {place.item_id: place for place in own}
    assert [asdict(by_item[place["item_id"]]) for place in found["items"]] == found["items"]
    assert item in {place["item_id"] for place in found["items"]}


def test_an_audience_is_asked_for(api: httpx.Client, run: Run) -> None:
    users = list(run.space.users.texts[:10])
    item = run.space.items.texts[5]
    found = api.post("/why-not-for-all", json={"item_id": item, "user_ids": users, "wanted": 2})
    assert found.status_code == 200, found.text
    assert found.json()["wanted"] == 2


def test_the_interactive_page_needs_no_network(api: httpx.Client) -> None:
    page = api.get("/docs")
    assert page.status_code == 200
    files = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(files) == 3
    for file in files:
        assert file.startswith("/api/v1/docs-files/")
        assert api.get(file.removeprefix("/api/v1")).status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
