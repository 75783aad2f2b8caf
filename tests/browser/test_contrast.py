"""Why not, why rather: what any item would take to enter the list, and the contrast of two items."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from scripts.page_server import Server

from counterec import open_run
from counterec.service.page.search_field import SHOWN
from counterec.service.page.text_search import TextSearch
from counterec.wording import sentence
from tests.browser.reading import below, explained, listed, panel, the_list
from tests.browser.visits import PHONE, SCREEN, Look, Visits

USER = "U0009"


def opened(visits: Visits, server: Server, look: Look = SCREEN) -> Page:
    page = visits.open(f"{server.url}/why-not?user={USER}", look)
    expect(page.get_by_role("region", name="Why not").locator(".sentence")).to_be_visible()
    expect(page.get_by_role("region", name="Why rather").locator(".sentence").first).to_be_visible()
    return page


@pytest.mark.parametrize("look", [PHONE, SCREEN], ids=str)
def test_the_next_item_is_explained_from_the_start(demo: Server, demo_run, visits: Visits, look: Look) -> None:
    page = opened(visits, demo, look)
    run = open_run(demo_run)
    item_id = run.recommendations.of_user(run.space.users.number(USER)).items[0, 5]
    row = run.explain(USER, run.space.items.texts[item_id], question="why_not").row(0, named=True)
    shown = page.get_by_role("region", name="Why not").locator(".sentence").inner_text()
    assert shown == sentence(run.record(row))
    assert below(page)[0] in shown


def test_any_item_that_is_not_in_the_list_is_found(demo: Server, demo_run, visits: Visits) -> None:
    page, run = opened(visits, demo), open_run(demo_run)
    candidates = run.candidates.of(run.space.users.number(USER)).tolist()
    names = [run.item_name(run.space.items.texts[item]) for item in candidates]
    far = next(name for name in names if name not in (*listed(page), *below(page)))
    field = page.get_by_label("Find an item that is not in the list").last
    field.press_sequentially(far)
    page.get_by_role("button", name=far, exact=True).click()
    why_not = page.get_by_role("region", name="Why not")
    expect(why_not.get_by_role("heading", level=3)).to_have_text(far)
    expect(why_not.locator(".sentence")).to_contain_text(far)
    page.wait_for_url(re.compile("absent="))
    field.press_sequentially(listed(page)[0])
    expect(page.get_by_text("Nothing fits")).to_be_visible()


def test_it_can_be_tried_out(demo: Server, visits: Visits) -> None:
    page = opened(visits, demo)
    item = below(page)[0]
    page.get_by_role("link", name=re.compile("Try it out")).click()
    explained(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"bring {item} into the list")
    page.get_by_role("button", name="Show the smallest change").click()
    expect(the_list(page).locator("li.listed .name", has_text=item)).to_be_visible()


def test_two_items_are_compared_and_the_other_way_round(demo: Server, demo_run, visits: Visits) -> None:
    page, run = opened(visits, demo), open_run(demo_run)
    why_rather = page.get_by_role("region", name="Why rather")
    expect(why_rather.get_by_role("heading", level=3).first).to_have_text(
        f"{listed(page)[0]} rather than {below(page)[0]}"
    )
    row = run.recommendations.of_user(run.space.users.number(USER)).items[0]
    first, second = (run.space.items.texts[item] for item in (row[0], row[5]))
    table = run.explain(USER, first, question="why_rather", versus=second)
    assert why_rather.locator(".sentence").first.inner_text() == sentence(run.record(table.row(0, named=True)))
    page.get_by_role("button", name="Ask it the other way round").click()
    expect(why_rather.get_by_role("heading", level=3).first).to_have_text(
        f"{below(page)[0]} rather than {listed(page)[0]}"
    )
    expect(why_rather).to_contain_text("already so")


def test_both_items_can_be_chosen(demo: Server, visits: Visits) -> None:
    page = opened(visits, demo)
    names = listed(page)
    for label, name in (("This one", names[1]), ("rather than that one", names[3])):
        page.get_by_label(label, exact=True).last.press_sequentially(name)
        page.get_by_role("button", name=name, exact=True).click()
    why_rather = page.get_by_role("region", name="Why rather")
    expect(why_rather.get_by_role("heading", level=3).first).to_have_text(f"{names[1]} rather than {names[3]}")


def test_a_result_that_still_fits_stays_the_same_button(demo: Server, demo_run, visits: Visits) -> None:
    """A click may come down while the next letter is searched for: on a button that was replaced it would be lost."""
    page, run = opened(visits, demo), open_run(demo_run)
    candidates = run.candidates.of(run.space.users.number(USER)).tolist()
    names = [run.item_name(run.space.items.texts[item]) for item in candidates]
    begins = {name: name.rsplit(" ", 1)[0] for name in names}
    fitting = {typed: TextSearch(names).found(typed, SHOWN).total for typed in (*begins, *begins.values())}
    name = next(name for name in names if fitting[name] == 1 and 2 <= fitting[begins[name]] <= SHOWN)
    search = page.get_by_role("search", name="This one", exact=True)
    search.get_by_role("searchbox").press_sequentially(begins[name])
    expect(search.get_by_role("button")).to_have_count(fitting[begins[name]])
    before = search.get_by_role("button", name=name, exact=True).element_handle()
    search.get_by_role("searchbox").press_sequentially(name.removeprefix(begins[name]))
    expect(search.get_by_role("button")).to_have_count(1)
    assert before.evaluate("element => element.isConnected")


def test_an_item_that_does_not_compete_is_an_error_in_its_place(demo: Server, demo_run, visits: Visits) -> None:
    known = open_run(demo_run).split.filter(user_id=USER, part="train")["item_id"][0]
    page = visits.open(f"{demo.url}/why-not?user={USER}&absent={known}")
    why_not = page.get_by_role("region", name="Why not")
    expect(why_not.get_by_role("alert")).to_contain_text("does not compete")
    expect(page.get_by_role("region", name="Why rather").locator(".sentence").first).to_be_visible()


def test_it_is_reached_from_the_first_panel(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/?user={USER}")
    explained(page)
    panel(page, "Why not?")
    expect(page.get_by_text(f"For the list of {USER}.")).to_be_visible()
