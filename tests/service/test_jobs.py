"""Batch jobs: progress, results, cancelling; and a server that is killed again and again."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import time
from pathlib import Path

import httpx
import polars as pl
import pytest

from counterec import Run
from counterec.client import connect
from counterec.errors import UsageError
from counterec.service.jobs.job import JobSpec
from counterec.service.jobs.job_store import JobReader, JobStore
from tests.service.serving import Served, start, stop
from tests.service.test_bad_requests import require_problem

pytestmark = pytest.mark.slow

Pairs = list[tuple[str, str]]


def submitted(client: httpx.Client, pairs: Pairs, **asked: object) -> str:
    body = {"pairs": [{"user_id": user, "item_id": item} for user, item in pairs], **asked}
    response = client.post("/jobs", json=body)
    assert response.status_code == 202, response.text
    job_id: str = response.json()["job_id"]
    return job_id


def ended(client: httpx.Client, job_id: str) -> dict[str, object]:
    for _ in range(600):
        found: dict[str, object] = client.get(f"/jobs/{job_id}").json()
        if found["state"] in ("done", "cancelled", "failed"):
            return found
        time.sleep(0.1)
    raise AssertionError(f"the job has not ended: {found}")


def test_a_job_has_the_rows_of_the_run(api: httpx.Client, run: Run, pairs: Pairs) -> None:
    asked = pairs[10:80]
    job_id = submitted(api, asked, goal="single")
    assert ended(api, job_id)["state"] == "done"
    result = api.get(f"/jobs/{job_id}/result", params={"format": "parquet"})
    table = pl.read_parquet(io.BytesIO(result.content))
    lines = [json.loads(line) for line in api.get(f"/jobs/{job_id}/result").text.splitlines()]
    assert [(row["user_id"], row["item_id"]) for row in lines] == asked
    assert table["user_id"].to_list() == [user for user, _ in asked]
    alone = run.explain(*asked[5], goal="single")
    assert table.schema == alone.schema
    assert table[5].select("status", "aspects", "proof").equals(alone.select("status", "aspects", "proof"))


def test_every_list_is_explained_by_the_client(served: Served, run: Run) -> None:
    with connect(served.url) as remote:
        found = remote.explain(goal="single")
    own = run.explain(goal="single")
    assert found.select("user_id", "item_id", "status", "aspects").equals(
        own.select("user_id", "item_id", "status", "aspects")
    )


def test_a_job_is_cancelled_and_deleted(api: httpx.Client, pairs: Pairs) -> None:
    job_id = submitted(api, pairs * 30, goal="complete")
    require_problem(api.get(f"/jobs/{job_id}/result"), 409)
    assert api.delete(f"/jobs/{job_id}").json()["state"] == "cancelled"
    rows = api.get(f"/jobs/{job_id}/result").text.splitlines()
    assert len(rows) == api.get(f"/jobs/{job_id}").json()["answered"] < len(pairs) * 30
    api.delete(f"/jobs/{job_id}")
    require_problem(api.get(f"/jobs/{job_id}"), 404)


def test_too_many_jobs_are_refused(api: httpx.Client, pairs: Pairs) -> None:
    made = [submitted(api, pairs * 30, goal="complete") for _ in range(3)]
    response = api.post("/jobs", json={})
    require_problem(response, 429)
    assert "retry-after" in response.headers
    for job_id in made:
        api.delete(f"/jobs/{job_id}")


def test_a_job_about_an_unknown_pair_is_refused(api: httpx.Client, pairs: Pairs) -> None:
    body = {"pairs": [{"user_id": user, "item_id": item} for user, item in [*pairs[:3], ("U0004", "nothing")]]}
    response = api.post("/jobs", json=body)
    require_problem(response, 404)
    assert response.json()["pair"] == 3


def killed_again_and_again(folder: Path, jobs: Path, pairs: Pairs, times: int, seed: int, longest: float) -> Served:
    """A server that was killed so many times during one job, and lives again."""
    moments = random.Random(seed)
    served = start(folder, "--api-only", "--jobs", jobs)
    with served.client() as client:
        submitted(client, pairs, goal="single")
    for _ in range(times):
        time.sleep(moments.uniform(0.0, longest))
        served.kill()
        served = start(folder, "--api-only", "--jobs", jobs)
    return served


def require_undisturbed(served: Served, run: Run, pairs: Pairs) -> None:
    """The rows are those of an undisturbed job: none twice, none missing."""
    with served.client() as client:
        (job,) = client.get("/jobs").json()["jobs"]
        assert ended(client, job["job_id"])["state"] == "done"
        lines = [json.loads(line) for line in client.get(f"/jobs/{job['job_id']}/result").text.splitlines()]
    assert [(row["user_id"], row["item_id"]) for row in lines] == pairs
    own = {(row["user_id"], row["item_id"]): row for row in run.explain(goal="single").to_dicts()}
    for row in lines:
        undisturbed = own[row["user_id"], row["item_id"]]
        assert (row["status"], row["aspects"], row["proof"]) == (
            undisturbed["status"],
            undisturbed["aspects"],
            undisturbed["proof"],
        )


def test_a_killed_server_goes_on_where_it_was(tiny_run: Path, run: Run, pairs: Pairs, tmp_path: Path) -> None:
    served = killed_again_and_again(tiny_run, tmp_path, pairs * 8, times=1, seed=0, longest=0.5)
    try:
        require_undisturbed(served, run, pairs * 8)
    finally:
        stop(served)


@pytest.mark.slow_service
def test_killed_ten_times_during_five_thousand_pairs(tiny_run: Path, run: Run, pairs: Pairs, tmp_path: Path) -> None:
    many = (pairs * 40)[:5000]
    served = killed_again_and_again(tiny_run, tmp_path, many, times=10, seed=1, longest=6.0)
    try:
        require_undisturbed(served, run, many)
    finally:
        stop(served)


SPEC = JobSpec("why", "single", None, [(0, 1, None), (0, 2, None), (1, 1, None)])


def test_answers_and_their_count_are_written_together(tmp_path: Path) -> None:
    store, reader = JobStore(tmp_path / "jobs.sqlite", "run"), JobReader(tmp_path / "jobs.sqlite")
    assert reader.jobs() == []
    job_id = store.submit(SPEC, 2)
    number, part = store.next_part(2) or (0, SPEC)
    assert part.pairs == [(0, 1, None), (0, 2, None)]
    with pytest.raises(sqlite3.Error):
        store.answer(number, ["{}", None])  # type: ignore[list-item]
    assert (reader.job(job_id) or SPEC).answered == 0
    store.answer(number, ["a", "b"])
    assert list(reader.rows(job_id)) == ["a", "b"]
    assert (store.next_part(2) or (0, SPEC))[1].pairs == [(1, 1, None)]
    store.answer(number, ["c"])
    assert (reader.job(job_id) or SPEC).state == "done"
    assert store.next_part(2) is None
    store.close()


def test_what_is_cancelled_gets_no_more_answers(tmp_path: Path) -> None:
    store, reader = JobStore(tmp_path / "jobs.sqlite", "run"), JobReader(tmp_path / "jobs.sqlite")
    job_id = store.submit(SPEC, 1)
    with pytest.raises(UsageError, match="1 jobs"):
        store.submit(SPEC, 1)
    number, _ = store.next_part(2) or (0, SPEC)
    store.cancel(job_id)
    store.answer(number, ["a", "b"])
    assert (reader.job(job_id) or SPEC).answered == 0
    store.cancel(job_id)
    assert reader.job(job_id) is None
    store.close()


def test_jobs_of_another_run_are_not_gone_on_with(tmp_path: Path) -> None:
    store = JobStore(tmp_path / "jobs.sqlite", "run")
    job_id = store.submit(SPEC, 5)
    store.close()
    other = JobStore(tmp_path / "jobs.sqlite", "another run")
    assert other.next_part(5) is None
    assert (JobReader(tmp_path / "jobs.sqlite").job(job_id) or SPEC).state == "failed"
    other.close()


def test_a_damaged_database_is_one_line(tmp_path: Path) -> None:
    from counterec.errors import StoreError

    (tmp_path / "jobs.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="--jobs"):
        JobStore(tmp_path / "jobs.sqlite", "run")
