"""What all openings of the page share: the run, and how it may be shown. None of it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import polars as pl

from counterec.errors import CounterecError, UnknownIdError
from counterec.pipeline.layout import explanations_file
from counterec.report.overview import cases_of
from counterec.report.privacy import EVERYTHING, Privacy
from counterec.service.page.background import RunThreads
from counterec.service.page.example import good_example
from counterec.service.page.stored_answers import StoredAnswers
from counterec.service.page.text_search import TextSearch

if TYPE_CHECKING:
    from counterec.run import Run

T = TypeVar("T")

PREFERRED = "minimal"
"""The method whose stored answers are shown: what a person who asks gets, too."""


@dataclass(frozen=True)
class Site:
    """A run on show."""

    run: Run
    """To read from. What computes something goes through ``ask``."""
    privacy: Privacy = EVERYTHING
    """Whether review text is shown, and by what names users are."""
    threads: RunThreads = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "threads", RunThreads(self.run))

    @property
    def name(self) -> str:
        """What the run is called: the name of its folder."""
        return self.run.path.resolve().name

    async def ask(self, work: Callable[[Run], T]) -> T:
        """The result of a question to the run, worked out off the event loop.

        Where ids are kept back, its errors name users by their pseudonyms.
        """
        try:
            return await self.threads.ask(work)
        except CounterecError as error:
            if self.privacy.shows_text:
                raise
            raise type(error)(self._without_ids(str(error))) from None

    def _without_ids(self, said: str) -> str:
        """The text with pseudonyms for the ids of users; of ids that hold one another, the longest first."""
        named = [user_id for user_id in self.run.space.users.texts if user_id in said]
        for user_id in sorted(named, key=len, reverse=True):
            said = said.replace(user_id, self.user_name(user_id))
        return said

    async def warm_up(self) -> None:
        """Load what every opening needs, so that the first one is as fast as the others."""

        def load(run: Run) -> None:
            if self.example is not None:
                run.standing(self.example[0])

        await self.ask(load)

    def user_name(self, user_id: str) -> str:
        """The name by which a user is shown, in the address, too."""
        return self.privacy.user(user_id)

    def user_id(self, shown: str) -> str:
        """The id of the user who is shown by this name."""
        if self.privacy.shows_text:
            found = shown if shown in self.run.space.users else None
        else:
            found = self._user_ids.get(shown)
        if found is None:
            raise UnknownIdError(f"there is no user {shown!r} in this run; find one by typing a part of a name")
        return found

    @cached_property
    def stored(self) -> StoredAnswers:
        """The answers that lie in the folder."""
        return StoredAnswers(self.run)

    @cached_property
    def example(self) -> tuple[str, str] | None:
        """The user and the item that the page begins with; None if nobody has a list."""
        return good_example(self.run, self.stored)

    @cached_property
    def users(self) -> TextSearch:
        """All users, to be searched by the names that they are shown by."""
        return TextSearch([self.user_name(user_id) for user_id in self.run.space.users.texts])

    @cached_property
    def cases(self) -> pl.DataFrame | None:
        """Every recommendation with its stored answer, read once; None if the run has no stored answers.

        It takes a while for a large run: to be read through ``ask``.
        """
        stored = [method for method in self.run.methods if self.run.has(explanations_file(method))]
        if not stored:
            return None
        return cases_of(self.run, PREFERRED if PREFERRED in stored else stored[0])

    @cached_property
    def items(self) -> TextSearch:
        """All items, to be searched by name or id."""
        ids = self.run.space.items.texts
        return TextSearch([self.run.item_name(item_id) for item_id in ids], ids)

    @cached_property
    def _user_ids(self) -> dict[str, str]:
        """The ids of all users by their pseudonyms."""
        return {self.privacy.user(user_id): user_id for user_id in self.run.space.users.texts}
