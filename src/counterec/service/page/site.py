"""What all openings of the page share: the run, and how it may be shown. None of it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from counterec.errors import UnknownIdError
from counterec.report.privacy import EVERYTHING, Privacy
from counterec.service.page.background import RunThreads

if TYPE_CHECKING:
    from counterec.run import Run

T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """A run on show."""

    run: Run
    """To read from. What computes something goes through ``ask``."""
    privacy: Privacy = EVERYTHING
    """Whether review text is shown, and by what names users are."""
    language: str = "en"
    threads: RunThreads = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "threads", RunThreads(self.run))

    @property
    def name(self) -> str:
        """What the run is called: the name of its folder."""
        return self.run.path.resolve().name

    async def ask(self, work: Callable[[Run], T]) -> T:
        """The result of a question to the run, worked out off the event loop."""
        return await self.threads.ask(work)

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
    def _user_ids(self) -> dict[str, str]:
        """The ids of all users by their pseudonyms."""
        return {self.privacy.user(user_id): user_id for user_id in self.run.space.users.texts}
