"""The page and the API in one process."""

from __future__ import annotations

from collections.abc import Callable

from counterec.service.api_server import with_api
from counterec.service.jobs.job_client import JobClient, JobRunner
from counterec.service.listening import serve
from counterec.service.page.site import Site
from counterec.service.server import application
from counterec.service.service import Service
from counterec.service.settings import ServiceSettings


def serve_page(settings: ServiceSettings, port: int, started: Callable[[int], None]) -> None:
    """Serve both until told to end."""
    runner = JobRunner(settings)
    try:
        with Service(settings, jobs=JobClient(settings, runner.command)) as service:
            site = Site(service.run, service.people.privacy)
            serve(with_api(application(site), service), settings.host, port, started)
    finally:
        runner.close()
