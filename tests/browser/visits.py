"""A visit: a page in a browser that notes everything that should not happen on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

STAYS = ("127.0.0.1", "localhost", "")
"""Hosts that are this machine; data in an address has none."""
WITHIN = 20_000
"""Milliseconds that anything on a page may take, on a busy machine."""


@dataclass(frozen=True)
class Look:
    """How a page is looked at."""

    width: int
    scheme: Literal["light", "dark"]

    @property
    def height(self) -> int:
        """Of a phone held upright, or of a screen."""
        return 844 if self.width < 600 else 900

    def __str__(self) -> str:
        return f"{self.width}-{self.scheme}"


PHONE, PHONE_DARK = Look(390, "light"), Look(390, "dark")
SCREEN, SCREEN_DARK = Look(1440, "light"), Look(1440, "dark")
LOOKS = (PHONE, PHONE_DARK, SCREEN, SCREEN_DARK)


class Visits:
    """Opens pages, each in a context of its own as a new visitor's, and keeps what went wrong on any of them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._forgiven: list[re.Pattern[str]] = []
        self.problems: list[str] = []

    def open(self, url: str, look: Look = SCREEN) -> Page:
        """Open an address, and wait until the page is there and connected."""
        page = self.blank(look)
        page.goto(url)
        connected(page)
        return page

    def blank(self, look: Look = SCREEN) -> Page:
        """A page that is watched, and has not been anywhere."""
        context = self._browser.new_context(
            viewport={"width": look.width, "height": look.height}, color_scheme=look.scheme, reduced_motion="reduce"
        )
        context.set_default_timeout(WITHIN)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", lambda request: self._note_address(request.url))
        page.on("websocket", lambda socket: self._note_address(socket.url))
        return page

    def forgive(self, pattern: str) -> None:
        """Let console errors pass that the test provokes."""
        self._forgiven.append(re.compile(pattern))

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _note_address(self, url: str) -> None:
        if urlsplit(url).hostname not in (*STAYS, None):
            self.problems.append(f"leaves the machine: {url}")

    def unforgiven(self) -> list[str]:
        """What went wrong, without what the test provoked."""
        return [problem for problem in self.problems if not any(found.search(problem) for found in self._forgiven)]

    def close(self) -> None:
        """Close every page."""
        for context in self._contexts:
            context.close()


def connected(page: Page) -> None:
    """Wait until the page talks to its server: only then does a click do anything."""
    page.wait_for_function("window.did_handshake === true")


def scrolls_sideways(page: Page) -> bool:
    """Whether something is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1"))
