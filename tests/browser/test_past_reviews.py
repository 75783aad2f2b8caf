"""The answer by past reviews: a choice beside the answer, remembered in the address."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect
from scripts.page_server import Server

from counterec import open_run, reason, sentence
from tests.browser.reading import chosen_item, explained
from tests.browser.visits import PHONE, Visits


def said(page: Page) -> str:
    return page.get_by_role("region", name="The explanation").locator(".sentence").inner_text()


def test_another_choice_is_another_answer_and_in_the_address(demo: Server, demo_run: Path, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    by_aspects, name = said(page), chosen_item(page)
    page.get_by_label("Explained by").select_option("history")
    page.wait_for_url(re.compile("by=history"))
    expect(page.get_by_role("region", name="The explanation").locator(".sentence")).not_to_have_text(by_aspects)
    run = open_run(demo_run)
    user = page.get_by_role("list", name=re.compile("^The list of")).get_attribute("aria-label")
    rows = run.explain((user or "").removeprefix("The list of "), by="history").to_dicts()
    records = {run.item_name(row["item_id"]): run.history_record(row) for row in rows}
    assert said(page) == sentence(records[name])
    assert page.locator(".headline").inner_text() == reason(records[name])
    page.get_by_label("Explained by").select_option("aspects")
    page.wait_for_url(lambda url: "by=" not in url)
    expect(page.get_by_role("region", name="The explanation").locator(".sentence")).to_have_text(by_aspects)


def test_a_link_leads_to_it(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/?by=history", PHONE)
    explained(page)
    expect(page.get_by_label("Explained by")).to_have_value("history")
    expect(page.locator(".sentence").first).to_contain_text(re.compile("this user|past reviews"))


def test_where_no_reviews_are_known_there_is_no_choice(films: Server, visits: Visits) -> None:
    page = visits.open(f"{films.url}/?by=history")
    explained(page)
    expect(page.get_by_label("Explained by")).to_have_count(0)
