"""For a seller: one item, an audience, what to improve, how many lists it would enter, and in how many nets."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from scripts.page_server import Server

from counterec import open_run
from counterec.wording import audience_record, sentence
from tests.browser.visits import PHONE, Visits


def answer(page: Page) -> str:
    shown = page.get_by_role("region", name="The answer").locator(".sentence")
    expect(shown).to_be_visible()
    return shown.inner_text()


def test_it_says_what_to_improve_for_everybody(demo: Server, demo_run, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/seller?item=P0007", PHONE)
    run = open_run(demo_run)
    expect(page.get_by_text("no forecast of sales")).to_be_visible()
    page.get_by_label("Lists it is to enter, at least").fill("3")
    page.get_by_role("button", name="Find the smallest improvement").click()
    found = run.why_not_for_all("P0007", run.space.users.texts, 3)
    record = audience_record(run.space, found, run.item_names, run.config.explain.constraints)
    assert answer(page) == sentence(record)
    figures = page.get_by_role("region", name="The answer").locator(".figures")
    expect(figures).to_contain_text(f"lists it would enter, of {record.asked}")
    nets = run.audience_robustness(found)
    assert nets is not None
    expect(figures).to_contain_text(f"{nets.hold} of {nets.nets}")
    page.wait_for_url(re.compile("wanted=3"))


def test_an_audience_and_another_item_can_be_chosen(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/seller")
    audience = page.get_by_label("Audience")
    expect(audience.locator("option").nth(1)).to_be_attached()
    names = audience.locator("option").evaluate_all("all => all.map(one => one.value)")
    name = next(name for name in names if "taste:" in name)
    audience.select_option(name)
    page.get_by_label("Find another item").last.press_sequentially("mini")
    search = page.get_by_role("search", name="Find another item")
    # What fits the first letters is shown, too, until all of them are typed: only what fits all of them stays.
    item = search.get_by_role("button", name=re.compile("mini", re.IGNORECASE)).first.inner_text()
    search.get_by_role("button", name=item, exact=True).click()
    expect(page.locator(".headline")).to_have_text(item)
    page.get_by_label("Lists it is to enter, at least").fill("1")
    page.get_by_role("button", name="Find the smallest improvement").click()
    assert item in answer(page)
    page.wait_for_url(lambda url: all(part in url for part in ("item=", "audience=taste", "wanted=1")))
    other = visits.open(page.url)
    assert answer(other) == answer(page)


def test_a_wish_that_cannot_come_true_says_why(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/seller?wanted=4000")
    expect(page.get_by_role("region", name="The answer").get_by_role("alert")).to_contain_text("cannot be won")


def test_whose_lists_it_would_enter(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/seller?wanted=2")
    answer(page)
    page.get_by_text("Whose lists it would enter").click()
    page.get_by_role("region", name="The answer").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("into the list?")
