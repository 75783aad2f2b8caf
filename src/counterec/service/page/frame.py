"""The frame of the page: head, navigation, and the panel that the address names, or what went wrong with it."""

# No annotations as texts here: NiceGUI compares the class of a parameter to know what to hand over.

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import FastAPI
from nicegui import PageArguments, ui
from nicegui import app as nicegui
from nicegui.elements.sub_pages import SubPages
from starlette.datastructures import QueryParams

from counterec.errors import CounterecError
from counterec.service.page.audience import seller_panel
from counterec.service.page.case_panel import case_panel
from counterec.service.page.contrast import contrast_panel
from counterec.service.page.elements import Opened, box, button, link, notice, text, with_attributes
from counterec.service.page.model_panel import model_panel
from counterec.service.page.site import Address, Site

STYLE = Path(__file__).with_name("style.css")


@dataclass(frozen=True)
class Panel:
    """One panel; ``build`` makes its elements, and may wait for something to be computed."""

    path: str
    title: str
    build: Callable[[Opened], Awaitable[None]]


PANELS = (
    Panel("/", "Why?", case_panel),
    Panel("/why-not", "Why not?", contrast_panel),
    Panel("/model", "The model", model_panel),
    Panel("/seller", "For a seller", seller_panel),
)
LOOKS = {"dark": True, "light": False}
"""What the address may say about light and dark; otherwise the system decides."""

RECONNECT_S = 60.0
"""How long a page that has lost its connection is kept; later it is made anew from its address."""

log = logging.getLogger(__name__)


def add_page(app: FastAPI, site: Site) -> None:
    """Add the page of a run to an application, at its root."""
    style = STYLE.read_text(encoding="utf-8")

    def page() -> None:
        ui.add_head_html(f"<style>{style}</style>")
        Frame(site)

    ui.run_with(
        app,
        root=page,
        title="CountERec",
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT_S,
        binding_refresh_interval=None,
        show_welcome_message=False,
    )
    nicegui.on_startup(site.warm_up)


class Frame:
    """One opening of the page."""

    def __init__(self, site: Site) -> None:
        self._site = site
        here = Address.of(ui.context.client.sub_pages_router.current_path)
        self._opened = Opened(site, here, self._follow)
        self._dark = ui.dark_mode(LOOKS.get(self._opened.address.get("look") or ""))
        self._links: dict[str, ui.link] = {}
        with ui.context.client.layout:  # beside the framework's own main element, not in it
            with box("header", "head") as head:
                self._head()
            head.move(target_index=0)
        self._main = box("div", "main")
        ui.skip_link("Skip to the content", target=self._main)
        with self._main:
            self._routes = _Routes({panel.path: self._builder(panel) for panel in PANELS})

    def _head(self) -> None:
        with box("div", "brand"):
            text("CountERec", "span", "brand-name")
            text(self._site.name, "span", "muted")
        with box("nav", "panels", aria_label="Panels"):
            for panel in PANELS:
                self._links[panel.path] = link(panel.title, panel.path)
        button("Light or dark", self._switch_look)

    async def _switch_look(self) -> None:
        """To the other look; the address keeps it."""
        dark = not await ui.run_javascript("Quasar.Dark.isActive")  # where the system decides, only the browser knows
        self._dark.set_value(dark)
        self._opened.remember(self._opened.address.with_params(look="dark" if dark else "light"))

    def _builder(self, panel: Panel) -> Callable[[PageArguments], object]:
        async def build(arguments: PageArguments) -> None:
            address = Address(panel.path, tuple(arguments.query_parameters.multi_items()))
            self._opened = Opened(self._site, address, self._follow)
            ui.page_title(f"{panel.title} · {self._site.name} · CountERec")
            self._point_links(address)
            with box("div", "panel") as place:
                waiting = text("Working it out …", "p", "loading")
                try:
                    await panel.build(self._opened)
                except CounterecError as error:
                    _show_failure(place, str(error), address)
                except Exception:
                    log.exception("the panel %s failed", panel.path)
                    _show_failure(place, "This is a fault of the page, not of your question.", address)
                else:
                    if not waiting.is_deleted:  # somebody may have gone on before it was there
                        waiting.delete()

        return build

    def _follow(self, address: Address) -> None:
        """Let links lead on from the address that a panel has set."""
        self._routes.stay_at(address)
        self._point_links(address)

    def _point_links(self, address: Address) -> None:
        """Let the navigation lead to the same user and item, and say where one is."""
        for path, entry in self._links.items():
            with_attributes(entry, href=str(address.to(path)))
            entry.props(remove="aria-current")
            if path == address.path:
                with_attributes(entry, aria_current="page")


def _show_failure(place: ui.element, said: str, address: Address) -> None:
    """Show an error instead of the panel, and a way on."""
    place.clear()
    with place, notice("This could not be shown.", said, kind="error"):
        link("Start again", str(address.to("/", user=None, item=None)), "button")


class _Routes(SubPages):
    """The panels by their paths; of a path that there is not, it says so."""

    def stay_at(self, address: Address) -> None:
        """Take an address for the one that is shown: coming from it, every other one is built anew."""
        self._router.current_path = str(address)
        if self._match is not None:
            self._match.query_params = QueryParams(list(address.params))

    def _render_404(self) -> None:
        path = urlsplit(self._router.current_path).path
        with notice("There is no such page.", f"{path} leads nowhere.", kind="error"):
            link("Start again", "/", "button")
