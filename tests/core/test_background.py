"""What stands behind answers: the parts of a lead, the past items that carry one, and the nets in which they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests import background_claims, naive
from tests.background_claims import Plain, Said
from tests.blends import Blend, plain_offset, plain_score, random_blend
from tests.worlds import ALL_WORLDS, KINDS, SCORED, World, asked, largest_of, plain_world, space_of

from counterec.core.candidates import Candidates
from counterec.core.evaluation.robustness import Robustness, robustness
from counterec.core.explainers.answer import Explanations, Status
from counterec.core.explainers.answer_columns import answer_rows
from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.lead import MOST_CARRIERS, Leads, carrying, leads
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why, why_not, why_rather
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.net import AspectNet, NetEnsemble
from counterec.core.scorers.ranking import rank, rank_with_members
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import InvalidValueError
from counterec.wording import answer_record, sentence

SIZES = {"small": 0.1, "like the net": 1.0, "far larger": 1000.0}
"""How large offsets are beside the net."""


def answered(scorer: Any, question: Question, **more: Any) -> list[AnswerRow]:
    answers = CountER(scorer, **more).explain(question)
    marks = leads(scorer, question, answers), robustness(scorer, question, answers)
    return answer_rows(answers, question, None, *marks)


def said_by(rows: list[AnswerRow], question: Question, answers_after: np.ndarray) -> Iterator[Said]:
    items = question.space.items
    for row, found in enumerate(rows):
        other = None if question.target_item is None else int(question.target_item[row])
        no_other = other == -1 or not question.has_target[row]
        yield Said(
            kind=question.kind,
            user=int(question.users[row]),
            item=int(question.items[row]),
            other=None if no_other else other,
            rivals=question.rivals(row),
            k=question.k,
            after=answers_after[row],
            status=found.status,
            lead_aspects=found.lead_aspects,
            lead_history=found.lead_history,
            carried_by=None if found.carried_by is None else [items.number(item) for item in found.carried_by],
            score_without_aspects=found.score_without_aspects,
            nets=found.nets,
            nets_agree=found.nets_agree,
            nets_hold=found.nets_hold,
        )


def plain_blend(blend: Blend, world: World) -> Plain:
    X, offsets = world.space.user_attention, blend.offsets
    noises = [naive.net_noise(net.named(), X, largest_of(world)) for net in blend.nets]

    def noise(user: int) -> float:
        largest = np.abs(offsets.weight[user] * offsets.matrix).max(initial=0) * (1 + len(offsets.past[user]))
        return sum(one(user) for one in noises) + 1e-6 * float(largest)

    def past(user: int, item: int) -> dict[int, float]:
        weight = float(offsets.weight[user])
        return {int(j): weight * float(offsets.matrix[j, item]) for j in offsets.past[user]}

    return Plain(
        score=plain_score(blend, world),
        Y=world.space.item_quality,
        noise=noise,
        absent=world.space.scale.absent,
        offset=lambda user, item: plain_offset(offsets, user, item),
        past=past,
        members=[plain_score(member, world) for member in blend.members],
    )


def check(scorer: Any, plain: Plain, question: Question, **more: Any) -> list[AnswerRow]:
    answers = CountER(scorer, **more).explain(question)
    rows = answer_rows(answers, question, None, leads(scorer, question, answers), robustness(scorer, question, answers))
    for said in said_by(rows, question, question.after(answers.delta)):
        assert background_claims.untrue(plain, said) == []
    return rows


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ALL_WORLDS)
def test_every_part_is_what_plain_arithmetic_gives(name: str, kind: Any) -> None:
    world = ALL_WORLDS[name](7)
    size = list(SIZES.values())[(list(ALL_WORLDS).index(name) + list(KINDS).index(kind)) % len(SIZES)]
    blend = random_blend(world, 8, size)
    hybrid = HybridScorer(NetEnsemble(blend.nets), blend.offsets)
    for scorer in (blend, hybrid):
        check(scorer, plain_blend(blend, world), asked(kind, world, scorer, 9))


def test_these_worlds_hold_what_is_to_be_checked() -> None:
    """Marks of every sort occur: all and some agree; an answer holds in some only; parts of both signs."""
    rows = []
    for seed in range(8):
        world = plain_world(seed)
        blend = random_blend(world, seed)
        hybrid = HybridScorer(NetEnsemble(blend.nets), blend.offsets)
        for kind in KINDS:
            rows += check(hybrid, plain_blend(blend, world), asked(kind, world, hybrid, 1))
    marks = {(row.nets_agree, row.nets_hold) for row in rows if row.explained}
    assert {(3, 3), (3, 2), (2, 2), (2, 1), (1, 1), (1, 0)} <= marks
    signs = {(np.sign(row.lead_aspects), np.sign(row.lead_history)) for row in rows if row.lead_history is not None}
    assert {(1, 1), (1, -1), (-1, 1), (-1, -1)} <= signs
    assert {len(row.carried_by) for row in rows if row.carried_by is not None} == set(range(MOST_CARRIERS + 1))


def test_an_item_is_kept_by_history_only_if_it_is() -> None:
    """Of the items that no change takes off, those that stay without aspects and would leave without history."""
    seen = Counter()
    for seed in range(6):
        world = plain_world(seed)
        blend = random_blend(world, seed, 3.0)
        hybrid, plain = HybridScorer(NetEnsemble(blend.nets), blend.offsets), plain_blend(blend, world)
        question = asked("why", world, hybrid, seed)
        answers = CountER(hybrid).explain(question)
        split = leads(hybrid, question, answers)
        for row in range(len(question)):
            record = answer_record(question, answers, row, leads=split)
            user, item, other = (int(of[row]) for of in (question.users, question.items, question.target_item))
            target, bare = plain.score(user, other, plain.Y[other]), plain.score(user, item, plain.absent)
            history = plain_offset(blend.offsets, user, item) - plain_offset(blend.offsets, user, other)
            missed = answers.status[row] in (Status.NOT_FOUND, Status.CANNOT_FLIP, Status.NOTHING_TO_CHANGE)
            if min(abs(bare - target), abs(bare - history - target)) > 10 * plain.noise(user):
                assert record.kept_by_history == (missed and bare > target > bare - history)
            assert ("none of its aspects" in sentence(record)) == record.kept_by_history
            seen[bool(missed), record.kept_by_history] += 1
    assert all(seen[case] for case in ((False, False), (True, True))), seen


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [name for name in SCORED if "hybrid" not in name])
def test_a_scorer_without_an_offset_has_no_history(name: str, kind: Any) -> None:
    world = plain_world(3)
    scored = SCORED[name](world, 4)
    plain = Plain(
        score=scored.score,
        Y=world.space.item_quality,
        noise=scored.noise,
        absent=world.space.scale.absent,
        aspects_only=scored.scorer.aspects_only,
    )
    question = asked(kind, world, scored.scorer, 5)
    for row in check(scored.scorer, plain, question):
        assert (row.lead_history, row.carried_by, row.nets) == (None, None, None)


def test_an_offset_that_is_no_sum_over_past_items_has_no_carriers() -> None:
    class Biased(AlignmentScorer):
        """Every item has an offset of its own."""

        aspects_only = False  # type: ignore[assignment]
        aspect_part = AlignmentScorer()

        def offset(self, users: np.ndarray, items: np.ndarray) -> np.ndarray:
            return 10.0 * items.astype(np.float32)

        def score(self, pairs: Any) -> np.ndarray:
            return self.aspect_part.score(pairs) + self.offset(pairs.users, pairs.items)

    space = space_of([[1.0]], [[5.0], [4.0], [1.0]])
    question = why(space, rank(Biased(), space, Candidates.without(3, [[]]), 2))
    first, second = answered(Biased(), question)
    assert (first.lead_aspects, first.lead_history, first.carried_by) == (-4.0, 20.0, None)
    assert (second.lead_aspects, second.lead_history, second.carried_by) == (-1.0, 10.0, None)
    assert (first.score_without_aspects, first.nets) == (20.0, None)


@pytest.mark.parametrize(
    ("parts", "total", "right"),
    [
        ([0.5, 0.3, 0.2], 1.0, [0, 1, 2]),
        ([0.2, 0.3, 0.5], 1.0, [2, 1, 0]),
        ([0.5, 0.3, 0.2, 0.2], 1.2, [0, 1, 2]),  # the first three, of equal ones the first
        ([0.96, 0.04], 1.0, [0]),  # under a tenth of what is added
        ([1.0, -0.8], 0.2, [0]),  # what is taken away does not count
        ([1.0, -1.8], -0.8, [1]),
        ([0.0, 0.0], 0.0, []),
        ([1.0, -1.0], 0.0, []),
        ([0.09] * 11, 0.99, []),  # many little ones carry nothing by themselves
        ([], 0.0, []),
    ],
)
def test_past_items_carry_what_they_add_most_of(parts: list[float], total: float, right: list[int]) -> None:
    assert carrying(np.array(parts), total).tolist() == right


def test_lists_that_are_known_are_not_made_again() -> None:
    world = plain_world(5)
    blend = random_blend(world, 6)
    for kind in ("why", "why_not"):
        question = asked(kind, world, blend, 7)
        answers = CountER(blend).explain(question)
        for k in (question.k, question.k + 1):  # lists of another length do not answer the question
            known = rank_with_members(blend, world.space, world.candidates, k, k)[1]
            assert len(known) == 3
            found, again = (
                robustness(blend, question, answers),
                robustness(blend, question, answers, member_lists=known),
            )
            assert found is not None
            assert again is not None
            assert found.agree.any()
            assert (found.agree.tolist(), found.hold.tolist()) == (again.agree.tolist(), again.hold.tolist())
    assert rank_with_members(AspectNet(world.weights), world.space, world.candidates, 3, 3)[1] == ()


def failing(question: Question, answers: Explanations) -> Explanations:
    """The answers with the first user's failed, as a run stores it."""
    failed = question.users == question.users[0]
    return replace(
        answers,
        status=np.where(failed, Status.FAILED, answers.status),
        proof=np.where(failed, 0, answers.proof),
        delta=np.where(failed[:, None], 0, answers.delta),
        score_before=np.where(failed, np.nan, answers.score_before),
        score_after=np.where(failed, np.nan, answers.score_after),
    )


