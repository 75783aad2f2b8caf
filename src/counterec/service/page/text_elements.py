"""HTML elements that hold text. Text is always text: what looks like HTML in it is shown as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

E = TypeVar("E", bound=ui.element)


def text(said: str, tag: str = "span", classes: str = "") -> TextElement:
    """Text in an element of this kind, in the direction that it is written in."""
    return TextElement(tag=tag, text=said).classes(classes).props("dir=auto")


def heading(level: int, said: str, classes: str = "") -> TextElement:
    """A heading."""
    return text(said, f"h{level}", classes)


def box(tag: str = "div", classes: str = "", **attributes: str) -> ui.element:
    """An element that holds others; ``aria_label`` stands for the attribute ``aria-label``."""
    made = ui.element(tag).classes(classes)
    with_attributes(made, **attributes)
    return made


def with_attributes(element: E, **attributes: str) -> E:
    """The same element with these attributes, whatever is in their values."""
    for name, value in attributes.items():
        element.props[name.replace("_", "-")] = value
    return element


def link(said: str, target: str, classes: str = "") -> ui.link:
    """A link within the page; ``target`` begins with a slash, wherever the page is mounted."""
    return ui.link(said, target).classes(classes)


def button(said: str, on_click: Callable[[], Any], classes: str = "", **attributes: str) -> TextElement:
    """A button as the browser has it."""
    made = TextElement(tag="button", text=said).classes(f"button {classes}").props("type=button")
    with_attributes(made, **attributes)
    return made.on("click", on_click)


def folded(summary: str, classes: str = "") -> ui.element:
    """Something that is folded away until its summary is clicked."""
    made = box("details", classes)
    with made:
        text(summary, "summary")
    return made


def notice(title: str, *lines: str, kind: str = "") -> ui.element:
    """An empty, missing or error state: what is so, and what to do."""
    made = box("section", f"notice {kind}", role="alert" if kind == "error" else "status")
    with made:
        text(title, "p", "notice-title")
        for line in lines:
            text(line, "p")
    return made


def loading(said: str = "Working it out …") -> ui.element:
    """What is shown while something is computed."""
    made = box("p", "loading", role="status")
    with made:
        text(said)
    return made
