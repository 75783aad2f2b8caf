"""What sentences say of aspects and history, of items that history keeps, and of nets that agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from counterec.errors import InvalidValueError
from counterec.wording import AnswerRecord, Change, background, reason, sentence
from tests.wording.records import (
    BETTER,
    COMPLAINTS,
    SLIGHTLY_WORSE,
    WORSE,
    answer,
    audience,
    kept,
    lead,
    nets,
)

BAD = Change("sound", 2.0, 1.2)
PAST = ("Case C", "Cable D")


class TestReasons:
    """For the shopper: the larger part first, and a part under a fifth of the lead not at all."""

    @pytest.mark.parametrize(
        ("parts", "english"),
        [
            (
                (0.7, 0.3),
                "Recommended mainly for its battery, also because you reviewed Case C and Cable D; "
                "if its battery were worse, Phone B would be in your list instead.",
            ),
            (
                (0.3, 0.7),
                "Recommended mainly because you reviewed Case C and Cable D, also for its battery; "
                "if its battery were worse, Phone B would be in your list instead.",
            ),
            (
                (0.19, 0.81),
                "Recommended mainly because you reviewed Case C and Cable D; "
                "if its battery were worse, Phone B would be in your list instead.",
            ),
            (
                (0.81, 0.19),
                "Recommended mainly for its battery; if its battery were worse, Phone B would be in your list instead.",
            ),
            (
                (1.2, -0.2),
                "Recommended mainly for its battery; if its battery were worse, Phone B would be in your list instead.",
            ),
            (
                (-0.2, 1.2),
                "Recommended mainly because you reviewed Case C and Cable D; "
                "if its battery were worse, Phone B would be in your list instead.",
            ),
        ],
    )
    def test_the_parts_decide(self, parts: tuple[float, float], english: str) -> None:
        record = answer("why", WORSE, instead="Phone B", equal_sets=0, **lead(*parts, *PAST))
        assert reason(record) == english

    def test_others_would_do(self) -> None:
        record = answer("why", WORSE, SLIGHTLY_WORSE, equal_sets=2, **lead(0.6, 0.4, "Case C"))
        assert reason(record) == (
            "Recommended among other things for its battery and screen, also because you reviewed Case C; "
            "if its battery and screen were worse, this item would not be in your list."
        )

    def test_aspects_that_are_bad_are_no_reason_but_history_is(self) -> None:
        assert reason(answer("why", BAD, **lead(0.3, 0.7, *PAST))) == (
            "Recommended mainly because you reviewed Case C and Cable D."
        )
        assert reason(answer("why", BAD, **lead(0.7, 0.3, *PAST))) == (
            "Recommended among other things because you reviewed Case C and Cable D."
        )
        assert reason(answer("why", BAD, **lead(0.9, 0.1, *PAST))).startswith("Recommended because, all in all")


class TestKept:
    """Items that no aspect takes off say so, and why: only if they were scored without any."""

    def test_it_is_said_to_everybody(self) -> None:
        assert reason(kept("why", *PAST)) == (
            "Recommended because you reviewed Case C and Cable D: "
            "it would be in your list even if nobody had reviewed any aspect of it."
        )
        said = sentence(kept("why", *PAST))
        assert said.startswith("It is proven that no allowed change to its aspects would take Phone A off the list. ")
        assert (
            "Even with none of its aspects it would stay in the list: "
            "what the user reviewed before (above all Case C and Cable D) keeps it there."
        ) in said

    @pytest.mark.parametrize(
        "more",
        [
            {"score_without_aspects": 0.9},  # it would leave without aspects
            {"score_without_aspects": 1.0},  # it would tie
            {"score_without_aspects": None},  # nobody tried
            {"score_without_aspects": 3.5},  # it would stay without history, too
            lead(2.0, 0.1),  # history is not what keeps it
        ],
    )
    def test_it_is_not_said_where_it_is_not_so(self, more: dict[str, Any]) -> None:
        record = kept("why", **more)
        assert not record.kept_by_history
        assert "none of its aspects" not in sentence(record)
        assert "What may help" in sentence(record)
        assert "nobody had reviewed any aspect" not in reason(record)

    def test_an_item_with_an_answer_is_kept_by_nothing(self) -> None:
        record = answer("why", WORSE, score_without_aspects=2.5, **lead(0.1, 2.0))
        assert not record.kept_by_history


class TestLeads:
    """The split beside everybody's sentence, in percent."""

    @pytest.mark.parametrize(
        ("parts", "says"),
        [
            (
                (0.7, 0.3),
                "Of its lead over {}, 70% comes from its aspects and 30% from what the user reviewed before "
                "(above all Case C).",
            ),
            (
                (1.2, -0.2),
                "All of its lead over {} comes from its aspects; what the user reviewed before (above all Case C) "
                "speaks against it.",
            ),
            (
                (-0.2, 1.2),
                "All of its lead over {} comes from what the user reviewed before (above all Case C); "
                "its aspects speak against it.",
            ),
        ],
    )
    def test_ahead(self, parts: tuple[float, float], says: str) -> None:
        record = answer("why", WORSE, instead="Phone B", **lead(*parts, "Case C"))
        assert background(record) == says.format("Phone B")
        unknown = answer("why", WORSE, **lead(*parts, "Case C"))
        assert background(unknown) == says.format("the first item below the list")
        compared = answer("why_rather", WORSE, **lead(*parts, "Case C"))
        assert background(compared) == says.format("Phone B")

    @pytest.mark.parametrize(
        ("parts", "says"),
        [
            ((-0.7, -0.3), "70% comes from its aspects and 30% from what the user reviewed before."),
            ((-1.2, 0.2), "comes from its aspects; what the user reviewed before speaks for it."),
            ((0.2, -1.2), "comes from what the user reviewed before; its aspects speak for it."),
        ],
    )
    def test_behind(self, parts: tuple[float, float], says: str) -> None:
        said = background(answer("why_not", status="not_found", **lead(*parts)))
        assert "f its distance to the last item in the list" in said
        assert said.endswith(says)

    def test_where_nothing_comes_from_history_it_is_not_mentioned(self) -> None:
        for little in (0.0, 0.005, -0.005):
            assert background(answer("why", WORSE, **lead(1.2, little))) == ""


