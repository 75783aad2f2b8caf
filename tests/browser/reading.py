"""What a person reads off the page: the list, its cut, and where things stand on it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


def the_list(page: Page) -> Locator:
    """The list of the user who is on show."""
    return page.get_by_role("list", name=re.compile("^The list of"))


def listed(page: Page) -> list[str]:
    """The names of the items in the list, those below it left out, in their order."""
    return the_list(page).locator("li.listed .name").all_inner_texts()


def below(page: Page) -> list[str]:
    """The names of the items below the cut."""
    return the_list(page).locator("li.below .name").all_inner_texts()


def chosen_item(page: Page) -> str:
    """The item that is explained."""
    return the_list(page).locator("a[aria-current=true] .name").inner_text()


def sliders(page: Page) -> Locator:
    """The rows that can be dragged."""
    return page.get_by_role("slider")


def explained(page: Page) -> None:
    """Wait until the explanation is there."""
    expect(page.get_by_role("region", name="The explanation").locator(".sentence")).to_be_visible()


def panel(page: Page, title: str) -> None:
    """Go to a panel by the navigation."""
    page.get_by_role("navigation", name="Panels").get_by_role("link", name=title, exact=True).click()


def find(page: Page, label: str, typed: str, option: str | None = None) -> None:
    """Type into a field that searches, and choose what it offers."""
    page.get_by_role("combobox", name=label, exact=True).fill(typed)
    page.get_by_role("option", name=option or typed, exact=True).click()


def choose(page: Page, label: str, option: str | re.Pattern[str]) -> None:
    """Choose an option of a field."""
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).first.click()
