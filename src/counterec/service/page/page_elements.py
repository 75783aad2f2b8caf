"""The two elements of our own: a list whose items move, and a row that stops only where a value is possible."""

from __future__ import annotations

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
        self.props["cut"] = f"The list ends here, after {sum(item.listed for item in listing.items)}"
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
    """The values of an aspect on a row; it reports *slide* and *settle*, with the place of a value."""

    def __init__(self, steps: ValueSteps, label: str, goal: int | None, goal_label: str) -> None:
        super().__init__()
        given: dict[str, Any] = {
            "name": steps.label,
            "label": label,
            "places": list(steps.places),
            "shown": list(steps.shown),
            "notes": list(steps.notes),
            "scale": steps.scale,
            "absent": 0 if steps.can_be_absent else -1,
            "now": steps.now,
            "value": steps.now,
            "goal": -1 if goal is None else goal,
            "goal-label": goal_label,
            "ends": [{"text": said, "place": place, "side": side} for said, place, side in steps.ends],
        }
        for name, value in given.items():
            self.props[name] = value

    def put(self, at: int) -> None:
        """Put the row to the value at this place."""
        with self.props.suspend_updates():  # where it begins, if it is not on the screen yet
            self.props["value"] = at
        self.run_method("put", at)
