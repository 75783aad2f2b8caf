import dataclasses

import numpy as np
import pytest
from tests.worlds import named_of, vocabulary

from counterec.core.candidates import Candidates
from counterec.core.evaluation.judge_necessity import model_side, verdicts
from counterec.core.evaluation.quality import GroundTruth, counterfactual_side, user_side
from counterec.core.explainers.answer import Explanations, Proof, Status
from counterec.core.scale import AspectScale
from counterec.core.scorers.simple import AlignmentScorer
from counterec.core.space import AspectSpace


class TestUserSide:
    truth = GroundTruth([0, 0, 1], [5, 6, 5], [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]])

    def test_by_hand(self):
        named = named_of(
            [0, 0, 1, 1, 0],
            [5, 6, 5, 9, 7],
            [[1, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0]],
        )
        found = user_side(named, self.truth)
        # One pair counts: named {0,2,3}, praised {0,1}. (0,6) praised nothing, (1,5) is not explained, two not in test.
        assert found.precision.value == pytest.approx(1 / 3)
        assert found.recall.value == pytest.approx(1 / 2)
        assert found.f1.value == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))
        assert (found.f1.cases, found.nothing_praised, found.not_explained, found.not_in_test) == (1, 1, 1, 2)

    def test_f1_is_averaged_over_pairs_not_made_from_averages(self):
        truth = GroundTruth([0, 1], [5, 5], [[1, 0, 0], [0, 1, 1]])
        found = user_side(named_of([0, 1], [5, 5], [[1, 0, 0], [1, 1, 0]]), truth)
        assert found.f1.value == pytest.approx((1 + 0.5) / 2)
        assert found.precision.value == pytest.approx(0.75)
        assert found.recall.value == pytest.approx(0.75)


def small_space(quality) -> AspectSpace:
    quality = np.array(quality, dtype=float)
    return AspectSpace(
        users=vocabulary("user", 1),
        items=vocabulary("item", len(quality)),
        aspects=vocabulary("aspect", quality.shape[1]),
        user_attention=np.ones((1, quality.shape[1])),
        item_quality=quality,
        scale=AspectScale.of_reviews(quality.shape[1]),
    )


class TestModelSide:
    def judged(self, quality, named, k=1, item=0):
        space = small_space(quality)
        everyone = Candidates.without(len(quality), [[]])
        return verdicts(AlignmentScorer(), space, everyone, k, named_of([0], [item], [named]))

    def test_by_hand(self):
        # Item 0 scores 8, item 1 scores 7. Without aspect 0: 3 against 5. With it alone: 5 against 2.
        found = self.judged([[5, 3], [2, 5]], [1, 0])
        assert found.necessary.all()
        assert found.sufficient.all()
        found = self.judged([[5, 3], [2, 5]], [0, 1])
        assert not found.necessary.any()
        assert not found.sufficient.any()

    def test_ties_are_decided_by_number_and_bounded(self):
        # Naming everything leaves only zero vectors: necessity is decided by ties alone.
        first = self.judged([[5, 3], [2, 5]], [1, 1], item=0)
        assert (first.necessary[0], first.necessary_kind[0], first.necessary_strict[0]) == (False, True, False)
        second = self.judged([[2, 5], [5, 3]], [1, 1], item=1)
        assert (second.necessary[0], second.necessary_kind[0], second.necessary_strict[0]) == (True, True, False)
        # With aspect 0 alone kept both score 4: the smaller number stays.
        tied = self.judged([[4, 3], [4, 1]], [1, 0], item=0)
        assert (tied.sufficient[0], tied.sufficient_kind[0], tied.sufficient_strict[0]) == (True, True, False)

    def test_a_row_that_names_nothing_is_not_asked(self):
        found = self.judged([[5, 3], [2, 5]], [0, 0])
        assert not found.asked.any()
        assert model_side(found).pn.value is None

    def test_a_scorer_that_uses_more_than_aspects_is_asked_for_every_candidate(self):
        class WithBonus(AlignmentScorer):
            """Item 1 has something that no aspect shows."""

            def score(self, pairs):
                return super().score(pairs) + 10 * (pairs.items == 1)

        scorer = WithBonus(aspects_only=False)
        space = small_space([[5, 3], [0, 0], [4, 0]])
        everyone = Candidates.without(3, [[]])
        found = verdicts(scorer, space, everyone, 2, named_of([0], [1], [[1, 1]]))
        # Item 1 stays whatever the aspects: they are not necessary; and it stays for something else than them.
        assert not found.necessary[0]
        assert not found.sufficient[0]
        assert found.stays_without_aspects[0]


def test_counterfactual_side_by_hand():
    answers = Explanations(
        users=[0, 0, 1],
        items=[1, 2, 3],
        delta=[[-3.0, -4.0], [0.0, 0.0], [-2.0, 0.0]],
        score_before=[2.0, 1.0, 1.0],
        score_after=[0.0, 1.0, 0.0],
        target=[0.5, 0.5, 0.5],
        margin=[1e-4, 1e-4, 1e-4],
        status=[Status.EXPLAINED, Status.CANNOT_FLIP, Status.EXPLAINED],
        proof=[Proof.FOUND, Proof.NONE, Proof.SMALLEST],
    )
    found = counterfactual_side(answers, gamma=2.0)
    assert found.fidelity.value == pytest.approx(2 / 3)
    assert found.aspects.value == pytest.approx(1.5)
    assert found.l2.value == pytest.approx((5 + 2) / 2)
    assert found.complexity.value == pytest.approx(((5 + 4) + (2 + 2)) / 2)
    assert found.strength.value == pytest.approx(1.5)
    sigmoid = 1 / (1 + np.exp(-np.array([2.0, 1.0]))) - 0.5
    assert found.strength_sigmoid.value == pytest.approx(sigmoid.mean())
    assert found.statuses == {"explained": 2, "cannot_flip": 1}
    with pytest.raises(dataclasses.FrozenInstanceError):
        answers.margin = 0