def test_a_user_who_failed_is_not_asked_again() -> None:
    world = plain_world(2)
    blend = random_blend(world, 3)
    question = asked("why", world, blend, 4)
    answers = failing(question, CountER(blend).explain(question))
    first = int(question.users[0])
    score, history = blend.score, blend.history

    def no_first(users: Any) -> None:
        assert first not in np.atleast_1d(users)

    blend.score = lambda pairs: no_first(pairs.users) or score(pairs)  # type: ignore[method-assign]
    blend.history = lambda user, items: no_first(user) or history(user, items)  # type: ignore[method-assign]
    found = leads(blend, question, answers)
    failed = question.users == first
    assert np.isnan(found.aspects[failed]).all()
    assert not np.isnan(found.aspects[~failed]).any()
    assert robustness(blend, question, answers) is not None


class Lists:
    """Two nets, and lists of one: which of them agree, and in which the change holds, is known by hand."""

    @staticmethod
    def scorer(*tables: Callable[[np.ndarray], np.ndarray]) -> Any:
        class Member:
            aspects_only = True

            def __init__(self, value: Callable[[np.ndarray], np.ndarray]) -> None:
                self.value = value

            def score(self, pairs: Any) -> np.ndarray:
                return self.value(pairs.item_quality).astype(np.float32)

        class Both(Member):
            members = tuple(Member(table) for table in tables)

            def __init__(self) -> None:
                super().__init__(lambda quality: np.mean([member.value(quality) for member in self.members], axis=0))

        return Both()


