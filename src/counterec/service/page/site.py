"""What all openings of the page share: the run, how it may be shown, and what is searched. It knows no elements."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

import polars as pl

from counterec.core.arrays import require
from counterec.core.explainers.answer_row import EXPLAINED
from counterec.errors import CounterecError, UnknownIdError
from counterec.pipeline.layout import explanations_file
from counterec.report.overview import cases_of
from counterec.report.privacy import EVERYTHING, Privacy

if TYPE_CHECKING:
    from counterec.core.explainers.goal_names import Goal
    from counterec.run import Run

T = TypeVar("T")

PREFERRED = "minimal"
"""The method whose stored answers are shown: what a person who asks gets, too."""
WORKERS = 4
"""Computations at the same time, for all openings together."""
LASTING = ("user", "item", "look")
"""Parameters that stay from one panel to another: whose list, which item, and light or dark."""


@dataclass(frozen=True)
class Address:
    """A path and its parameters, in order; one may occur several times. It has all state that outlives a click."""

    path: str = "/"
    params: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, text: str) -> Address:
        """Read an address such as ``/model?aspect=battery``."""
        parts = urlsplit(text)
        return cls(parts.path.rstrip("/") or "/", tuple(parse_qsl(parts.query, keep_blank_values=True)))

    def __str__(self) -> str:
        return f"{self.path}{self.query}"

    @property
    def query(self) -> str:
        """The parameters, always with a question mark in front."""
        return f"?{urlencode(self.params)}"

    def get(self, name: str) -> str | None:
        """Return the value of a parameter; the last one if it occurs several times."""
        return dict(self.params).get(name)

    def all(self, name: str) -> list[str]:
        """Return all values of a parameter."""
        return [value for given, value in self.params if given == name]

    def with_params(self, **values: str | Iterable[str] | None) -> Address:
        """Return the address with other values of these parameters; None removes one."""
        kept = [(name, value) for name, value in self.params if name not in values]
        return Address(self.path, (*kept, *_pairs(values)))

    def to(self, path: str, **values: str | Iterable[str] | None) -> Address:
        """Return the address of another panel, with the lasting parameters."""
        lasting = tuple((name, value) for name, value in self.params if name in LASTING)
        return Address(path, lasting).with_params(**values)


def _pairs(values: Mapping[str, str | Iterable[str] | None]) -> Iterable[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, str):
            yield name, value
        elif value is not None:
            yield from ((name, each) for each in value)


class RunThreads:
    """A few threads that answer questions to a run, off the event loop."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="page")

    async def ask(self, work: Callable[[Run], T]) -> T:
        """Return the result of work on the run; do not begin it if nobody waits any more."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, self._run)


class Newest:
    """One thing of an opened page that is computed again and again: of those that wait, only the newest is begun."""

    def __init__(self) -> None:
        self._turn = 0
        self._lock = asyncio.Lock()

    async def of(self, begin: Callable[[], Awaitable[T]]) -> T | None:
        """Return what was begun and awaited; None if something newer has taken its place."""
        self._turn += 1
        turn = self._turn
        async with self._lock:
            if turn != self._turn:
                return None
            found = await begin()
        return found if turn == self._turn else None

    def forget(self) -> None:
        """Discard what is being computed."""
        self._turn += 1


class StoredAnswers:
    """The stored answers to *why*, by goal: read once, found by user and item."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._tables: dict[str, pl.DataFrame] = {}

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods with stored answers; none in a run that ends with its lists."""
        return tuple(method for method in self._run.methods if self._run.has(explanations_file(method)))

    def table(self, method: str) -> pl.DataFrame:
        """Return all answers of a method."""
        if method not in self._tables:
            self._tables[method] = self._run.explanations_table(method)
        return self._tables[method]

    def row(self, goal: Goal, user_id: str, item_id: str) -> dict[str, Any] | None:
        """Return the answer about an item of a user's list under the run's own constraints; None without one."""
        if goal not in self.methods:
            return None
        found = self.table(goal).filter(pl.col("user_id") == user_id, pl.col("item_id") == item_id)
        return found.row(0, named=True) if len(found) else None


def first_case(run: Run, stored: StoredAnswers) -> tuple[str, str] | None:
    """Return the user and the item that the page begins with: the first that is explained, else the first of a list."""
    if stored.methods:
        found = stored.table(stored.methods[0]).filter(status=EXPLAINED)
        if len(found):
            return found["user_id"][0], found["item_id"][0]
    for row, user in enumerate(run.recommendations.users.tolist()):
        item = int(run.recommendations.items[row, 0])
        if item >= 0:
            return run.space.users.texts[user], run.space.items.texts[item]
    return None


@dataclass(frozen=True)
class TextSearch:
    """Names in their order, prepared once; a search looks through all of them."""

    names: Sequence[str]
    others: Sequence[str] = ()
    """For each name another text that finds it, such as its id; or nothing at all."""

    def __post_init__(self) -> None:
        fits = not self.others or len(self.others) == len(self.names)
        require(fits, f"{len(self.others)} other texts for {len(self.names)} names")

    def find(self, typed: str, most: int, allowed: Callable[[int], bool] | None = None) -> list[int]:
        """Return the places of the names in which every typed word occurs, those that begin with it first.

        ``allowed`` leaves places out. Of names that fit equally well, the first ones are returned.
        """
        words = _fold(typed).split()
        fitting: tuple[list[int], list[int], list[int]] = ([], [], [])
        for place, text in enumerate(self._texts):
            if all(word in text for word in words) and (allowed is None or allowed(place)):
                fitting[_rate(text, words)].append(place)
        return [place for places in fitting for place in places][:most]

    @cached_property
    def _texts(self) -> list[str]:
        others = self.others or [""] * len(self.names)
        return [f"{_fold(name)} {_fold(other)}".strip() for name, other in zip(self.names, others, strict=True)]


def _rate(text: str, words: list[str]) -> int:
    """Return 0 if a text begins with the words, 1 if words of it do, 2 if it contains them."""
    if text.startswith(" ".join(words)):
        return 0
    return 1 if all(f" {word}" in f" {text}" for word in words) else 2


def _fold(text: str) -> str:
    """Drop capitals and accents, so that “cafe” finds “Café”."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


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
        """The name of the run: that of its folder."""
        return self.run.path.resolve().name

    async def ask(self, work: Callable[[Run], T]) -> T:
        """Return the result of a question to the run, computed off the event loop.

        Where ids are kept back, errors name users by their pseudonyms.
        """
        try:
            return await self.threads.ask(work)
        except CounterecError as error:
            if self.privacy.shows_text:
                raise
            raise type(error)(self._hide_ids(str(error))) from None

    def _hide_ids(self, said: str) -> str:
        """Replace the ids of users by pseudonyms; of ids that contain one another, the longest first."""
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
        """Return the name by which a user is shown, in the address, too."""
        return self.privacy.user(user_id)

    def user_id(self, shown: str) -> str:
        """Return the id of the user who is shown by this name."""
        if self.privacy.shows_text:
            found = shown if shown in self.run.space.users else None
        else:
            found = self._user_ids.get(shown)
        if found is None:
            raise UnknownIdError(f"there is no user {shown!r} in this run; find one by typing a part of a name")
        return found

    @cached_property
    def stored(self) -> StoredAnswers:
        """The answers stored in the folder."""
        return StoredAnswers(self.run)

    @cached_property
    def example(self) -> tuple[str, str] | None:
        """The user and the item that the page begins with; None if no user has a list."""
        return first_case(self.run, self.stored)

    @cached_property
    def users(self) -> TextSearch:
        """All users, to be searched by their shown names."""
        return TextSearch([self.user_name(user_id) for user_id in self.run.space.users.texts])

    @cached_property
    def items(self) -> TextSearch:
        """All items, to be searched by name or id."""
        ids = self.run.space.items.texts
        return TextSearch([self.run.item_name(item_id) for item_id in ids], ids)

    @cached_property
    def cases(self) -> pl.DataFrame | None:
        """Every recommendation with its stored answer, read once; None without stored answers.

        Reading takes a while for a large run, so go through ``ask``.
        """
        stored = self.stored.methods
        if not stored:
            return None
        return cases_of(self.run, PREFERRED if PREFERRED in stored else stored[0])

    @cached_property
    def _user_ids(self) -> dict[str, str]:
        """The ids of all users by their pseudonyms."""
        return {self.privacy.user(user_id): user_id for user_id in self.run.space.users.texts}
