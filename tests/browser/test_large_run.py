"""A larger run is opened like a small one: search and lists are paged, and nothing is sent whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from scripts.generated_run import make_generated
from scripts.page_server import Server
from scripts.page_traffic import Traffic

from counterec.synthetic.world_size import WorldSize
from tests.browser.reading import explained
from tests.browser.runs import made_once
from tests.browser.visits import Visits, connected

SMALL = WorldSize(users=40, items=60, aspects=10)
LARGE = WorldSize(users=600, items=900, aspects=10)
ROOM_KB = 25.0
"""What a page of the larger run may be sent more: longer names and numbers, never a list of all."""


@pytest.fixture(scope="session")
def servers(serve, shared_folder: Path) -> list[Server]:
    sizes = {"small": SMALL, "large": LARGE}
    return [
        serve(made_once(shared_folder / name, lambda folder, size=size: make_generated(folder, size)))
        for name, size in sizes.items()
    ]


def first(page: Page) -> None:
    explained(page)


def bars(page: Page) -> None:
    expect(page.locator(".bar").first).to_be_visible()


def answers(page: Page) -> None:
    expect(page.locator(".sentence").first).to_be_visible()


@pytest.mark.parametrize(
    ("path", "shown"), [("/", first), ("/why-not", answers), ("/model", bars), ("/seller?wanted=2", answers)]
)
def test_what_is_sent_does_not_grow_with_the_run(servers: list[Server], visits: Visits, path: str, shown) -> None:
    sent, elements = [], []
    for server in servers:
        page = visits.blank()
        traffic = Traffic(page)
        page.goto(server.url + path)
        connected(page)
        shown(page)
        sent.append(traffic.received / 1000)
        elements.append(page.locator("*").count())
    assert sent[1] < sent[0] + ROOM_KB
    assert elements[1] < 1.3 * elements[0] + 50


def test_among_many_users_one_is_found(servers: list[Server], visits: Visits) -> None:
    page = visits.open(servers[1].url)
    explained(page)
    field = page.get_by_label("Find another user").last
    field.fill("U")
    expect(page.get_by_text("600 fit; here are the first 8")).to_be_visible()
    field.fill("u0587")
    page.get_by_role("button", name="U0587").click()
    page.wait_for_url("**user=U0587**")
