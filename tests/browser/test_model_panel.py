"""The model: the overall view with filters, and from any bar the cases behind it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from scripts.page_server import Server

from counterec import open_run
from counterec.report.overview import CaseFilter, cases_of, decisive_aspects
from tests.browser.reading import explained, panel
from tests.browser.visits import PHONE, SCREEN, Look, Visits


def bars(page: Page, section: str = "Aspects that decide") -> Locator:
    return page.get_by_role("region", name=section).locator(".bar")


def field(page: Page, label: str) -> Locator:
    return page.get_by_role("combobox", name=label, exact=True)


def behind(page: Page) -> Locator:
    return page.get_by_role("region", name="The cases behind a bar")


@pytest.fixture(scope="module")
def cases(demo_run):
    return cases_of(open_run(demo_run), "minimal")


def test_the_numbers_are_those_of_the_report(demo: Server, visits: Visits, cases) -> None:
    page = visits.open(f"{demo.url}/model")
    expect(bars(page).first).to_be_visible()
    table = decisive_aspects(cases)
    assert bars(page).locator(".bar-name").all_inner_texts() == table["aspect"].to_list()[:12]
    first = table.row(0, named=True)
    expect(bars(page).first).to_contain_text(f"{first['decided']} of {first['recommendations']} ({first['share']:.0%})")
    expect(page.locator(".figures")).to_contain_text(f"{len(cases)}")


@pytest.mark.parametrize("look", [PHONE, SCREEN], ids=str)
def test_a_bar_leads_to_its_cases_and_a_case_to_its_panel(demo: Server, visits: Visits, cases, look: Look) -> None:
    page = visits.open(f"{demo.url}/model", look)
    aspect = bars(page).first.locator(".bar-name").inner_text()
    bars(page).first.click()
    expect(behind(page).get_by_role("heading", level=2)).to_have_text(f"Decided by {aspect}")
    expect(behind(page).get_by_role("heading", level=2)).to_be_in_viewport()
    count = len(CaseFilter(aspect=aspect).applied(cases))
    expect(behind(page)).to_contain_text(f"1–6 of {count} cases")
    expect(bars(page).first).to_have_attribute("aria-pressed", "true")
    for sentence in behind(page).locator("ol.cases li").all_inner_texts():
        assert aspect in sentence
    page.get_by_role("button", name="More cases").click()
    expect(behind(page)).to_contain_text(f"7–12 of {count} cases")
    behind(page).get_by_role("link", name="Open this case").first.click()
    explained(page)


def test_the_address_is_the_state(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/model")
    bars(page).nth(1).click()
    title = behind(page).get_by_role("heading", level=2)
    expect(title).to_contain_text("Decided by")
    page.wait_for_url(re.compile("case.aspect"))
    other = visits.open(page.url)
    expect(behind(other).get_by_role("heading", level=2)).to_have_text(title.inner_text())
    page.get_by_role("button", name="Close").click()
    expect(title).to_have_text("The cases behind a bar")
    page.wait_for_url(lambda url: "case." not in url)


def test_filters_count_fewer_recommendations(demo: Server, visits: Visits, cases) -> None:
    page = visits.open(f"{demo.url}/model")
    field(page, "Position in the list").select_option("2")
    some = CaseFilter(position=2).applied(cases)
    expect(page.locator(".figure").first).to_have_text(str(len(some)))
    expect(bars(page).first).to_contain_text(f"of {len(some)} (")
    taste = field(page, "Users who care most about")
    chosen = taste.locator("option").nth(1).get_attribute("value") or ""
    taste.select_option(chosen)
    both = CaseFilter(position=2, taste=chosen).applied(cases)
    expect(bars(page).first).to_contain_text(f"of {len(both)} (")
    page.wait_for_url(lambda url: "position=2" in url and "taste=" in url)
    page.reload()
    expect(bars(page).first).to_contain_text(f"of {len(both)} (")


def test_for_whom_and_where(demo: Server, visits: Visits, cases) -> None:
    page = visits.open(f"{demo.url}/model")
    table = page.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["Aspect", "1", "2", "3", "4", "5"])
    field(page, "By").select_option("activity")
    groups = cases["activity"].drop_nulls().unique().sort().cast(str).to_list()
    expect(table.get_by_role("columnheader")).to_have_text(["Aspect", *groups])
    table.get_by_role("button").first.click()
    expect(behind(page).get_by_role("heading", level=2)).to_contain_text("number of reviews")


def test_items_win_and_lose_and_outcomes_have_cases(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/model")
    for section in (
        "Items that win by an aspect",
        "Items that lose by an aspect",
        "What became of the recommendations",
    ):
        bars(page, section).first.click()
        expect(bars(page, section).first).to_have_attribute("aria-pressed", "true")
        expect(behind(page).locator("ol.cases li").first).to_be_visible()


def test_how_strongly(demo: Server, visits: Visits, cases) -> None:
    page = visits.open(f"{demo.url}/model")
    field(page, "Order by").focus()
    field(page, "Order by").select_option("strongly")
    strongest = decisive_aspects(cases).sort("strength", descending=True)["aspect"].to_list()
    expect(bars(page).locator(".bar-name").first).to_have_text(strongest[0])
    expect(field(page, "Order by")).to_be_focused()


def test_the_panel_is_reached_by_the_navigation(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url, PHONE)
    explained(page)
    panel(page, "The model")
    expect(page.get_by_role("heading", level=1)).to_have_text("What drives this model?")
