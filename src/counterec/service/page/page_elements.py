"""The two elements of our own: a list whose items move, and a row that stops only where a value is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from counterec.service.page.address import Address
from counterec.service.page.listing import Listing
from counterec.service.page.value_steps import ValueSteps


class RankedList(ui.element, component="ranked_list.js"):
    """A user's list with its cut; each item is a link to its own case."""

    def __init__(self, label: str, address: Address, chosen: str) -> None:
        super().__init__()
        self._address, self._chosen = address, chosen
        self.props["label"] = label
        self.props["rows"] = []
        self.props["cut"] = ""

    def show(self, listing: Listing) -> None:
        """Show another list, or the same after a change."""
        self.props["cut"] = f"The list ends here, after {listing.k}"
        self.props["rows"] = [
            {
                "position": item.position,
                "id": item.item_id,
                "name": item.name,
                "listed": item.listed,
                "movement": item.movement,
                "moved": item.was is not None,
                "chosen": item.item_id == self._chosen,
                "href": str(self._address.with_params(item=item.item_id, set=None)),
            }
            for item in listing.items
        ]
        self.update()


class ValueSlider(ui.element, component="value_slider.js"):
    """The values of an aspect on a row."""

    def __init__(self, steps: ValueSteps, label: str, goal: int | None, goal_label: str) -> None:
        super().__init__()
        ends = [at for at in (0, len(steps.codes) - 1) if steps.places[at] in (0, 1) or at]
        given: dict[str, Any] = {
            "label": label,
            "places": list(steps.places),
            "shown": list(steps.shown),
            "notes": list(steps.notes),
            "scale": steps.scale,
            "now": steps.now,
            "value": steps.now,
            "goal": goal,
            "goal-label": goal_label,
            "ends": [{"text": steps.shown[at], "left": f"{100 * steps.places[at]:.1f}%"} for at in ends],
        }
        for name, value in given.items():
            self.props[name] = value

    def set_at(self, at: int) -> None:
        """Put the row to the value at this place."""
        self.props["value"] = at
        self.update()

    def on_slide(self, handler: Callable[[int], Any], settled: Callable[[int], Any]) -> None:
        """Call these with the place of each value that is passed, and of the one where the row comes to rest."""
        self.on("slide", lambda event: handler(int(event.args)))
        self.on("settle", lambda event: settled(int(event.args)))
