"""The report of an imported run: attributes instead of reviews, and a model trained elsewhere."""

from __future__ import annotations

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
