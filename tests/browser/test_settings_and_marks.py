"""Goal, values, mask and constraints under Advanced; marks as words with their meaning, and a legend."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from scripts.page_server import Server

from counterec.wording import legend
from tests.browser.reading import explained
from tests.browser.visits import PHONE, Visits


def advanced(page: Page) -> None:
    page.get_by_text("Advanced: how the explanation is searched for").click()


def test_marks_are_words_that_are_explained(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    marks = page.get_by_role("list", name="What is established").get_by_role("button")
    known = {mark.label: mark.meaning for mark in legend()}
    assert "checked" in marks.all_inner_texts()
    checked = marks.filter(has_text=re.compile("^checked$"))
    checked.hover()
    expect(page.get_by_role("tooltip").filter(has_text=known["checked"])).to_be_visible()
    described = checked.get_attribute("aria-describedby")
    assert page.locator(f"#{described}").text_content() == known["checked"]


def test_marks_are_explained_to_the_keyboard(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    page.get_by_role("list", name="What is established").get_by_role("button").first.focus()
    expect(page.get_by_role("tooltip").first).to_be_visible()


def test_the_legend_has_every_mark(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url, PHONE)
    explained(page)
    page.get_by_text("What the marks mean").click()
    shown = page.locator(".legend dt").all_inner_texts()
    assert shown == [mark.label for mark in legend()]


def test_another_goal_is_another_answer_and_in_the_address(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    advanced(page)
    page.get_by_label("Look for").select_option("complete")
    page.wait_for_url(re.compile("goal=complete"))
    explained(page)
    expect(page.get_by_label("Look for")).to_have_value("complete")
    page.get_by_role("button", name="Back to the usual settings").click()
    page.wait_for_url(lambda url: "goal=" not in url)


def test_values_mask_and_number(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    advanced(page)
    page.get_by_label("Values may become").select_option("continuous")
    page.wait_for_url(re.compile("values=continuous"))
    explained(page)
    expect(page.get_by_role("list", name="What is established")).to_contain_text("any value")
    page.get_by_label("Which aspects may change").select_option("yes")
    page.wait_for_url(re.compile("only_mentioned=yes"))
    page.get_by_label("How many aspects may change").select_option("1")
    page.wait_for_url(re.compile("most=1"))
    explained(page)


def test_an_aspect_that_must_stay_is_named_no_more(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    named, before = page.locator(".slider-name").first.inner_text(), page.locator(".sentence").first.inner_text()
    advanced(page)
    page.get_by_label("Keep as it is").select_option(named)
    page.wait_for_url(re.compile("keep="))
    explained(page)
    expect(page.get_by_text(f"{named} stays as it is")).to_be_visible()
    assert f"its {named}" in before
    assert f"its {named}" not in page.locator(".sentence").first.inner_text()
    page.get_by_role("button", name=f"Let {named} change").click()
    page.wait_for_url(lambda url: "keep=" not in url)
