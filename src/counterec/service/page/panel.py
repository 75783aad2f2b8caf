"""A panel of the page: what it is called, where it is, and how it is built."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nicegui import ui

from counterec.service.page.address import Address
from counterec.service.page.site import Site


class Opened:
    """A panel that somebody has opened: the run, and the address, which changes as they click.

    It lives as long as the panel is on the screen, and holds all of its state that is not in the address.
    """

    def __init__(self, site: Site, address: Address, on_remember: Callable[[Address], None] | None = None) -> None:
        self.site, self.address, self._on_remember = site, address, on_remember

    def remember(self, address: Address) -> None:
        """Put another address into the browser; the panel stays as it is, since it already shows what it says."""
        self.address = address
        ui.navigate.history.replace(address.query)
        if self._on_remember is not None:
            self._on_remember(address)

    def go(self, address: Address) -> None:
        """Open another address, in the history of the browser."""
        ui.navigate.to(str(address))


@dataclass(frozen=True)
class Panel:
    """One panel; ``build`` makes its elements, and may wait for something to be computed."""

    path: str
    title: str
    build: Callable[[Opened], Awaitable[None]]
