"""A labelled choice among a few, as the browser has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui.elements.mixins.text_element import TextElement

from counterec.service.page.text_elements import box, text, with_attributes


def choice_field(
    label: str, options: Mapping[str, str], chosen: str, on_choice: Callable[[str], Any], classes: str = ""
) -> None:
    """Show a choice; ``options`` maps what is chosen to the words for it."""
    with box("label", f"choice {classes}"):
        text(label, "span", "small muted")
        with box("select", "field") as field:
            for value, said in options.items():
                option = TextElement(tag="option", text=said)
                with_attributes(option, value=value)
                if value == chosen:
                    option.props("selected")
        field.on("change", lambda event: on_choice(event.args), js_handler="(event) => emit(event.target.value)")
