"""What all requests share: the run, its users and items as clients name them, the compute thread, the metrics."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar

from counterec.errors import CounterecError
from counterec.report.privacy import Privacy
from counterec.run import Run, open_run
from counterec.service.compute import Compute
from counterec.service.metrics import Metrics
from counterec.service.problems import Problem, show

if TYPE_CHECKING:
    import polars as pl

    from counterec.service.serve import ServiceSettings

T = TypeVar("T")

READERS = 2
"""Threads that read tables."""


class Service:
    """One process of the service."""

    def __init__(self, settings: ServiceSettings, run: Run | None = None) -> None:
        import torch  # noqa: F401  # before any thread: two that load it at once can leave it half loaded, for good

        self.settings = settings
        self.run = run or open_run(settings.folder, settings.device)
        self.people, self.metrics = People(self.run, settings.privacy), Metrics()
        self.compute = Compute(self.run, self.metrics)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="read")
        self.cases = lru_cache(4)(self._cases)
        self.is_ready = False
        self.compute.do(self._warm)

    def _warm(self) -> None:
        """Load what the first question would wait for; compute in one thread."""
        import torch

        torch.set_num_threads(1)
        run = self.run
        self.metrics.know_aspects(run.space)
        for name in ("scorer", "recommendations", "heads", "candidates", "member_lists", "item_names"):
            getattr(run, name)
        run.prepare()
        self.people.shown_users  # noqa: B018
        self.searched_items  # noqa: B018
        gc.collect()
        gc.freeze()  # no collection looks through what lives as long as the process
        self.is_ready = True

    @cached_property
    def searched_items(self) -> list[tuple[str, str]]:
        """Every item's id, and the text that a search looks through: id and name in small letters."""
        names = self.run.item_names
        return [(item, f"{item}\n{names.get(item, '')}".casefold()) for item in self.run.space.items.texts]

    @cached_property
    def searched_users(self) -> list[tuple[str, str]]:
        """Every user's shown name, and the same in small letters."""
        return [(user, user.casefold()) for user in self.people.shown_users]

    def _cases(self, method: str) -> pl.DataFrame:
        from counterec.report.overview import cases_of

        return cases_of(self.run, method)

    async def read(self, work: Callable[[], T]) -> T:
        """Do work that reads tables off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def close(self) -> None:
        """End the threads."""
        self.compute.close()
        self._readers.shutdown(wait=False, cancel_futures=True)


class People:
    """Users and items by the names a client knows: ids, or pseudonyms of users where ids are kept back.

    Names are looked up in dictionaries and nothing else: an id never reaches a file system, a pattern or a query.
    """

    def __init__(self, run: Run, privacy: Privacy) -> None:
        self._run, self.privacy = run, privacy

    @cached_property
    def _id_of(self) -> dict[str, str]:
        return {self.privacy.user(user_id): user_id for user_id in self._run.space.users.texts}

    @cached_property
    def shown_users(self) -> tuple[str, ...]:
        """All users by their shown names, sorted."""
        return tuple(sorted(self._id_of))

    def user(self, given: str) -> str:
        """Return the id of a user."""
        found = self._id_of.get(given)
        if found is None:
            raise Problem(404, "unknown-user", f"there is no user {show(given)}; /users lists and finds them")
        return found

    def item(self, given: str) -> str:
        """Return the id of an item."""
        if given not in self._run.space.items:
            raise Problem(404, "unknown-item", f"there is no item {show(given)}; /items lists and finds them")
        return given

    def aspect(self, given: str) -> str:
        """Return the name of an aspect."""
        if given not in self._run.space.aspects:
            raise Problem(404, "unknown-aspect", f"there is no aspect {show(given)}; /run lists them all")
        return given

    def shown(self, user_id: str) -> str:
        """Return the name that a user is shown by."""
        return self.privacy.user(user_id)

    @contextmanager
    def hidden_in_errors(self, *user_ids: str) -> Iterator[None]:
        """Name these users by their pseudonyms in errors of the library, where ids are kept back."""
        try:
            yield
        except CounterecError as error:
            if self.privacy.shows_text:
                raise
            said = str(error)
            for user_id in user_ids:
                said = said.replace(user_id, self.shown(user_id))
            raise type(error)(said) from None
