"""Batch jobs: submit, progress, result, cancel."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response, StreamingResponse

from counterec.service.api import answers, requests
from counterec.service.api.responses import json_response
from counterec.service.api.routes.explain import allowed, checked_pairs
from counterec.service.jobs.job import Job, JobSpec
from counterec.service.jobs.job_client import JobClient
from counterec.service.jobs.job_result import json_lines, parquet
from counterec.service.problems import Problem
from counterec.service.service import Service

router = APIRouter(tags=["jobs"])

JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
Format = Literal["parquet", "jsonl"]


@router.post("/jobs", response_model=answers.JobInfo, status_code=202)
async def submit(request: Request, asked: requests.JobRequest) -> Response:
    """Have many pairs explained, or every list of the run; ask for progress and result later."""
    service: Service = request.app.state.service
    client, limit = _client(service), service.settings.limits.job_pairs
    if asked.pairs is not None and len(asked.pairs) > limit:
        raise Problem(422, "too-many", f"{len(asked.pairs):,} pairs; at most {limit:,} in one job")
    allowed(service, asked.constraints)
    pairs = await service.read(lambda: _pairs(service, asked))
    if len(pairs) > limit:
        raise Problem(422, "too-many", f"the lists of the run are {len(pairs):,} pairs; at most {limit:,} in one job")
    constraints = None if asked.constraints is None else asked.constraints.model_dump()
    spec = JobSpec(asked.question, asked.goal, constraints, pairs)
    job = await service.read(lambda: client.submit(spec))
    return json_response(job.told(), 202, {"location": f"/api/v1/jobs/{job.job_id}"})


@router.get("/jobs", response_model=answers.JobList)
async def jobs(request: Request) -> Response:
    """All jobs, the newest first."""
    service: Service = request.app.state.service
    client = _client(service)
    return json_response({"jobs": [job.told() for job in await service.read(client.jobs)]})


@router.get("/jobs/{job_id}", response_model=answers.JobInfo)
async def job(request: Request, job_id: JobId) -> Response:
    """How far a job is."""
    service: Service = request.app.state.service
    return json_response((await _job(service, job_id)).told())


@router.delete("/jobs/{job_id}", response_model=answers.JobInfo)
async def cancel(request: Request, job_id: JobId) -> Response:
    """Cancel a job that is not done; its answers so far stay. One that has ended is deleted with its answers."""
    service: Service = request.app.state.service
    await _job(service, job_id)
    client = _client(service)
    return json_response((await service.read(lambda: client.cancel(job_id))).told())


@router.get(
    "/jobs/{job_id}/result",
    response_class=Response,
    responses={
        200: {
            "description": "One row per pair, in their order, as explanations lie on disk.",
            "content": {"application/x-ndjson": {}, "application/vnd.apache.parquet": {}},
        }
    },
)
async def result(request: Request, job_id: JobId, format: Format = "jsonl") -> Response:
    """The rows of a job that has ended, as JSON lines or Parquet."""
    service: Service = request.app.state.service
    found = await _job(service, job_id)
    if not found.ended:
        detail = f"the job is {found.state}: {found.answered:,} of {found.pairs:,} pairs; ask again later"
        raise Problem(409, "not-done", detail, {"retry-after": "1"})
    rows = _client(service).rows(job_id)
    named = {"content-disposition": f'attachment; filename="{job_id}.{format}"', "cache-control": "no-store"}
    if format == "parquet":
        body = await service.read(lambda: parquet(service.people, rows))
        return Response(body, 200, named, "application/vnd.apache.parquet")
    return StreamingResponse(json_lines(service.people, rows), 200, named, "application/x-ndjson")


def _client(service: Service) -> JobClient:
    if service.jobs is None:
        raise Problem(404, "no-jobs", "this server takes no jobs")
    return service.jobs


async def _job(service: Service, job_id: str) -> Job:
    client = _client(service)
    found = await service.read(lambda: client.job(job_id))
    if found is None:
        raise Problem(404, "unknown-job", f"there is no job {job_id}; /jobs lists them")
    return found


def _pairs(service: Service, asked: requests.JobRequest) -> list[tuple[int, int, int | None]]:
    if asked.pairs is not None:
        return [tuple(pair) for pair in checked_pairs(service, asked.question, asked.pairs)]  # type: ignore[misc]
    lists = service.run.recommendations
    rows, _, items = lists.pairs()
    users = lists.users[rows].tolist()
    return [(user, item, None) for user, item in zip(users, items.tolist(), strict=True)]
