"""The numbers of the view of the model, and the address that says what they are about."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from counterec import open_run
from counterec.errors import InvalidValueError, UsageError
from counterec.report.overview import CaseFilter, cases_of, decisive_aspects
from counterec.service.page.model import GROUPS, Bar, ModelOverview, ModelScope, percent, title_cases
from counterec.service.page.site import Address


@pytest.fixture(scope="module")
def cases(tiny_run: Path) -> pl.DataFrame:
    return cases_of(open_run(tiny_run), "single")


def name(item_id: str) -> str:
    return f"the {item_id}"


class TestScope:
    @pytest.mark.parametrize(
        "text",
        [
            "/model?",
            "/model?activity=1–4&taste=battery&position=2",
            "/model?case.aspect=screen+size&case.position=3",
            "/model?taste=a&case.item_id=P1&case.aspect=x",
            "/model?case.status=not_found",
        ],
    )
    def test_an_address_says_it_and_is_said_by_it(self, text: str) -> None:
        scope = ModelScope.of(Address.of(text))
        assert ModelScope.of(Address("/model").with_params(**scope.params())) == scope
        assert set(Address("/model").with_params(**scope.params()).params) == set(Address.of(text).params)

    def test_narrowing_forgets_the_cases(self) -> None:
        scope = ModelScope.of(Address.of("/model?taste=a&case.aspect=b")).narrowed(position=1)
        assert scope == ModelScope(CaseFilter(taste="a", position=1))
        assert not scope.has_cases

    def test_what_is_no_position_is_refused(self) -> None:
        with pytest.raises(UsageError, match="position=first in the address"):
            ModelScope.of(Address.of("/model?position=first"))
        with pytest.raises(InvalidValueError, match="positions begin at 1"):
            ModelScope.of(Address.of("/model?position=0"))
        with pytest.raises(InvalidValueError, match="unknown status"):
            ModelScope.of(Address.of("/model?case.status=maybe"))

    def test_both_choices_hold(self, cases: pl.DataFrame) -> None:
        aspect = decisive_aspects(cases)["aspect"][0]
        scope = ModelScope(CaseFilter(position=2), CaseFilter(aspect=aspect))
        rows = scope.cases(cases)
        assert 0 < len(rows) < len(scope.recommendations(cases)) < len(cases)
        assert set(rows["position"]) == {2}
        assert all(aspect in row for row in rows["aspects"].to_list())


class TestOverview:
    @pytest.mark.parametrize("by", GROUPS)
    def test_the_cases_behind_a_share_are_as_many_as_it_says(self, cases: pl.DataFrame, by) -> None:
        table = ModelOverview.of(cases, by).table
        assert table.groups
        for group in table.groups:
            whole = CaseFilter(**{by: group}).applied(cases)
            for aspect in table.aspects:
                behind = CaseFilter(aspect=aspect, status="explained", **{by: group}).applied(cases)
                assert table.share(group, aspect) == pytest.approx(len(behind) / len(whole))

    def test_bars_lead_to_the_cases_that_they_count(self, cases: pl.DataFrame) -> None:
        found = ModelOverview.of(cases, "position")
        for bar, behind in found.aspect_bars(False, CaseFilter()):
            explained = CaseFilter(aspect=behind.aspect, status="explained").applied(cases)
            assert bar.said.startswith(f"{len(explained)} of {len(cases)} (")
        for side in ("wins", "loses"):
            for bar, behind in found.item_bars(side, name, CaseFilter()):
                lists = behind.applied(cases).filter(status="explained")["user_id"].n_unique()
                assert bar.said.startswith(f"{lists} of ")
                assert bar.name.startswith("the P")
        for bar, behind in found.status_bars(CaseFilter()):
            assert bar.said.startswith(f"{len(behind.applied(cases))} (")

    def test_the_strongest_are_first_when_asked_for(self, cases: pl.DataFrame) -> None:
        found = ModelOverview.of(cases, "position")
        lengths = [bar.share for bar, _ in found.aspect_bars(True, CaseFilter())]
        assert lengths == sorted(lengths, reverse=True)
        assert lengths[0] == 1

    def test_the_chosen_bar_is_marked(self, cases: pl.DataFrame) -> None:
        found = ModelOverview.of(cases, "position")
        aspect = found.aspects["aspect"][1]
        marked = [bar.name for bar, _ in found.aspect_bars(False, CaseFilter(aspect=aspect)) if bar.chosen]
        assert marked == [aspect]

    def test_nothing_can_be_counted(self, cases: pl.DataFrame) -> None:
        found = ModelOverview.of(cases.clear(), "position")
        assert found.figures_in_words()[0][0] == "0"
        assert found.aspect_bars(False, CaseFilter()) == found.aspect_bars(True, CaseFilter()) == []
        assert found.table.groups == []


def test_titles_say_what_the_cases_are() -> None:
    assert title_cases(CaseFilter(aspect="battery", position=2), name) == "Decided by battery, position in the list 2"
    assert title_cases(CaseFilter(status="not_found"), name) == "None found"
    assert title_cases(CaseFilter(aspect="a", below_id="P1"), name) == "Decided by a, just below: the P1"


@pytest.mark.parametrize(
    ("share", "said"),
    [(None, ""), (0.0, "0%"), (0.004, "under 1%"), (0.154, "15%"), (0.996, "over 99%"), (1.0, "100%")],
)
def test_percent(share: float | None, said: str) -> None:
    assert percent(share) == said


def test_a_bar_has_a_length() -> None:
    with pytest.raises(InvalidValueError, match="from 0 to 1"):
        Bar("battery", 1.2, "")
