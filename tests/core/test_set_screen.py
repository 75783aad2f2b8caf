"""The screen of sets: its bound lies below every score, and no proof that rests on it is wrong."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import torch
from tests.worlds import World, as_hybrid, asked, plain_world

from counterec.core.explainers.answer import Explanations, Proof
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.minimal import set_search
from counterec.core.explainers.minimal.set_enumeration import sets_of
from counterec.core.explainers.minimal.set_problem import PairProblem
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question import Question
from counterec.core.explainers.set_screen import SetScreen, Sides
from counterec.core.scorers.relu_layers import ReluLayers


def test_the_bound_of_a_tiny_net_by_hand() -> None:
    """Two units in each layer: s = −relu(a − 1) + relu(b), from the reference (a, b) = (0, 2) to the set (2, 2).

    The first unit of the second layer is 1 away from its other side, and moves by 2. The mean |h| is 3/2. With M = 3/4
    the unit costs at most 2²/3 = 1.33, with M = 3/2 and c = 1/2 at most 2.5²/6 = 1.04; in truth, it costs 1.
    """
    eye = torch.eye(2)
    bias, output = torch.tensor([[-1.0, 0.0]]), torch.tensor([[-1.0, 1.0]])
    layers = ReluLayers(torch.zeros(1, 2), eye, eye[None], bias, output, torch.tensor(0.0))
    screen = SetScreen(layers, Sides.of(layers, 1.0), 1.0, torch.tensor([[0.0, 2.0]]))
    bounds = screen.lowest(0, torch.tensor([[2.0, 2.0], [0.0, 2.0], [-5.0, 1.0]]))
    assert bounds.tolist() == pytest.approx([2 - 2.5**2 / 6, 2, 1])


def random_layers(seed: int, blocks: int, first: int = 24, second: int = 10) -> ReluLayers:
    """Layers with one strong direction, as training makes it, and everything else at random."""
    random = torch.Generator().manual_seed(seed)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=random)

    strong = 2 * (seed % 3) * drawn(blocks, first, 1) * drawn(blocks, 1, second)
    hidden = (drawn(blocks, first, second) + strong) / first**0.5
    return ReluLayers(
        drawn(1, blocks * first),
        drawn(8, blocks * first),
        hidden,
        drawn(blocks, second),
        drawn(blocks, second),
        drawn()[()],
    )


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_no_score_lies_below_its_bound(blocks: int, sign: float) -> None:
    near = 0
    for seed in range(30):
        layers = random_layers(seed, blocks)
        moves = (0.05, 0.3, 2)[seed % 3] * layers.item
        sets = (torch.rand((60, 8), generator=torch.Generator().manual_seed(seed)) < 0.4).float()
        first = layers.share + sets @ moves
        screen = SetScreen(layers, Sides.of(layers, sign), sign, first[:2])
        scores = sign * layers.score(layers.second(first.relu()).relu())
        for place in range(2):
            bounds = screen.lowest(place, first.clone())
            assert (bounds <= scores + 1e-4).all()
            near += int((bounds > scores - 0.1).sum())
    assert near > 20  # a bound that says nothing would pass, too


def worlds(seed: int) -> World:
    """A net, or the mean of three and offsets; nine aspects, so that many sets have three and more of them."""
    world = plain_world(seed, aspects=9, hidden=(20, 8))
    return as_hybrid(world, seed, 1.0) if seed % 2 else world


def question_of(world: World, seed: int, k: int = 2) -> Question:
    values = Constraints(values="continuous") if seed % 4 < 2 else Constraints(unreviewed_beyond="never")
    return asked("why" if seed % 3 else "why_not", world, world.scorer, seed, k=k, constraints=values)


def answered(world: World, question: Question, **settings: int) -> Explanations:
    return CountER(world.scorer, minimal=MinimalSettings(**settings)).explain(question)


def fewest(world: World, question: Question, most: int) -> np.ndarray:
    """The fewest aspects that flip at their bounds by the scorer itself, each set by itself; ``most`` if none below."""
    sizes = np.full(len(question), most)
    for row in range(len(question)):
        bounds = np.where(question.lowest[row] < 0, question.lowest[row], question.highest[row])
        movable = np.flatnonzero(bounds)
        for size in range(1, most):
            chosen = [list(aspects) for aspects in combinations(movable, size)]
            delta = np.zeros((len(chosen), len(bounds)), dtype=np.float32)
            for place, aspects in enumerate(chosen):
                delta[place, aspects] = bounds[aspects]
            repeated = question.rows(np.full(len(chosen), row))
            if len(chosen) and repeated.crossed(world.scorer.score(repeated.changed(delta))).any():
                sizes[row] = size
                break
    return sizes


@pytest.fixture
def screen_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_search, "WORTH_SCREENING", 0)


@pytest.mark.usefixtures("screen_everything")
class TestSearch:
    """Searches in which every set is screened."""

    def test_answers_are_those_of_a_search_without_a_screen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        several = 0
        for seed in range(60):
            world = worlds(seed)
            question = question_of(world, seed)
            with_screen = answered(world, question)
            with monkeypatch.context() as without:
                without.setattr(PairProblem, "screen", lambda *_: None)
                plain = answered(world, question)
            assert with_screen.proof.tolist() == plain.proof.tolist()
            assert ((with_screen.delta != 0) == (plain.delta != 0)).all()
            assert with_screen.delta == pytest.approx(plain.delta, abs=1e-3)
            several += int((np.count_nonzero(plain.delta[plain.explained], axis=1) > 2).sum())
        assert several > 20

    def test_what_is_proven_with_few_scorings_is_smallest(self, monkeypatch: pytest.MonkeyPatch) -> None:
        proven = without_screen = 0
        for seed in range(60):
            world = worlds(seed)
            question = question_of(world, seed)
            answers = answered(world, question, budget=12)
            sizes = np.count_nonzero(answers.delta, axis=1)
            smallest = answers.explained & (answers.proof == Proof.SMALLEST) & (sizes > 2)
            assert (fewest(world, question, 9)[smallest] == sizes[smallest]).all()
            with monkeypatch.context() as without:
                without.setattr(PairProblem, "screen", lambda *_: None)
                plain = answered(world, question, budget=12)
            proven += int(smallest.sum())
            without_screen += int((plain.explained & (plain.proof == Proof.SMALLEST) & (sizes > 2)).sum())
        assert proven > without_screen


def test_all_sets_of_a_size_are_enumerated_in_order() -> None:
    for size in range(1, 5):
        expected = [list(chosen) for chosen in combinations(range(7), size)]
        flags = sets_of(size, 7, 9)
        assert [np.flatnonzero(row).tolist() for row in flags] == expected
    assert sets_of(3, 2, 4).shape == (0, 4)


def test_a_net_in_which_no_unit_lowers_the_score_is_bounded_by_its_slope() -> None:
    """s = relu(a) + relu(b): convex, so that the bound is the straight line from the reference (1, 1)."""
    eye = torch.eye(2)
    layers = ReluLayers(torch.zeros(1, 2), eye, eye[None], torch.zeros(1, 2), torch.ones(1, 2), torch.tensor(0.0))
    screen = SetScreen(layers, Sides.of(layers, 1.0), 1.0, torch.ones(1, 2))
    assert screen.lowest(0, torch.tensor([[3.0, 0.5], [-4.0, 1.0]])).tolist() == pytest.approx([3.5, 1])
