"""What all requests share: the run, who may be asked about, the compute thread, the counters, and the jobs."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from counterec.pipeline.operator_model import model_named
from counterec.report.privacy import EVERYTHING, Privacy
from counterec.run import Run, open_run
from counterec.service.compute import Compute
from counterec.service.metrics import Metrics, Snapshot, exposition
from counterec.service.people import People

if TYPE_CHECKING:
    import polars as pl

    from counterec.core.attributes import Schema
    from counterec.service.jobs.job_client import JobClient
    from counterec.service.settings import ServiceSettings

T = TypeVar("T")

READERS = 2
"""Threads that read tables, and ask the models of stateless questions."""

Gather = Callable[[Snapshot], list[Snapshot]]
"""Hands in the metrics of this process and returns those of all."""


class Service:
    """One process of the service."""

    def __init__(
        self,
        settings: ServiceSettings,
        run: Run | None = None,
        jobs: JobClient | None = None,
        gather: Gather | None = None,
    ) -> None:
        import torch  # noqa: F401  # before any thread: two that load it at once can leave it half loaded, for good

        self.settings, self.jobs, self._gather = settings, jobs, gather
        self.run = run or open_run(settings.folder, settings.device)
        privacy = Privacy(settings.pseudonym_key) if settings.no_text else EVERYTHING
        self.people, self.metrics = People(self.run, privacy), Metrics()
        self.compute = Compute(self.run, self.metrics)
        self.models = {name: model_named(name) for name in settings.models}
        """The models that stateless questions may name, and what computes derived attributes anew."""
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="read")
        self.cases = lru_cache(4)(self._cases)
        self.is_ready = False
        self.compute.do(self._warm)

    def _warm(self) -> None:
        """Load what the first question would wait for; one thread computes, and no more."""
        import torch

        torch.set_num_threads(1)
        run = self.run
        self.metrics.know_aspects(run.space)
        for name in ("scorer", "recommendations", "heads", "candidates", "member_lists", "item_names"):
            getattr(run, name)
        run.prepare()
        self.people.shown_users  # noqa: B018  # made once
        self.searched_items  # noqa: B018
        gc.collect()
        gc.freeze()  # what lives as long as the process is not looked through again while somebody waits
        self.is_ready = True

    def own_schema(self, model: str) -> Schema | None:
        """The attributes of the run, if this is its model; None: the rows of a request show what they are."""
        return self.run.space.schema if self.run.model_name == model else None

    @cached_property
    def searched_items(self) -> list[tuple[str, str]]:
        """Every item's id, and what is searched: its id and name in small letters."""
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
        """The result of work that reads tables, done off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def read_later(self, work: Callable[[], T]) -> Future[T]:
        """The same as a future, which a client that goes away cancels."""
        return self._readers.submit(work)

    async def all_metrics(self) -> bytes:
        """The metrics of all processes."""
        own = self.metrics.snapshot()
        if self._gather is None:
            return exposition([own])
        return exposition(await self.read(lambda: self._gather(own) if self._gather else [own]))

    def close(self) -> None:
        """End the threads."""
        self.compute.close()
        self._readers.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
