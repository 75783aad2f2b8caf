"""What the browser tests share: run folders made once, servers, a browser, and visits that fail on what is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from scripts.chromium import start_chromium
from scripts.page_server import Server, started

from tests.browser.runs import made_once, make_demo, make_films, make_hostile
from tests.browser.visits import WITHIN, Visits

HERE = Path(__file__).parent
expect.set_options(timeout=WITHIN)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here, so that only ``make full`` runs it."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a test session share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def demo_run(shared_folder: Path) -> Path:
    return made_once(shared_folder / "demo", make_demo)


@pytest.fixture(scope="session")
def hostile_run(shared_folder: Path) -> Path:
    return made_once(shared_folder / "hostile", make_hostile)


@pytest.fixture(scope="session")
def films_run(shared_folder: Path) -> Path:
    return made_once(shared_folder / "films", make_films)


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Start the server of a run folder with some options; all of them end with the session."""
    logs, servers = tmp_path_factory.mktemp("servers"), {}
    with ExitStack() as running:

        def server_of(folder: Path, *options: str) -> Server:
            key = (folder, options)
            if key not in servers:
                servers[key] = running.enter_context(started(folder, logs / f"{len(servers)}.log", options))
            return servers[key]

        yield server_of


@pytest.fixture
def demo(serve: Callable[..., Server], demo_run: Path) -> Iterator[Server]:
    yield from _without_tracebacks(serve(demo_run))


@pytest.fixture
def hostile(serve: Callable[..., Server], hostile_run: Path) -> Iterator[Server]:
    yield from _without_tracebacks(serve(hostile_run))


@pytest.fixture
def films(
    serve: Callable[..., Server], films_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    (tmp_path / "operator.toml").write_text('[models.films]\nfactory = "tests.browser.runs:film_ranker"\n')
    monkeypatch.setenv("COUNTEREC_CONFIG", str(tmp_path / "operator.toml"))
    yield from _without_tracebacks(serve(films_run))


def _without_tracebacks(server: Server) -> Iterator[Server]:
    """A server whose log is read after the test: an error that no page shows is an error."""
    server.new_log()
    yield server
    log = server.new_log()
    assert "Traceback" not in log, log


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = start_chromium(playwright)
        yield chromium
        chromium.close()


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Pages that are watched: the test fails on a console error, and on a request that leaves the machine."""
    found = Visits(browser)
    yield found
    found.close()
    assert found.unforgiven() == []
