"""Servers that the tests share: one that is open, one with a token."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from counterec import Run, open_run
from tests.service.serving import Served, serving

TOKEN = "a-token-of-the-tests-0123456789"


@pytest.fixture(scope="session")
def served(tiny_run: Path) -> Iterator[Served]:
    """The API of the tiny run, open to everybody on this machine."""
    with serving(tiny_run, "--api-only") as server:
        yield server


@pytest.fixture(scope="session")
def guarded(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Page and API off loopback: with a token and pseudonyms."""
    token = tmp_path_factory.mktemp("guarded") / "token"
    token.write_text(TOKEN + "\n")
    with serving(tiny_run, "--host", "0.0.0.0", "--token-file", token, "--no-text") as server:
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
