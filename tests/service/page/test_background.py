"""Work off the event loop: threads have working room of their own, and the newest request wins."""

from __future__ import annotations

import asyncio
import threading

import pytest

from counterec.service.page.background import Newest, RunThreads


def test_work_is_done_in_another_thread_with_the_run():
    run = object()

    async def ask() -> tuple[object, int]:
        return await RunThreads(run).ask(lambda given: (given, threading.get_ident()))

    given, thread = asyncio.run(ask())
    assert given is run
    assert thread != threading.get_ident()


def test_errors_come_back():
    async def fails() -> None:
        await RunThreads(object()).ask(lambda run: run.no_such_thing)

    with pytest.raises(AttributeError):
        asyncio.run(fails())


def test_of_those_that_wait_only_the_newest_is_begun():
    begun, gate = [], {}

    async def drag() -> list[int | None]:
        newest = Newest()
        gate["open"] = asyncio.Event()

        async def work(number: int) -> int:
            begun.append(number)
            await gate["open"].wait()
            return number

        drags = [asyncio.create_task(newest.of(lambda number=number: work(number))) for number in range(5)]
        await asyncio.sleep(0)
        gate["open"].set()
        return await asyncio.gather(*drags)

    assert asyncio.run(drag()) == [None, None, None, None, 4]
    assert 4 in begun
    assert len(begun) <= 2


def test_what_is_forgotten_is_not_answered():
    async def forgotten() -> int | None:
        newest = Newest()

        async def work() -> int:
            newest.forget()
            return 1

        return await newest.of(work)

    assert asyncio.run(forgotten()) is None


def test_one_after_the_other_all_are_answered():
    async def one_by_one() -> list[int | None]:
        newest = Newest()

        async def work(number: int) -> int:
            return number

        return [await newest.of(lambda number=number: work(number)) for number in range(3)]

    assert asyncio.run(one_by_one()) == [0, 1, 2]
