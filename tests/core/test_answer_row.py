"""One answer as one row: what it refuses, and how the solvers' arrays become rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests import naive
from tests.worlds import counted_world, figure_one

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import verdicts
from counterec.core.evaluation.verdicts import VERDICTS
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.answer_columns import answer_rows
from counterec.core.explainers.answer_row import ROW_COLUMNS, AnswerRow
from counterec.core.explainers.constraints import Constraints, Values
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import InvalidValueError

SPACE, SCORER = figure_one(), AlignmentScorer()
EVERYTHING = Candidates.without(4, [[]])
A, B, D = 0, 1, 3


def question(k: int = 1, values: Values = "continuous", **constraints: Any) -> Question:
    lists = rank(SCORER, SPACE, EVERYTHING, k)
    return why(SPACE, lists, constraints=Constraints(values=values, **constraints))


def answered(asked: Question, goal: str = "minimal") -> Explanations:
    return CountER(SCORER, goal=goal, telling=False).explain(asked)  # type: ignore[arg-type]


def row_of(**more: Any) -> AnswerRow:
    (row,) = answer_rows(answered(question()), question(), np.array([1]))
    return replace(row, **more)


def test_the_numbers_of_an_answer() -> None:
    row = row_of()
    assert (row.user_id, row.item_id, row.position, row.question, row.versus) == ("someone", "A", 1, "why", None)
    assert (row.goal, row.status, row.proof) == ("minimal", "explained", "smallest")
    assert (row.aspects, row.before, row.score_before, row.target) == (("battery",), (3.0,), 42.0, 37.5)
    assert row.after[0] == pytest.approx(2.1, abs=0.01)
    assert row.score_after < 37.5
    assert [getattr(row, name) for name in VERDICTS] == [None] * 6
    assert (row.values, row.balance_before, row.balance_after) == ("continuous", (None,), (None,))
    assert row.margin == pytest.approx(1e-4 * np.std([42, 37.5, 35.7, 35.4]))
    assert (row.alternatives, row.equal_sets, row.all_tried) == (("price", "screen"), 2, True)


def test_a_value_that_opinions_give_comes_with_its_balance() -> None:
    """From 3 down to 2.08, one complaint more than praises: the score is 37.4 against 37.5."""
    asked = question(values="reachable")
    (row,) = answer_rows(answered(asked), asked)
    assert (row.aspects, row.before, row.values) == (("battery",), (3.0,), "reachable")
    assert row.after == (naive.reviewed(-1),)
    assert row.balance_before == (None,), "nobody has counted what led to 3"
    assert row.balance_after == (-1,)
    single = answered(asked, "single")
    assert answer_rows(single, asked)[0].alternatives == ("price", "screen")


def test_the_counts_behind_the_values() -> None:
    """Before the change the balance is what was counted, also where values are one: 17 and 25 praises are both 5.0."""
    seen: Counter[str] = Counter()
    for seed in range(6):
        world = counted_world(seed)
        net, opinions = AspectNet(world.weights), world.space.opinions
        asked = why(world.space, rank(net, world.space, world.candidates, 3))
        for row, item in zip(answer_rows(CountER(net).explain(asked), asked), asked.items, strict=True):
            for name, before, after, n, m in zip(
                *(row.aspects, row.before, row.after, row.balance_before, row.balance_after), strict=True
            ):
                aspect = world.space.aspects.number(name)
                assert n == opinions.item_praises[item, aspect] - opinions.item_complaints[item, aspect]
                assert before == naive.reviewed(n)
                assert m == (None if after == 0 else naive.balances()[after])
                seen["saturated"] += n > 17
                seen["unreviewed" if m is None else "counted"] += 1
            assert row.values == ("unreviewed" if 0.0 in row.after else "reachable")
    assert min(seen.values()) > 2
    assert len(seen) == 3


def test_verdicts_by_the_rule_or_with_their_bounds() -> None:
    asked = question()
    (complete,) = answer_rows(answered(asked, "complete"), asked)
    assert (complete.necessary, complete.sufficient) == (True, True)
    assert (complete.necessary_kind, complete.sufficient_strict) == (None, None)
    answers = answered(asked)
    judged = answers.with_verdicts(verdicts(SCORER, SPACE, EVERYTHING, 1, answers.named()))
    (row,) = answer_rows(judged, asked)
    assert [getattr(row, name) for name in VERDICTS] == [True] * 6


def test_further_names_are_ignored_and_none_may_be_missing() -> None:
    row = row_of()
    given = {name: getattr(row, name) for name in ROW_COLUMNS}
    assert AnswerRow.of({**given, "sentence": "…", "aspects": list(row.aspects)}) == row
    del given["status"]
    with pytest.raises(KeyError, match="status"):
        AnswerRow.of(given)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        ({"question": "who"}, "unknown question 'who'; one of why, why_not, why_rather, why_rather_takes"),
        ({"status": "maybe"}, "unknown status 'maybe'; one of explained, nothing_to_change,"),
        ({"proof": "none"}, "unknown proof 'none'; one of found, irreducible, smallest, exact"),
        ({"position": 0}, "position is 0; positions begin at 1"),
        ({"after": ()}, "after has 0 entries for 1 aspects"),
        ({"balance_after": (1, 2)}, "balance_after has 2 entries for 1 aspects"),
        ({"values": "any"}, "unknown values 'any'; one of reachable, unreviewed, continuous"),
        ({"versus": "B"}, "why has versus 'B'"),
        ({"question": "why_rather"}, "why_rather has versus None"),
        ({"status": "not_found"}, "proof is smallest, but status not_found leaves nothing to prove"),
        ({"status": "no_target", "proof": None}, "why with status no_target changes something"),
        ({"status": "failed", "proof": None}, "why with status failed changes something"),
        ({"question": "why_not", "necessary": True}, "why_not with status explained is neither necessary nor"),
        ({"status": "not_found", "proof": None, "sufficient_kind": False}, "is neither necessary nor sufficient"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(lie: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidValueError, match=says):
        row_of(**lie)
