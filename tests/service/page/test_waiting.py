"""Patience: a budget that is spent as soon as nobody waits any more."""

from __future__ import annotations

import time

from counterec.service.page.elements import Patience


def test_it_ends_when_somebody_gives_up():
    patience = Patience()
    assert not patience.is_late
    patience.given_up.set()
    assert patience.is_late


def test_two_do_not_share_it():
    first, second = Patience(), Patience()
    first.given_up.set()
    assert not second.is_late


def test_a_deadline_counts_too():
    assert Patience(deadline=time.monotonic() - 1).is_late
    assert not Patience(deadline=time.monotonic() + 60).is_late
