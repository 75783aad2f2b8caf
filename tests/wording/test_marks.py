"""Marks say what is established about an answer, and no more."""

from __future__ import annotations

import pytest

from counterec.wording import legend, marks
from tests.wording.records import (
    COMPLAINTS,
    GONE,
    PRICE,
    WORSE,
    answer,
    every_record,
    fact,
    hair,
    lead,
    nets,
)


def names(record) -> list[str]:
    return [mark.name for mark in marks(record)]


def labels(record) -> list[str]:
    return [mark.label for mark in marks(record)]


class TestMarks:
    def test_an_explanation_with_everything_established(self) -> None:
        record = answer("why", COMPLAINTS, proof="smallest", necessary=True, sufficient=True, **nets(2, 3))
        assert labels(record) == [
            "checked",
            "nothing smaller works",
            "still decisive if no item had it",
            "enough by itself",
            "holds in 2 of the 3 nets that agree",
        ]

    @pytest.mark.parametrize("status", ["not_found", "cannot_flip", "nothing_to_change", "no_target", "failed"])
    def test_a_miss_is_not_checked_and_says_why(self, status: str) -> None:
        (mark,) = marks(answer("why", status=status))
        assert (mark.name, mark.tone) == (status, "caution")

    def test_a_search_that_ended_early_with_a_change(self) -> None:
        assert names(answer("why", WORSE, status="out_of_budget")) == ["checked", "ended_early"]
        assert names(answer("why", status="out_of_budget")) == ["out_of_budget"]

    def test_silence_history_a_hair_and_newcomers(self) -> None:
        assert "unreviewed" in names(answer("why", GONE))
        assert "unreviewed" not in names(answer("why", WORSE))
        assert "hair" in names(hair("why", WORSE))
        kept = answer("why", status="not_found", **{**lead(0.5, 2.0), "score_without_aspects": 2.5})
        assert names(kept) == ["history", "not_found"]
        assert names(answer("why", status="not_found", new_user=True, new_item=True))[:2] == ["new_user", "new_item"]

    @pytest.mark.parametrize(
        ("hold", "agree", "label", "tone"),
        [
            (3, 3, "holds in all 3 nets", "established"),
            (2, 2, "holds in 2 of the 2 nets that agree", "note"),
            (0, 2, "holds in 0 of the 2 nets that agree", "caution"),
            (1, 1, "holds in the one net that agrees", "note"),
            (0, 1, "fails in the one net that agrees", "caution"),
            (0, 0, "no net agrees by itself", "caution"),
        ],
    )
    def test_the_nets_raise_trust_only_where_all_of_them_agree(
        self, hold: int, agree: int, label: str, tone: str
    ) -> None:
        mark = marks(answer("why", WORSE, **nets(hold, agree)))[-1]
        assert (mark.label, mark.tone) == (label, tone)

    def test_of_facts_nobody_has_to_review_anything(self) -> None:
        change = fact(PRICE, 120.0, 187.0)
        (_, mark) = marks(answer("why", change, facts=True, necessary=True))
        assert mark.label == "still decisive if all were alike in it"
        for mark in legend(facts=True):
            if mark.name not in ("history", "new_item", "continuous", "smallest", "irreducible", "exact"):
                assert "review" not in mark.meaning


class TestLegend:
    def test_it_has_every_mark_that_any_record_has(self) -> None:
        listed = {mark.name: mark for mark in legend()}
        facts = {mark.name: mark for mark in legend(facts=True)}
        found = set()
        for record in every_record():
            for mark in marks(record):
                known = facts if record.facts else listed
                of_all = (known[mark.name].tone, known[mark.name].meaning)
                assert mark.name == "nets" or (mark.tone, mark.meaning) == of_all  # the nets differ by their counts
                found.add(mark.name)
        assert found | {"exact", "irreducible", "found", "continuous"} >= set(listed)
