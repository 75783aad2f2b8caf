"""A run with a model that is the operator's own code: served like any other."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import polars as pl
import pytest

from counterec import Run
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
    with serving(imported.path, "--api-only", environment=environment) as served, served.client() as api:
        for user in ("ann", "eve/1"):
            own, theirs = imported.explain(user).to_dicts(), api.post("/explain", json={"user_id": user}).json()
            for name in ("item_id", "status", "aspects", "after", "proof"):
                assert [answer[name] for answer in theirs["answers"]] == [row[name] for row in own]
            changes = {own[0]["item_id"]: {"price": 229.0}}
            found = api.post("/what-if", json={"user_id": user, "changes": changes, "limit": 14}).json()
            assert found["items"] == [asdict(place) for place in imported.reranked(user, changes)]
        assert api.get("/users/eve/1").status_code == 200
        assert api.get("/items/h03").json()["values"] == {"price": 99.0, "stars": 1.0}
        require_problem(api.get("/evidence", params={"aspect": "price", "user_id": "ann"}), 404)
        require_problem(api.post("/explain", json={"user_id": "ann", "by": "history"}), 422)
