"""What every test shares: one thread, and a tiny run folder that is made once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from counterec import make_config, make_run
from tests.pipeline.tiny import SETTINGS

pytest.register_assert_rewrite("tests.varied_questions", "tests.claims")  # so that a failed claim shows its values


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow modules first: the quick ones fill the gaps at the end, so that no process waits for another."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Threads that wait for each other at every small product lose more than they gain."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run on a small built-in world; to be read, not written."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    make_run(make_config(SETTINGS, "tiny"), folder)
    return folder


@pytest.fixture
def own_run(tiny_run: Path, tmp_path: Path) -> Path:
    """A copy of the tiny run, to do anything to."""
    return shutil.copytree(tiny_run, tmp_path / "run")
