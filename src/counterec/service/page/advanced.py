"""Advanced: how an explanation is searched for. Every choice opens the case anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from counterec.core.explainers.constraints import NEVER, Constraints
from counterec.core.explainers.goal_names import GOALS
from counterec.errors import ConfigError
from counterec.service.page.choice_field import choice_field
from counterec.service.page.panel import Opened
from counterec.service.page.settings import Bounds, SearchSettings, bounds_of, with_bounds
from counterec.service.page.text_elements import box, button, folded, text, with_attributes

GOAL_WORDS = {
    "minimal": "as few aspects as possible",
    "single": "one aspect only",
    "relaxed": "small changes of many aspects",
    "complete": "all that its place rests on",
}
VALUE_WORDS = {"reachable": "only what reviews can give", "continuous": "any value"}
NOTHING = ""


class Advanced:
    """The settings of the search, as choices."""

    def __init__(self, opened: Opened, settings: SearchSettings, aspects: Sequence[str]) -> None:
        self._opened, self._settings, self._aspects = opened, settings, aspects
        self._usual = opened.site.run.config.explain.constraints
        own = settings.constraints
        changed = any(value is not None for value in settings.written(self._usual).values())
        with folded("Advanced: how the explanation is searched for", "advanced") as place:
            if changed:
                with_attributes(place, open="open")
            with box("div", "settings"):
                self._choices(own, facts=opened.site.run.space.schema is not None)
                self._keep(own)
                self._bounds(own)
            if changed:
                button("Back to the usual settings", lambda: self._open(SearchSettings("minimal", self._usual)))

    def _choices(self, own: Constraints, facts: bool) -> None:
        """Everything but single aspects; of attributes, nothing about reviews."""
        choice_field("Look for", {goal: GOAL_WORDS[goal] for goal in GOALS}, self._settings.goal, self._on_goal)
        if not facts:
            choice_field("Values may become", VALUE_WORDS, own.values, lambda name: self._constrain(values=name))
            beyond = dict.fromkeys(("0", "1", "3", str(own.unreviewed_beyond), NEVER))
            choices = {count: _beyond(count) for count in beyond}
            choice_field("Aspects may go unmentioned", choices, str(own.unreviewed_beyond), self._on_beyond)
        most = "" if own.most is None else str(own.most)
        choices = {count: count or "any number" for count in dict.fromkeys(("", "1", "2", "3", most))}
        choice_field("How many aspects may change", choices, most, self._on_most)
        masked = {"no": "all", "yes": "those the user speaks of"}
        choice_field("Which aspects may change", masked, "yes" if own.masked else "no", self._on_masked)

    def _keep(self, own: Constraints) -> None:
        """The aspects that must not change, and a way to name one more."""
        free = {NOTHING: "choose one …"} | {name: name for name in sorted(self._aspects) if name not in own.keep}
        choice_field("Keep as it is", free, NOTHING, self._on_keep)
        for kept in own.keep:
            with box("div", "row"):
                text(f"{kept} stays as it is", "span", "small")
                button("Let it change", self._without(kept), "small", aria_label=f"Let {kept} change")

    def _bounds(self, own: Constraints) -> None:
        """The aspects whose values are limited, each with its ends, and a way to limit one more."""
        space, bounds = self._opened.site.run.space, bounds_of(own)
        numbers = [name for name in self._aspects if not space.scale.is_category[space.aspects.number(name)]]
        free = {NOTHING: "choose one …"} | {name: name for name in sorted(numbers) if name not in {*own.keep, *bounds}}
        choice_field("Limit the values of", free, NOTHING, self._on_bound)
        for name, ends in bounds.items():
            with box("div", "row", role="group", aria_label=f"The limits of {name}"):
                text(f"{name} from", "span", "small")
                for at, (end, said) in enumerate(zip(ends, ("least", "greatest"), strict=True)):
                    self._end(name, at, "" if end is None else f"{end:g}", f"the {said} value of {name}")
                    if at == 0:
                        text("to", "span", "small")
                button("Remove the limit", self._unbounded(name), "small", aria_label=f"Remove the limit of {name}")

    def _end(self, name: str, at: int, value: str, label: str) -> None:
        field = with_attributes(box("input", "field end-field"), type="number", step="any", value=value)
        with_attributes(field, aria_label=label)

        def changed(event: GenericEventArguments) -> None:
            bounds = bounds_of(self._settings.constraints)
            ends = list(bounds[name])
            ends[at] = float(event.args) if event.args else None
            self._limit({**bounds, name: (ends[0], ends[1])})

        field.on("change", changed, js_handler="(event) => emit(event.target.value)")

    def _on_bound(self, name: str) -> None:
        if name:
            space = self._opened.site.run.space
            low, high = (float(end[space.aspects.number(name)]) for end in (space.scale.low, space.scale.high))
            self._limit({**bounds_of(self._settings.constraints), name: (low, high)})

    def _unbounded(self, name: str) -> Callable[[], None]:
        bounds = bounds_of(self._settings.constraints)
        return lambda: self._limit({other: ends for other, ends in bounds.items() if other != name})

    def _limit(self, bounds: Mapping[str, Bounds]) -> None:
        try:
            constraints = with_bounds(self._settings.constraints, bounds)
        except ConfigError as error:  # the least value is above the greatest
            ui.notify(str(error))
            return
        self._open(replace(self._settings, constraints=constraints))

    def _on_keep(self, name: str) -> None:
        if name:
            self._constrain(keep=(*self._settings.constraints.keep, name))

    def _without(self, kept: str) -> Callable[[], None]:
        others = tuple(name for name in self._settings.constraints.keep if name != kept)
        return lambda: self._constrain(keep=others)

    def _on_goal(self, name: str) -> None:
        for goal in GOALS:
            if goal == name:
                self._open(replace(self._settings, goal=goal))

    def _on_beyond(self, value: str) -> None:
        self._constrain(unreviewed_beyond=value if value == NEVER else int(value))

    def _on_most(self, value: str) -> None:
        self._constrain(most=int(value) if value else None)

    def _on_masked(self, value: str) -> None:
        self._constrain(masked=value == "yes")

    def _constrain(self, **values: Any) -> None:
        constraints: Constraints = replace(self._settings.constraints, **values)
        self._open(replace(self._settings, constraints=constraints))

    def _open(self, settings: SearchSettings) -> None:
        self._opened.go(self._opened.address.with_params(set=None, **settings.written(self._usual)))


def _beyond(count: str) -> str:
    """From how many aspects on they may also go unmentioned, in words."""
    if count == NEVER:
        return "never"
    return "whenever that does it" if count == "0" else f"if over {count} would have to change"
