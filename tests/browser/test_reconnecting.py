"""A tab that slept, or whose server was started again, goes on without losing its place."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect
from scripts.page_server import Server, started

from tests.browser.reading import chosen_item, explained, listed, the_list
from tests.browser.visits import Visits, connected


def changed(page: Page) -> tuple[str, list[str]]:
    """Set the smallest change, and return the item and the list with it."""
    explained(page)
    item = chosen_item(page)
    page.get_by_role("button", name="Show the smallest change").click()
    expect(the_list(page).locator("li.below .name", has_text=item)).to_be_visible()
    page.wait_for_url(re.compile("set="))
    return item, listed(page)


def test_after_a_short_sleep_everything_is_as_it_was(demo: Server, visits: Visits) -> None:
    visits.forgive("WebSocket|ERR_INTERNET_DISCONNECTED")
    page = visits.open(demo.url)
    item, after = changed(page)
    page.evaluate("window.stays = true")
    page.context.set_offline(True)
    page.evaluate("window.socket.io.engine.close()")
    page.wait_for_function("!window.socket.connected")
    page.wait_for_timeout(1000)
    page.context.set_offline(False)
    page.wait_for_function("window.socket.connected")
    connected(page)
    assert listed(page) == after
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(the_list(page).locator("li.listed .name", has_text=item)).to_be_visible()


def test_after_a_long_sleep_the_page_is_made_again_from_its_address(
    demo_run: Path, tmp_path: Path, visits: Visits
) -> None:
    visits.forgive("WebSocket|ERR_|Failed to load|socket.io")
    with started(demo_run, tmp_path / "first.log") as server:
        page = visits.open(server.url)
        item, after = changed(page)
        address, port = page.url, server.port
        page.evaluate("window.before = true")
    page.wait_for_function("!window.socket.connected")
    with started(demo_run, tmp_path / "second.log", port=port):  # it knows nothing of this page
        page.wait_for_function("!window.before && window.did_handshake === true", timeout=60_000)
        explained(page)
        expect(the_list(page).locator("li.below .name", has_text=item)).to_be_visible()
        assert listed(page) == after
        assert page.url == address
        page.get_by_role("button", name="Reset", exact=True).click()
        expect(the_list(page).locator("li.listed .name", has_text=item)).to_be_visible()