class TestMarks:
    """In how many nets it holds."""

    @pytest.mark.parametrize(
        ("mark", "english"),
        [
            (
                nets(2, 2),
                "This holds in 2 of the 2 nets, of 3, that agree with the list.",
            ),
            (
                nets(0, 1),
                "Of the 3 nets only one agrees with the list by itself; there this does not hold.",
            ),
            (
                nets(2, 3),
                "This holds in 2 of the 3 nets, all of which agree with the list.",
            ),
            (
                nets(1, 1),
                "Of the 3 nets only one agrees with the list by itself; there this holds.",
            ),
            (
                nets(0, 0),
                "None of the 3 nets, whose mean decides, agrees with the list by itself.",
            ),
        ],
    )
    def test_of_a_list(self, mark: dict[str, int], english: str) -> None:
        record = answer("why", COMPLAINTS, **mark)
        assert background(record) == english

    def test_one_net_alone_confirms_nothing(self) -> None:
        assert background(answer("why", COMPLAINTS, **nets(1, 1, 1))) == ""

    @pytest.mark.parametrize(
        ("hold", "english"),
        [
            (
                0,
                "In none of the 3 nets, whose mean decides, would it by itself enter at least 30 of these lists.",
            ),
            (
                2,
                "In 2 of the 3 nets, whose mean decides, it would enter at least 30 of these lists.",
            ),
            (
                3,
                "In each of the 3 nets, whose mean decides, it would enter at least 30 of these lists.",
            ),
        ],
    )
    def test_of_an_audience(self, hold: int, english: str) -> None:
        record = audience(BETTER, nets=3, nets_hold=hold)
        assert background(record) == english

    @pytest.mark.parametrize("said", [reason, sentence])
    def test_the_shopper_is_spared(self, said: Callable[[AnswerRecord], str]) -> None:
        assert said(answer("why", WORSE, **nets(1, 2))) == said(answer("why", WORSE))


def test_the_sentence_has_no_percentages() -> None:
    assert sentence(answer("why", WORSE, **lead(0.7, 0.3, "Case C"))) == sentence(answer("why", WORSE))
    both = answer("why", WORSE, instead="Phone B", **lead(0.7, 0.3), **nets(2, 2))
    assert background(both) == (
        "Of its lead over Phone B, 70% comes from its aspects and 30% from what the user reviewed before. "
        "This holds in 2 of the 2 nets, of 3, that agree with the list."
    )


class TestClaims:
    """A row or a record that contradicts itself cannot be put into words."""

    @pytest.mark.parametrize(
        ("more", "says"),
        [
            (nets(3, 2), "holds in 3 of 2 nets, of 3: the first is part of the second"),
            (nets(2, 4), "holds in 2 of 4 nets, of 3"),
            (nets(-1, 2), "holds in -1 of 2 nets"),
            (nets(0, 0, 0), "holds in 0 of 0 nets, of 0"),
            ({"nets": 3}, "all three are known, or none is"),
            ({**nets(2, 2), "status": "not_found"}, "why with status not_found holds in no net"),
            ({"lead_history": 0.3}, "the one part implies the other"),
            ({"carried_by": ("c",), "past": ("C",)}, "no part is carried"),
            (lead(0.3, 0.0, "c"), "nothing is carried"),
            ({**lead(0.3, 0.2), "score_before": 1.6}, "do not add up to the lead, 0.6"),
            ({"lead_aspects": 0.5, "score_before": 2.0, "target": 1.0}, "do not add up to the lead, 1.0"),
            ({**lead(0.3, 0.2, "c"), "past": ()}, r"past names \(\), but carried_by is \('c',\)"),
            ({"past": ("C",)}, "past names"),
            ({"lead_aspects": float("nan")}, "lead_aspects is nan"),
        ],
    )
    def test_they_are_refused(self, more: dict[str, Any], says: str) -> None:
        with pytest.raises(InvalidValueError, match=says):
            answer("why", WORSE, **more)