SPACE = space_of([[1.0, 1.0]], [[5.0, 3.0], [4.0, 4.0], [1.0, 4.5]])
EVERYONE = Candidates.without(3, [[]])


def marks_of(scorer: Any, question: Question) -> list[tuple[int | None, ...]]:
    return [(row.nets, row.nets_agree, row.nets_hold) for row in answered(scorer, question)]


def test_marks_by_hand() -> None:
    """The mean prefers item 0 for its first aspect; the second net prefers item 2, for its second aspect."""
    scorer = Lists.scorer(lambda q: 4 * q[:, 0] + q[:, 1], lambda q: q[:, 1])
    lists = rank(scorer, SPACE, EVERYONE, 1)
    assert lists.items.tolist() == [[0, 1]]
    assert marks_of(scorer, why(SPACE, lists)) == [(2, 1, 1)]
    one = np.array([0])
    assert marks_of(scorer, why_rather(scorer, SPACE, lists, one, one, np.array([1]))) == [(2, 1, 1)]
    # With 4.52 on its first aspect item 1 passes 13.0, the mean's best, but neither the 23 nor the 4.5 of the nets.
    assert marks_of(scorer, why_not(SPACE, lists, one, np.array([1]))) == [(2, 2, 0)]
    # Item 2 would enter the mean's list, too; the second net has it in its own.
    assert marks_of(scorer, why_not(SPACE, lists, one, np.array([2]))) == [(2, 1, 0)]


def test_values_check_themselves() -> None:
    counts = np.array([1])
    with pytest.raises(InvalidValueError, match="holds in more nets than agree with it"):
        Robustness(3, np.array([True]), counts, counts + 1)
    with pytest.raises(InvalidValueError, match="or these are not of 3"):
        Robustness(3, np.array([True]), counts + 3, counts)
    with pytest.raises(InvalidValueError, match="hold has shape"):
        Robustness(3, np.array([True]), counts, np.array([1, 1]))
    with pytest.raises(InvalidValueError, match="history has shape"):
        Leads(np.zeros(2), np.zeros(1), [None, None], np.zeros(2))
    with pytest.raises(InvalidValueError, match="there are carriers for 1 of 2 pairs"):
        Leads(np.zeros(2), np.zeros(2), [None], np.zeros(2))
