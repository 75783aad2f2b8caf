"""Empty, loading and error states that say what to do; nothing blocks; one visitor does not see another's choices."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from scripts.page_server import Server

from tests.browser.reading import chosen_item, explained, listed, sliders, the_list
from tests.browser.runs import made_once, make_lists
from tests.browser.visits import PHONE, Visits


@pytest.mark.parametrize(
    "path", ["/nowhere", "/?user=Nobody", "/?item=Nothing", "/model?position=first", "/seller?item=X"]
)
def test_an_address_that_leads_nowhere_says_so_and_leads_back(demo: Server, visits: Visits, path: str) -> None:
    visits.forgive("404 .*/nowhere")
    page = visits.open(demo.url + path, PHONE)
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("link", name="Start again").click()
    explained(page)


def test_filters_that_fit_nobody_say_so(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/model?position=1&taste=nothing+like+that")
    expect(page.get_by_text("No recommendation fits these filters.")).to_be_visible()


def test_a_run_without_explanations_says_what_is_missing(serve, shared_folder: Path, visits: Visits) -> None:
    server = serve(made_once(shared_folder / "lists", make_lists))
    page = visits.open(server.url)
    explained(page)  # it is found when it is asked for
    page.goto(f"{server.url}/model")
    expect(page.get_by_role("status").filter(has_text="no stored explanations")).to_be_visible()


def test_two_visitors_have_pages_of_their_own(demo: Server, visits: Visits) -> None:
    one, other = visits.open(demo.url), visits.open(demo.url)
    explained(one)
    explained(other)
    before, item = listed(other), chosen_item(one)
    one.get_by_role("button", name="Show the smallest change").click()
    expect(the_list(one).locator("li.below .name", has_text=item)).to_be_visible()
    assert listed(other) == before
    assert "set=" not in other.url


def at_rest(page: Page) -> None:
    """Wait until the address and what it says have not changed for a second and a half."""
    seen, since = "", time.monotonic()
    while time.monotonic() < since + 1.5:
        now = page.url + page.locator(".outcome").inner_text()
        if now != seen:
            seen, since = now, time.monotonic()
        page.wait_for_timeout(100)


def test_many_keys_in_a_row_end_with_the_last(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    row = sliders(page).first
    row.focus()
    for _ in range(3):
        for key in ("Home", "End", "ArrowLeft", "ArrowLeft", "Home", "ArrowRight"):
            page.keyboard.press(key)
    page.wait_for_url("**set=**")
    said = page.locator(".outcome")
    expect(said).not_to_be_empty()
    at_rest(page)
    fresh = visits.open(page.url)
    expect(fresh.locator(".outcome")).to_have_text(said.inner_text())
    assert listed(fresh) == listed(page)
