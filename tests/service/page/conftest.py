"""A tiny run with stored answers to *why*, opened once for all tests of the page."""

from __future__ import annotations

import pytest

from counterec import Run, make_config, make_run
from counterec.service.page.case import SearchSettings
from counterec.service.page.site import Address, StoredAnswers
from tests.pipeline.tiny import SETTINGS, changed


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    settings = changed(SETTINGS, explain={"methods": ["minimal"]})
    return make_run(make_config(settings, "page"), tmp_path_factory.mktemp("page") / "run")


@pytest.fixture(scope="session")
def stored(run: Run) -> StoredAnswers:
    return StoredAnswers(run)


@pytest.fixture(scope="session")
def usual(run: Run) -> SearchSettings:
    return SearchSettings.of(Address(), run.config.explain.constraints)
