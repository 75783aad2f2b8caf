"""What must hold of the measures in any world: of naming everything, the truth, or anything at random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.worlds import named_of, random_world

from counterec.core.evaluation.judge_necessity import model_side, verdicts
from counterec.core.evaluation.quality import SCORES, GroundTruth, matched, user_side
from counterec.core.evaluation.verdicts import Verdicts
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import AlignmentScorer

K = 3


def judged(seed: int, net: bool, named) -> tuple[Verdicts, np.ndarray]:
    """The verdicts if all pairs of a random world name the same, and which items have one of the first numbers."""
    world = random_world(seed)
    scorer = AspectNet(world.weights) if net else AlignmentScorer()
    lists = rank(scorer, world.space, world.candidates, K)
    rows, _, items = lists.pairs()
    matrix = np.broadcast_to(named, (len(items), len(world.space.aspects)))
    pairs = named_of(lists.users[rows], items, matrix)
    found = verdicts(scorer, world.space, world.candidates, K, pairs)
    first = [item in world.candidates.of(int(user))[:K] for user, item in zip(pairs.users, items, strict=True)]
    return found, np.array(first)


@given(st.integers(0, 10_000), st.booleans())
@example(728, True)  # a score near 0 in which larger sums cancel
@settings(max_examples=40, deadline=None)
def test_naming_everything_is_sufficient_and_necessary_by_ties_alone(seed, net):
    found, first_by_number = judged(seed, net, True)
    measured = model_side(found)
    assert measured.ps.value == 1
    assert measured.ties["pn"] == (0, 1)
    # With nothing left all items tie: who stays is who has a small number.
    assert found.necessary.tolist() == (~first_by_number).tolist()


@given(st.integers(0, 10_000), st.booleans(), st.integers(1, 31))
@settings(max_examples=40, deadline=None)
def test_ties_bound_every_verdict(seed, net, bits):
    found, _ = judged(seed, net, [bool(bits >> aspect & 1) for aspect in range(5)])
    for verdict in ("necessary", "sufficient"):
        strict, rule, kind = (getattr(found, f"{verdict}{ties}") for ties in ("_strict", "", "_kind"))
        assert (strict <= rule).all()
        assert (rule <= kind).all()


TRUTH = arrays(bool, (6, 4))
PAIRS = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1])


@given(TRUTH, TRUTH, st.permutations(range(6)))
def test_matching_asks_for_three_things_and_keeps_to_its_bounds(named, praised, order):
    held_out = np.array(order[:4])
    truth = GroundTruth(PAIRS[0][held_out], PAIRS[1][held_out], praised[held_out])
    found = matched(named_of(*PAIRS, named), truth)
    in_test = np.isin(np.arange(6), held_out)
    assert found.in_test.tolist() == in_test.tolist()
    assert found.praised.tolist() == (praised.sum(axis=1) * in_test).tolist()
    counts = in_test & named.any(axis=1) & praised.any(axis=1)
    for name in SCORES:
        assert (~np.isnan(getattr(found, name))).tolist() == counts.tolist()
    side = user_side(named_of(*PAIRS, named), truth)
    assert side.f1.cases + side.not_in_test + side.not_explained + side.nothing_praised == 6
    precision, recall, f1 = (getattr(found, name)[counts] for name in SCORES)
    assert (np.minimum(precision, recall) - 1e-12 <= f1).all()
    assert (f1 <= np.maximum(precision, recall) + 1e-12).all()
    assert ((f1 == 0) == ((precision == 0) & (recall == 0))).all()


@given(TRUTH, TRUTH)
def test_counted_as_zero_the_unexplained_change_the_cases_and_not_the_sum(named, praised):
    found, users = matched(named_of(*PAIRS, named), GroundTruth(*PAIRS, praised)), PAIRS[0]
    whole = found.with_zeros()
    assert whole.averages(users)["f1"].cases == praised.any(axis=1).sum()
    for name in SCORES:
        assert np.nansum(getattr(whole, name)) == pytest.approx(np.nansum(getattr(found, name)))


def test_the_unexplained_counted_as_zero_by_hand():
    found = matched(
        named_of([0, 0, 1], [5, 6, 5], [[1, 0], [0, 0], [1, 1]]),
        GroundTruth([0, 0], [5, 6], [[1, 1], [1, 0]]),
    )
    averages, zeros = (which.averages(np.array([0, 0, 1])) for which in (found, found.with_zeros()))
    assert (averages["precision"].value, averages["recall"].value, averages["f1"].cases) == (1, 0.5, 1)
    assert (zeros["precision"].value, zeros["recall"].value, zeros["f1"].cases) == (0.5, 0.25, 2)
    flags = {"necessary": [1, 0, 0], "sufficient": [1, 0, 1]}
    columns = {f"{name}{ties}": flag for name, flag in flags.items() for ties in ("", "_kind", "_strict")}
    asked = Verdicts(users=[0, 0, 1], asked=[1, 0, 1], **columns)
    side, of_all = model_side(asked), model_side(asked.with_zeros())
    assert (side.pn.value, side.ps.value, side.pn.cases) == (0.5, 1, 2)
    assert (of_all.pn.value, of_all.ps.value, of_all.pn.cases) == (pytest.approx(1 / 3), pytest.approx(2 / 3), 3)
