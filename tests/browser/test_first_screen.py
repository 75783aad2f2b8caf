"""The first screen: no click needed, a good example, a list with its cut, a sentence, and at most three rows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from scripts.page_server import Server

from counterec import open_run
from tests.browser.reading import below, chosen_item, explained, listed, sliders, the_list
from tests.browser.visits import LOOKS, PHONE, SCREEN, Look, Visits, scrolls_sideways


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_it_shows_a_case_without_a_click(demo: Server, visits: Visits, look: Look) -> None:
    page = visits.open(demo.url, look)
    explained(page)
    assert len(listed(page)) == 5
    assert len(below(page)) == 2
    expect(the_list(page).locator(".cut")).to_contain_text("The list ends here")
    item = chosen_item(page)
    assert item in listed(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text(item)
    assert 1 <= sliders(page).count() <= 3
    assert not scrolls_sideways(page)


def test_the_sentence_names_what_would_take_its_place(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    headline = page.locator(".headline").inner_text()
    assert below(page)[0] in headline
    sizes = page.evaluate(
        "['.headline', '.sentence'].map((name) => parseFloat(getComputedStyle(document.querySelector(name)).fontSize))"
    )
    assert sizes[0] > sizes[1]


def test_it_is_the_record_of_the_run_in_the_same_words(demo: Server, demo_run, visits: Visits) -> None:
    from counterec.wording import reason, sentence

    page = visits.open(demo.url)
    explained(page)
    shown = page.locator(".sentence").first.inner_text()
    run = open_run(demo_run)
    stored = run.explanations_table("minimal")
    records = [run.record(row) for row in stored.iter_rows(named=True)]
    (found,) = [record for record in records if sentence(record) == shown and record.item == chosen_item(page)]
    assert page.locator(".headline").inner_text() == reason(found)


def test_each_row_says_how_many_opinions_stand_behind_it(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    rows = page.locator(".what-if .value-row")
    for row in rows.all():
        expect(row).to_contain_text(re.compile(r"\d+ opinions? so far|nobody mentions it"))
        expect(row).to_contain_text(re.compile(r"→"))


def test_where_the_model_has_both_it_says_how_much_is_history(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    expect(page.locator(".origin")).to_contain_text(re.compile(r"\d+% .*aspects.*reviewed before"))


def test_a_link_opens_another_item(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url, PHONE)
    explained(page)
    other = next(name for name in listed(page) if name != chosen_item(page))
    the_list(page).get_by_role("link", name=other).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(other)
    explained(page)
    page.wait_for_url(re.compile("item="))
    page.go_back()
    expect(page.get_by_role("heading", level=1)).not_to_contain_text(other)


def test_it_is_there_for_the_keyboard(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url, SCREEN)
    explained(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent").strip() == "Skip to the content"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + ' ' + (document.activeElement.type || '')"))
    assert {"A ", "INPUT range", "BUTTON button"} <= reached
