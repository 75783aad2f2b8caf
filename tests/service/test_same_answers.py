"""One answer, three ways to it: the library, the command line, the service."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from counterec import Constraints, Run, sentence
from tests.cli.files import counterec

NUMBERS = ("before", "after", "score_before", "score_after", "target", "margin", "lead_aspects", "lead_history")
USER = "U0004"


def questions(run: Run) -> list[dict[str, Any]]:
    """Every question, with items that it can be asked about."""
    listed = [place.item_id for place in run.listed(USER)]
    return [
        {"question": "why", "item_id": listed[0]},
        {"question": "why", "item_id": listed[3]},
        {"question": "why_not", "item_id": listed[-1]},
        {"question": "why_rather", "item_id": listed[0], "versus": listed[2]},
        {"question": "why_rather_takes", "item_id": listed[1], "versus": listed[-1]},
    ]


@pytest.mark.parametrize("goal", ["minimal", "single", "relaxed", "complete"])
def test_all_ways_give_the_same(goal: str, run: Run, tiny_run: Path, api: httpx.Client) -> None:
    for asked in questions(run):
        if goal == "complete" and asked["question"] == "why_not":
            continue  # what an item's place rests on is asked of items that have one
        (row,) = run.explain(USER, **asked, goal=goal).to_dicts()
        pair = {"user_id": USER, "item_id": asked["item_id"], "versus": asked.get("versus")}
        body = {"question": asked["question"], "goal": goal, "pairs": [pair]}
        by_service = api.post("/explain", json=body).json()["answers"][0]
        by_command = _commanded(tiny_run, goal, asked)
        for other in (by_service, by_command):
            _require_same(row, other)
        assert by_service["sentence"] == by_command["sentence"] == sentence(run.record(row))


def _commanded(folder: Path, goal: str, asked: dict[str, Any]) -> dict[str, Any]:
    takes = asked["question"] == "why_rather_takes"
    options = ["--question", "why_rather" if takes else asked["question"], "--item", asked["item_id"], "--goal", goal]
    options += ["--versus", asked["versus"]] if "versus" in asked else []
    options += ["--match-values"] if takes else []
    found: dict[str, Any] = json.loads(counterec("explain", folder, "--user", USER, *options, "--json").out)["items"][0]
    return found


def _require_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Texts, marks and counts exactly; numbers within the margin."""
    room = max(1e-4, one["margin"] or 0)
    for name, value in one.items():
        if name in NUMBERS or isinstance(value, float):
            assert other[name] == pytest.approx(value, abs=room), name
        else:
            assert other[name] == value, name


@pytest.mark.parametrize("by", ["history", "both"])
def test_past_reviews_are_the_same_everywhere(by: str, run: Run, tiny_run: Path, api: httpx.Client) -> None:
    own = run.explain(USER, by=by)
    by_service = api.post("/explain", json={"user_id": USER, "by": by}).json()["answers"]
    by_command = json.loads(counterec("explain", tiny_run, "--user", USER, "--by", by, "--json").out)["items"]
    for place, row in enumerate(own.to_dicts()):
        known = {name: value for name, value in row.items() if value is not None and name in by_service[place]}
        for other in (by_service[place], by_command[place]):
            _require_same(known, other)
        assert by_service[place]["sentence"] == by_command[place]["sentence"]
    if by == "history":
        assert {answer["by"] for answer in by_service} == {"history"}


def test_constraints_mean_the_same_everywhere(run: Run, api: httpx.Client) -> None:
    item = run.listed(USER)[0].item_id
    named = run.explain(USER, item)["aspects"][0]
    allowed = {"keep": [named[0]], "most": 3, "costs": {run.space.aspects.texts[0]: 2.0}}
    (own,) = run.explain(USER, item, constraints=Constraints(**{**allowed, "keep": (named[0],)})).to_dicts()
    body = {"pairs": [{"user_id": USER, "item_id": item}], "constraints": allowed}
    (theirs,) = api.post("/explain", json=body).json()["answers"]
    assert [theirs[name] for name in ("status", "aspects", "proof")] == [
        own[name] for name in ("status", "aspects", "proof")
    ]
    assert named[0] not in own["aspects"]
