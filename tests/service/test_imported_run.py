"""A run with a model that is the operator's own code: served like any other."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from counterec import Run
from counterec.client import connect
from tests.service.own_model import factory
from tests.service.serving import serving
from tests.service.test_bad_requests import require_problem

CONFIG = """
[models.shop]
factory = "tests.service.own_model:factory"
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Run:
    users = pl.DataFrame({"user_id": ["ann", "bob", "eve/1"], "thrift": [1.0, 0.2, 2.5]})
    items = pl.DataFrame(
        {
            "item_id": [f"h{at:02d}" for at in range(14)],
            "price": [60.0 + 13 * at for at in range(14)],
            "stars": [float(1 + at * 5 % 5) for at in range(14)],
        }
    )
    told = {"price": {"worse": "high", "step": 1.0}, "stars": {"worse": "low", "step": 1.0}}
    folder = tmp_path_factory.mktemp("imported") / "run"
    return Run.create(folder, factory(), users, items, k=3, name="shop", schema=told)


def test_the_server_answers_as_the_library_does(imported: Run, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(CONFIG)
    environment = {"COUNTEREC_CONFIG": str(tmp_path / "config.toml")}
    options = ("--api-only", "--jobs", tmp_path, "--model", "shop")
    with (
        serving(imported.path, *options, environment=environment) as served,
        connect(served.url) as remote,
        served.client() as api,
    ):
        for user in ("ann", "eve/1"):
            own, theirs = imported.explain(user), remote.explain(user)
            columns = ("item_id", "status", "aspects", "after", "proof")
            assert theirs.select(columns).equals(own.select(columns))
            first = own["item_id"][0]
            changes = {first: {"price": 229.0}}
            assert remote.reranked(user, changes) == imported.reranked(user, changes)
        assert api.get("/users/eve/1").status_code == 200
        assert api.get("/items/h03").json()["values"] == {"price": 99.0, "stars": 1.0}
        require_problem(api.get("/evidence", params={"aspect": "price", "user_id": "ann"}), 404)
        require_problem(api.post("/explain", json={"user_id": "ann", "by": "history"}), 422)
        rows = [{"item_id": f"x{at}", "price": 50.0 + 40 * at, "stars": 3.0} for at in range(5)]
        body = {"model": "shop", "user": {"user_id": "me", "thrift": 1.0}, "items": rows, "k": 2}
        response = api.post("/stateless/explain", json=body)
        assert response.status_code == 200, response.text
        found = response.json()
        assert [place["item_id"] for place in found["items"]] == ["x0", "x1", "x2"]
        assert {tuple(answer["attributes"]) for answer in found["answers"]} == {("price",)}
