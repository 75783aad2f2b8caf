"""Values that each thread makes for itself."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from counterec.run import per_thread


class Desk:
    made = 0

    @per_thread
    def room(self) -> list[int]:
        """Room to write."""
        Desk.made += 1
        return [threading.get_ident()]


def test_each_thread_has_its_own_and_keeps_it():
    desk, barrier = Desk(), threading.Barrier(3)

    def work(_: int) -> list[int]:
        barrier.wait()
        assert desk.room is desk.room
        return desk.room

    with ThreadPoolExecutor(3) as pool:
        rooms = list(pool.map(work, range(3)))
    assert len({id(room) for room in rooms}) == len({room[0] for room in rooms}) == 3


def test_two_objects_share_nothing():
    first, second = Desk(), Desk()
    assert first.room is not second.room
    assert first.room is first.room
