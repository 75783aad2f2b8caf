"""The report of an imported run: attributes instead of reviews, and a model trained elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from counterec import Run
from counterec.pipeline import operator_model
from tests.adapters.hotels import SCHEMA, guests, hotels, liking
from tests.report.document.pages import Page


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Run:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operator_model, "_in_this_process", {})
        folder = tmp_path_factory.mktemp("imported") / "hotels"
        yield Run.create(folder, liking, guests(), hotels(), k=3, schema=SCHEMA, name="liking")


@pytest.fixture(scope="module")
def page(imported: Run) -> Page:
    return Page(imported.report().read_text(encoding="utf-8"))


def test_it_says_what_the_attributes_are(page: Page) -> None:
    assert "Users and items came as tables" in page.text
    assert "The attributes of items" in page.text
    assert "which end is worse" in page.text


def test_explanations_are_facts(page: Page) -> None:
    assert " would not be recommended." in page.text
    assert "€" in page.text
    assert "What reviews say" not in page.text


def test_panels_without_data_say_what_is_missing(page: Page) -> None:
    for said in (
        "Nothing is held out of an import",
        "How good the lists are was not measured",
        "There is no training curve: it was trained elsewhere.",
        "Nothing is known of how active users are",
        "Nothing is known of what single users care about",
    ):
        assert said in page.text


def test_nothing_comes_from_elsewhere(page: Page) -> None:
    assert page.fetched == []
    assert np.isin("script", page.tags).sum() == 0


def test_without_text_no_user_is_named(imported: Run, tmp_path: Path) -> None:
    shown = imported.report(tmp_path / "hidden.html", text=False).read_text(encoding="utf-8")
    assert not any(f">{user}<" in shown for user in imported.space.users.texts)
