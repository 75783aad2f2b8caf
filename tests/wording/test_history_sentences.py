"""Answers by history in words."""

from __future__ import annotations

import re

import pytest

from counterec.errors import InvalidValueError
from counterec.wording import marks, reason, sentence
from tests.wording.records import by_history, by_history_records


class TestWords:
    def test_an_explanation(self) -> None:
        record = by_history()
        assert sentence(record) == "If this user had not reviewed Kolvera Tide and Reef, Kite would not be recommended."
        assert reason(record) == (
            "Recommended because of your past reviews: if you had not reviewed Kolvera Tide and Reef, "
            "Wren would be in your list instead."
        )

    def test_a_miss_says_what_comes_nearest(self) -> None:
        assert sentence(by_history("not_found")) == (
            "No past reviews of this user were found without which Kite would leave the list. What comes nearest: even "
            "if this user had not reviewed Kolvera Tide and Reef, it would still be at position 3."
        )
        assert "too small to count" in sentence(by_history("not_found", position_after=6))

    def test_a_search_that_ended_early_says_so(self) -> None:
        record = by_history("out_of_budget", leaves=True)
        assert sentence(record).endswith("The search ended early, its budget spent: fewer reviews may do.")
        assert [mark.name for mark in marks(record)] == ["checked", "ended_early"]

    def test_marks_speak_of_reviews(self) -> None:
        assert [mark.name for mark in marks(by_history())] == ["checked", "smallest"]
        assert "Every smaller set of past reviews" in marks(by_history())[1].meaning
        assert marks(by_history(proof="irreducible"))[1].label == "no review to spare"
        (miss,) = marks(by_history("cannot_flip", ()))
        assert "whichever they are" in miss.meaning


def test_every_record_has_whole_sentences() -> None:
    for record in by_history_records():
        for said in (sentence(record), reason(record)):
            assert said.endswith(".")
            assert not re.search(r"None|[{}]|; ;|;\.|  ", said)


@pytest.mark.parametrize(
    ("known", "says"),
    [
        ({"leaves": False}, "the item does not leave the list"),
        ({"position_after": 4}, "cannot end at position 4"),
        ({"position": 6}, "cannot begin at position 6"),
        ({"by": "aspects"}, "this row is one by history"),
        ({"status": "not_found", "leaves": True}, "but the item does leave the list"),
        ({"status": "no_target"}, "nothing is left out with this status"),
        ({"reviews": ("Tide", "Tide")}, "a review is left out twice: Tide, Tide"),
        ({"past_reviews": 1}, "but only 1 are known"),
        ({"status": "not_found", "proof": "smallest"}, "leaves nothing to prove"),
        ({"proof": "likely"}, "unknown proof 'likely'"),
        ({"status": "sure"}, "unknown status 'sure'"),
    ],
)
def test_a_claim_that_does_not_hold_is_refused(known: dict, says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        by_history(**known)
