"""One aspect of the item as a row: what it is, and what it may become. The row itself is what is dragged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import GenericEventArguments

from counterec.service.page.page_elements import ValueSlider
from counterec.service.page.text_elements import box, text, with_attributes
from counterec.service.page.value_steps import ValueSteps

Report = Callable[[ValueSteps, int, bool], Awaitable[None]]
"""Told which aspect was put to which value, and whether it has come to rest there."""


class ValueRow:
    """A row that can be set: a slider, a switch or a choice. ``goal`` is the value that an answer gives it."""

    def __init__(self, steps: ValueSteps, item: str, goal: float | None, goal_label: str, report: Report) -> None:
        self.steps, self._report = steps, report
        self._goal = None if goal is None else steps.nearest(goal)
        self._label, self._goal_label = f"{steps.label} of {item}", goal_label
        with box("div", "value-row"):
            self._put = {"slider": self._slider, "switch": self._switch, "choice": self._choice}[steps.control]()
            self.below = box("div", "value-below row")

    def set(self, code: float | None) -> None:
        """Put the row to this value; None: to what it is."""
        self._put(self.steps.now if code is None else self.steps.nearest(code))

    def _slider(self) -> Callable[[int], None]:
        slider = ValueSlider(self.steps, self._label, self._goal, self._goal_label)
        slider.on("slide", lambda event: self._report(self.steps, int(event.args), False))
        slider.on("settle", lambda event: self._report(self.steps, int(event.args), True))
        return slider.put

    def _switch(self) -> Callable[[int], None]:
        with self._head():
            said = text("", "span", "slider-values")
            field = with_attributes(ui.element("input"), type="checkbox", role="switch", aria_label=self._label)

        def put(at: int) -> None:
            said.set_text(self._words(at))
            field.props["checked"] = at == 1

        return self._reporting(field, put, "(event) => emit(event.target.checked ? 1 : 0)")

    def _choice(self) -> Callable[[int], None]:
        with self._head():
            said = text("", "span", "slider-values")
            field = with_attributes(box("select", "field"), aria_label=self._label)
            with field:
                for at, shown in enumerate(self.steps.shown):
                    with_attributes(TextElement(tag="option", text=shown), value=str(at))

        def put(at: int) -> None:
            said.set_text(self._words(at))
            field.props["value"] = str(at)

        return self._reporting(field, put, "(event) => emit(event.target.value)")

    def _head(self) -> ui.element:
        made = box("div", "field-head")
        with made:
            text(self.steps.label, "span", "slider-name")
        return made

    def _words(self, at: int) -> str:
        """“yes → no”: what it is and what it is set to or, where nothing is set, what the answer gives it.

        A switch says nothing by itself; a choice says what it is.
        """
        now, shown = self.steps.now, self.steps.shown
        after = at if at != now or self._goal is None else self._goal
        if after != now:
            return f"{shown[now]} → {shown[after]}"
        return shown[now] if self.steps.control == "switch" else ""

    def _reporting(self, field: ui.element, put: Callable[[int], None], emits: str) -> Callable[[int], None]:
        """Report what somebody sets a field to, and begin with the value as it is."""

        async def changed(event: GenericEventArguments) -> None:
            put(int(event.args))
            await self._report(self.steps, int(event.args), True)

        field.on("change", changed, js_handler=emits)
        put(self.steps.now)
        return put
