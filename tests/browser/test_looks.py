"""Every panel at both widths, light and dark: nothing too wide, no grave finding of axe-core, every field labelled."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from scripts.page_server import Server

from tests.browser.axe import grave_violations
from tests.browser.reading import explained
from tests.browser.visits import LOOKS, Look, Visits, scrolls_sideways


def first_panel(page: Page) -> None:
    explained(page)
    for details in page.locator("details:visible > summary").all():
        details.click()


def answers(page: Page) -> None:
    expect(page.locator(".sentence").first).to_be_visible()


def cases(page: Page) -> None:
    page.locator(".bar").first.click()
    expect(page.locator("ol.cases li").first).to_be_visible()


PANELS = {
    "/": first_panel,
    "/why-not": answers,
    "/model": cases,
    "/seller?wanted=2": answers,
    "/nowhere": lambda _: None,
}


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("path", PANELS)
def test_every_panel(demo: Server, visits: Visits, path: str, look: Look) -> None:
    visits.forgive("404 .*/nowhere")
    page = visits.open(demo.url + path, look)
    PANELS[path](page)
    expect(page.locator(".loading")).to_have_count(0)
    assert not scrolls_sideways(page)
    assert grave_violations(page) == []


@pytest.mark.parametrize("path", PANELS)
def test_an_imported_run_has_every_panel(films: Server, visits: Visits, path: str) -> None:
    visits.forgive("404 .*/nowhere")
    page = visits.open(films.url + path, LOOKS[0])
    if path != "/model":
        PANELS[path](page)
    expect(page.locator(".loading")).to_have_count(0)
    assert not scrolls_sideways(page)
    assert grave_violations(page) == []


def test_the_look_is_kept_in_the_address(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    page.get_by_role("button", name="Light or dark").click()
    page.wait_for_function("document.body.classList.contains('body--dark')")
    page.wait_for_url("**look=dark**")
    page.reload()
    page.wait_for_function("document.body.classList.contains('body--dark')")
