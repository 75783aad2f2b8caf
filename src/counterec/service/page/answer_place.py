"""The place of an answer that takes a while: it says what is being done, and shows only the newest answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from counterec.errors import CounterecError
from counterec.service.page.text_elements import box, notice
from counterec.service.page.waiting import Patience, waited

T = TypeVar("T")


class AnswerPlace:
    """A place on the page that holds one answer at a time."""

    def __init__(self) -> None:
        self._place = box("div", "stack", aria_live="polite")
        self._patience = Patience()

    async def fill(self, said: str, begin: Callable[[Patience], Awaitable[T]], show: Callable[[T], None]) -> None:
        """Begin to work something out, and show it here; whatever was begun before is given up.

        An error of the question is shown instead, and so is that somebody has cancelled it.
        """
        self._patience.given_up.set()
        self._patience = patience = Patience()
        self._place.clear()
        found: T | CounterecError | None
        try:
            found = await waited(self._place, said, begin(patience), patience.given_up.set)
        except CounterecError as error:
            found = error
        if patience is not self._patience:  # something newer is here
            return
        self._place.clear()
        with self._place:
            if isinstance(found, CounterecError):
                notice("There is no answer to this.", str(found), kind="error")
            elif found is None:
                notice("Cancelled.", "Ask again whenever you like.")
            else:
                show(found)

    def empty(self) -> None:
        """Take the answer away."""
        self._patience.given_up.set()
        self._patience = Patience()
        self._place.clear()
