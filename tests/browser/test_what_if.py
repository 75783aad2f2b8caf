"""What if: a row is dragged, the list is ranked anew, the item crosses the line; undo, reset, and a link to it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from scripts.page_server import Server

from tests.browser.reading import chosen_item, explained, listed, sliders, the_list
from tests.browser.visits import PHONE_DARK, Visits


def gone(page: Page, item: str) -> None:
    """Wait until the item is below the cut."""
    expect(the_list(page).locator("li.below .name", has_text=item)).to_be_visible()


def back(page: Page, item: str) -> None:
    expect(the_list(page).locator("li.listed .name", has_text=item)).to_be_visible()


def test_the_smallest_change_takes_the_item_off_the_list(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    item, before = chosen_item(page), listed(page)
    page.get_by_role("button", name="Show the smallest change").click()
    gone(page, item)
    assert [name for name in before if name != item] == [name for name in listed(page) if name in before]
    expect(page.locator(".outcome")).to_contain_text(re.compile(r"off the list of 5"))
    page.wait_for_url(re.compile("set="))


def test_undo_and_reset(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    item, before = chosen_item(page), listed(page)
    undo, reset = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Reset"))
    expect(undo).to_be_disabled()
    expect(reset).to_be_disabled()
    page.get_by_role("button", name="Show the smallest change").click()
    gone(page, item)
    reset.click()
    back(page, item)
    assert listed(page) == before
    undo.click()
    gone(page, item)
    undo.click()
    back(page, item)
    expect(undo).to_be_disabled()
    page.wait_for_url(lambda url: "set=" not in url)


def test_the_address_is_the_state(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    item = chosen_item(page)
    page.get_by_role("button", name="Show the smallest change").click()
    gone(page, item)
    page.wait_for_url(re.compile("set="))
    other = visits.open(page.url, PHONE_DARK)
    gone(other, item)
    assert listed(other) == listed(page)
    assert other.locator(".outcome").inner_text() == page.locator(".outcome").inner_text()


def test_copy_as_a_link(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explained(page)
    page.get_by_role("button", name="Show the smallest change").click()
    page.wait_for_url(re.compile("set="))
    page.get_by_role("button", name="Copy as a link").click()
    expect(page.get_by_text("The link is copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_keys_move_a_row_from_value_to_value(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    row = sliders(page).first
    said = row.get_attribute("aria-valuetext")
    row.focus()
    page.keyboard.press("Home")
    expect(row).not_to_have_attribute("aria-valuetext", said or "")
    expect(page.locator(".outcome")).not_to_be_empty()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("set="))


def test_dragging_ranks_the_list_live(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    row = sliders(page).first
    place = row.bounding_box()
    assert place is not None
    middle = place["y"] + place["height"] / 2
    page.mouse.move(place["x"] + place["width"] * 0.9, middle)
    page.mouse.down()
    page.mouse.move(place["x"] + place["width"] * 0.1, middle, steps=12)
    expect(page.locator(".outcome")).not_to_be_empty()  # before the mouse is let go
    page.mouse.up()
    page.wait_for_url(re.compile("set="))


def test_every_step_of_a_row_is_answered(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    row, outcome = sliders(page).first, page.locator(".outcome")
    row.focus()
    page.keyboard.press("Home")
    expect(outcome).not_to_be_empty()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight"):
        said = outcome.inner_text()
        page.keyboard.press(key)
        expect(outcome).not_to_have_text(said)


def test_all_other_aspects_are_folded_below(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    few = sliders(page).count()
    page.get_by_text(re.compile(r"Other aspects \(\d+\)")).click()
    expect(sliders(page)).to_have_count(8)
    assert few <= 3
    labels = [row.get_attribute("aria-label") for row in sliders(page).all()]
    assert all(label and chosen_item(page) in label for label in labels)
    assert len(set(labels)) == len(labels)
