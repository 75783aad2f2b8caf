"""A run of somebody's own model and attributes: switches, choices and numbers, and what it lacks is said."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from scripts.page_server import Server

from tests.browser.reading import explained, listed, sliders
from tests.browser.visits import PHONE, Visits


def unfolded(page: Page) -> None:
    explained(page)
    fold = page.get_by_text(re.compile(r"Other aspects \(\d+\)"))
    if fold.count():
        fold.click()
        expect(page.locator("details[open] .value-row").first).to_be_visible()


def test_each_kind_of_attribute_has_its_control(films: Server, visits: Visits) -> None:
    page = visits.open(films.url)
    unfolded(page)
    assert len(listed(page)) == 3
    expect(sliders(page)).to_have_count(1)
    expect(page.get_by_role("switch")).to_have_count(1)
    expect(page.get_by_role("combobox", name=re.compile("^genre of"))).to_have_count(1)


def test_a_choice_ranks_the_list(films: Server, visits: Visits) -> None:
    page = visits.open(films.url, PHONE)
    unfolded(page)
    genre = page.get_by_role("combobox", name=re.compile("^genre of"))
    now = genre.input_value()
    other = next(value for value in ("0", "1", "2", "3") if value != now)
    genre.select_option(other)
    expect(page.locator(".outcome")).to_contain_text("genre")
    page.wait_for_url(re.compile("set=genre"))
    page.get_by_role("switch").click()
    expect(page.locator(".outcome")).to_contain_text("subtitle")


def test_what_it_lacks_is_said(films: Server, visits: Visits) -> None:
    page = visits.open(films.url)
    explained(page)
    expect(page.get_by_role("region", name="The user")).to_contain_text("not known")
    page.goto(f"{films.url}/model")
    page.get_by_role("combobox", name="By", exact=True).select_option("activity")
    expect(page.get_by_text("This run does not know anybody's number of reviews.")).to_be_visible()


def test_it_uses_the_words_of_attributes(films: Server, visits: Visits) -> None:
    page = visits.open(films.url)
    explained(page)
    shown = page.locator(".sentence").first.inner_text()
    assert re.search("minutes|genre|subtitle", shown)
    assert "opinions" not in page.locator(".main").inner_text()
