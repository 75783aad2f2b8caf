"""Users and items as a request names them: known ones only; users by pseudonyms, where ids are kept back.

A lookup in a dictionary and nothing else: an id never reaches a file system, a pattern or a query.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from counterec.errors import CounterecError
from counterec.report.privacy import Privacy
from counterec.run import Run
from counterec.service.problems import Problem, shown


class People:
    """Whom and what a client may ask about, by the names it knows."""

    def __init__(self, run: Run, privacy: Privacy) -> None:
        self._run, self.privacy = run, privacy

    @cached_property
    def _id_of(self) -> dict[str, str]:
        return {self.privacy.user(user_id): user_id for user_id in self._run.space.users.texts}

    @cached_property
    def shown_users(self) -> tuple[str, ...]:
        """All users by the names they are shown by, sorted."""
        return tuple(sorted(self._id_of))

    def user(self, given: str, status: int = 404) -> str:
        """The id of a user."""
        found = self._id_of.get(given)
        if found is None:
            raise Problem(status, "unknown-user", f"there is no user {shown(given)}; /users lists and finds them")
        return found

    def item(self, given: str, status: int = 404) -> str:
        """The id of an item."""
        if given not in self._run.space.items:
            raise Problem(status, "unknown-item", f"there is no item {shown(given)}; /items lists and finds them")
        return given

    def aspect(self, given: str, status: int = 404) -> str:
        """The name of an aspect."""
        if given not in self._run.space.aspects:
            raise Problem(status, "unknown-aspect", f"there is no aspect {shown(given)}; /run lists them all")
        return given

    @contextmanager
    def hidden_in_errors(self, *user_ids: str) -> Iterator[None]:
        """Where ids are kept back, errors of the library name these users by their pseudonyms."""
        try:
            yield
        except CounterecError as error:
            if self.privacy.shows_text:
                raise
            said = str(error)
            for user_id in user_ids:
                said = said.replace(user_id, self.shown(user_id))
            raise type(error)(said) from None

    def shown(self, user_id: str) -> str:
        """The name that a user is shown by."""
        return self.privacy.user(user_id)
