"""Servers that the tests share: one that is open, one with a token and low limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from counterec import Run, open_run
from tests.service.serving import Served, serving

TOKEN = "a-token-of-the-tests-0123456789"
CONFIG = """
[models.shop]
factory = "tests.service.own_model:factory"
[models.broken]
factory = "tests.service.own_model:broken"
"""


@pytest.fixture(scope="session")
def served(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The API of the tiny run, open to everybody on this machine."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "config.toml").write_text(CONFIG)
    options = ("--api-only", "--jobs", folder, "--model", "shop", "--model", "broken", "--limit", "jobs=3")
    environment = {"COUNTEREC_CONFIG": str(folder / "config.toml")}
    with serving(tiny_run, *options, environment=environment) as server:
        yield server


@pytest.fixture(scope="session")
def guarded(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Page and API off loopback: with a token, pseudonyms and low limits."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "token").write_text(TOKEN + "\n")
    limits = ("body_bytes=20000", "body_seconds=1", "pairs=3", "rate=40", "deadline_ms=1000", "job_pairs=5")
    options = [option for limit in limits for option in ("--limit", limit)]
    named = ("--host", "0.0.0.0", "--token-file", folder / "token", "--no-text", "--jobs", folder)
    with serving(tiny_run, *named, *options) as server:
        yield server


@pytest.fixture
def api(served: Served) -> Iterator[httpx.Client]:
    """Something to ask the open server with."""
    with served.client() as client:
        yield client


@pytest.fixture(scope="session")
def run(tiny_run: Path) -> Run:
    """The same run, opened here."""
    return open_run(tiny_run)


@pytest.fixture(scope="session")
def pairs(run: Run) -> list[tuple[str, str]]:
    """Every recommendation of the run by ids."""
    rows, _, items = run.recommendations.pairs()
    users = run.recommendations.users[rows]
    texts = run.space
    return [
        (texts.users.texts[user], texts.items.texts[item])
        for user, item in zip(users.tolist(), items.tolist(), strict=True)
    ]
