"""Pseudonyms: the same for a user everywhere in a report, and nothing that leads back."""

from __future__ import annotations

import re

import pytest

from counterec.errors import InvalidValueError
from counterec.report.privacy import EVERYTHING, Privacy

KEY = bytes(range(32))


def test_everything_is_shown_as_it_is() -> None:
    assert EVERYTHING.shows_text
    assert EVERYTHING.user("A12O5B8XNKNBOL") == "A12O5B8XNKNBOL"


def test_a_pseudonym_is_stable_and_does_not_hold_the_id() -> None:
    hidden = Privacy(KEY)
    assert not hidden.shows_text
    assert hidden.user("U0001") == hidden.user("U0001") == Privacy(KEY).user("U0001")
    assert hidden.user("U0001") != hidden.user("U0002")
    assert re.fullmatch(r"user-[a-z2-7]{10}", hidden.user("U0001"))
    assert re.fullmatch(r"user-[a-z2-7]{10}", hidden.user("\udc80 odd ✿"))


def test_the_key_is_drawn_anew_and_not_shown() -> None:
    one, other = Privacy.without_text(), Privacy.without_text()
    assert one.user("U0001") != other.user("U0001")
    assert "key" not in repr(one)


def test_a_short_key_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="32 bytes"):
        Privacy(b"secret")
