"""Runs that several modules read: of the default model, and with sampled candidates."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import make_config, make_run
from tests.pipeline.tiny import HYBRID, SAMPLED


@pytest.fixture(scope="session")
def hybrid_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of the hybrid; to be read, not written."""
    folder = tmp_path_factory.mktemp("hybrid") / "run"
    make_run(make_config(HYBRID, "tiny"), folder)
    return folder


@pytest.fixture(scope="session")
def sampled_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with lists of three of a draw, by a net that is steeper; to be read, not written."""
    folder = tmp_path_factory.mktemp("sampled") / "run"
    make_run(make_config(SAMPLED, "tiny"), folder)
    return folder
