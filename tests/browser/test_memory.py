"""Memory stays flat over 200 openings, and a page has a bounded number of elements."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from scripts.page_server import Server, started

from tests.browser.reading import explained
from tests.browser.visits import Visits, connected

OPENINGS, WARM_UP = 200, 50
MOST_GROWTH_MIB = 40.0
"""What the last three quarters of the openings may add."""
MOST_ELEMENTS = 900


@pytest.fixture
def own_server(demo_run: Path, tmp_path: Path):
    """A server that no other test talks to, and that keeps pages that are gone for a second only, not for a minute."""
    soon = "import counterec.service.page.frame as frame; frame.RECONNECT_S = 1.0"
    with started(demo_run, tmp_path / "log", first=soon) as server:
        yield server


def test_it_is_flat_over_200_openings(own_server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    after_warm_up = 0.0
    for number in range(OPENINGS):
        page.goto(f"{own_server.url}/?user=U{number % 40 + 1:04}")
        connected(page)
        if number == WARM_UP:
            after_warm_up = own_server.resident_mib()
    grown = own_server.resident_mib() - after_warm_up
    context.close()
    assert grown < MOST_GROWTH_MIB


@pytest.mark.parametrize("path", ["/", "/why-not", "/model?case.status=explained", "/seller?wanted=2"])
def test_a_page_has_a_bounded_number_of_elements(demo: Server, visits: Visits, path: str) -> None:
    page = visits.open(demo.url + path)
    if path == "/":
        explained(page)
    expect(page.locator(".loading")).to_have_count(0)
    assert page.locator("*").count() < MOST_ELEMENTS
