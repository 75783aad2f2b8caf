"""Names, ids and review texts with HTML, Markdown, emoji, right-to-left and very long words are shown as text."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect
from scripts.page_server import Server

from counterec import open_run
from tests.browser.axe import grave_violations
from tests.browser.reading import explained, listed
from tests.browser.runs import HOSTILE
from tests.browser.visits import PHONE, SCREEN, Look, Visits, scrolls_sideways

USER = "<i>U</i> & Ω"


def untouched(page: Page) -> None:
    """Nothing that the data says has run, or become an element."""
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, main b, main a[href^=javascript]").count() == 0
    assert not scrolls_sideways(page)


def plain(text: str) -> str:
    """A text as a browser shows it: runs of white space are one space."""
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize("look", [PHONE, SCREEN], ids=str)
def test_every_item_of_every_kind(hostile: Server, hostile_run, visits: Visits, look: Look) -> None:
    run = open_run(hostile_run)
    seen: set[str] = set()
    page = visits.open(hostile.url, look)
    for user in run.space.users.texts:
        if len(seen) == len(HOSTILE):
            break
        row = run.recommendations.of_user(run.space.users.number(user)).items[0]
        names = [run.item_name(run.space.items.texts[item]) for item in row[:5]]
        new = {bit for bit in HOSTILE for name in names if name.endswith(bit)} - seen
        if not new:
            continue
        page.goto(f"{hostile.url}/?user={quote(user)}")
        explained(page)
        assert [plain(name) for name in listed(page)] == [plain(name) for name in names]
        untouched(page)
        seen |= new
    assert len(seen) >= len(HOSTILE) - 2


def test_a_hostile_user_is_a_user_like_any_other(hostile: Server, visits: Visits) -> None:
    page = visits.open(f"{hostile.url}/?user={quote(USER)}", PHONE)
    explained(page)
    expect(page.get_by_role("heading", level=2, name=f"Recommended to {USER}")).to_be_visible()
    untouched(page)
    assert grave_violations(page) == []


def test_review_sentences_are_text(hostile: Server, hostile_run, visits: Visits) -> None:
    run = open_run(hostile_run)
    texts = [plain(str(text)) for text in run.reviews["text"]]
    page = visits.open(hostile.url)
    found = 0
    for user in run.space.users.texts[:6]:
        page.goto(f"{hostile.url}/?user={quote(user)}")
        explained(page)
        for more in page.get_by_role("button", name=re.compile("read them")).all():
            more.click()
            expect(page.locator(".quote-words").first).to_be_visible()
        for said in page.locator(".quote-words").all_inner_texts():
            assert any(plain(said) in text for text in texts), said
            found += 1
        untouched(page)
    assert found > 10


@pytest.mark.parametrize("path", ["/why-not", "/model", "/seller?wanted=1"])
def test_the_other_panels(hostile: Server, visits: Visits, path: str) -> None:
    page = visits.open(hostile.url + path, PHONE)
    if path == "/model":
        for bar in page.get_by_role("region", name="Items that win by an aspect").locator(".bar").all()[:1]:
            bar.click()
            expect(page.locator("ol.cases li").first).to_be_visible()
    else:
        expect(page.locator(".sentence").first).to_be_visible()
    untouched(page)


def test_items_are_found_by_what_is_in_their_names(hostile: Server, visits: Visits) -> None:
    page = visits.open(f"{hostile.url}/seller")
    field = page.get_by_role("combobox", name="Find another item")
    for typed in ("<script>", "مرحبا", "👩‍👩‍👧‍👦", "emoji", "Donaudampf"):
        field.fill(typed)
        expect(page.get_by_role("option").nth(1)).to_be_visible()
    untouched(page)
