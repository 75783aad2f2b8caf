"""What the benchmarks compare is what they say: the models, the values, and the list of scripts."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from benchmarks import explainers
from benchmarks.fitted_model import KINDS
from benchmarks.problems import Problem, phones, problem
from benchmarks.published import Published, logits_of
from benchmarks.values import Timed, counted, on_a_rung, possible

from counterec.core.explainers.answer import Proposal, verified
from counterec.core.explainers.constraints import Constraints, Values
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.hybrid import HybridScorer
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.settings import TrainingSettings
from counterec.core.space import QualityRule
from counterec.synthetic.world import WorldSize
from tests.worlds import World, as_hybrid, counted_world, random_world

LOAD = re.compile(r"load average at the end \d+\.\d, \d+\.\d, \d+\.\d\.")
FOLDER = Path(__file__).parents[1] / "benchmarks"
RULES: tuple[QualityRule, ...] = ("eq1", "share")


@pytest.fixture(scope="module", params=KINDS)
def tiny(request: pytest.FixtureRequest) -> Problem:
    training = TrainingSettings(hidden=(8, 4), epochs=5)
    return problem(phones(size=WorldSize(users=20, items=60, aspects=6)), request.param, training)


def test_a_page_of_times_says_how_busy_the_machine_was() -> None:
    assert LOAD.search("\n".join(explainers.heading()))


class TestProblems:
    def test_another_training_has_the_same_settings_and_is_another_model(self, tiny: Problem) -> None:
        assert tiny.model.used.completed() == tiny.model.asked.completed()
        assert not np.array_equal(tiny.trained_again(1).score(tiny.question(5).pairs), _scores(tiny))

    def test_the_page_says_what_the_model_is_worth(self, tiny: Problem) -> None:
        assert tiny.name == f"phones: {tiny.model.kind}"
        assert f"validation NDCG@20 {tiny.model.validation_ndcg:.4f}" in tiny.model.described
        assert 0 < tiny.model.validation_ndcg <= 1

    def test_every_answer_of_the_published_algorithm_is_scored_again(self, tiny: Problem) -> None:
        question = tiny.question(6)
        delta = Published(steps=30).all_at_once(tiny.differentiable, question)
        found = verified(tiny.scorer, question, Proposal.of(delta))
        flips = question.crossed(tiny.scorer.score(question.changed(found.delta)))
        assert flips[found.explained].all()


def _scores(tiny: Problem) -> np.ndarray:
    return tiny.scorer.score(tiny.question(5).pairs)


class TestPublished:
    @pytest.mark.parametrize("size", [0.5, 50.0])
    def test_the_offset_is_in_every_score(self, size: float) -> None:
        world = as_hybrid(random_world(3), seed=3, size=size)
        assert isinstance(world.scorer, HybridScorer)
        pairs = _asked(world).pairs
        found = logits_of(world.scorer, pairs)(torch.tensor(pairs.item_quality)).detach().numpy()
        np.testing.assert_allclose(found, world.scorer.score(pairs), rtol=1e-5, atol=1e-5)

    def test_alone_or_in_a_batch_a_pair_has_one_answer(self) -> None:
        world, setting = as_hybrid(random_world(4), seed=4, size=1.0), Published(steps=40)
        assert isinstance(world.scorer, HybridScorer)
        question = _asked(world)
        alone, together = (way(world.scorer, question) for way in (setting.one_at_a_time, setting.all_at_once))
        np.testing.assert_allclose(alone, together, atol=1e-3)


class TestPossible:
    @pytest.mark.parametrize("rule", RULES)
    @pytest.mark.parametrize("seed", range(4))
    def test_all_values_of_reachable_answers_are_and_hardly_any_other(self, seed: int, rule: QualityRule) -> None:
        world = counted_world(seed, rule)
        assert possible(_explained(world, "reachable")) == 1
        assert possible(_explained(world, "continuous")) < 1

    @pytest.mark.parametrize("rule", RULES)
    def test_the_formula_and_the_space_agree_on_every_rung(self, rule: QualityRule) -> None:
        space = counted_world(1, rule).space
        items, aspects = np.nonzero(space.item_quality)
        values = space.counted_values
        assert values is not None
        for more in (1, 2, 7):
            rungs = values.search(items, aspects, space.item_quality[items, aspects]) - more
            below = values.value(items, aspects, np.maximum(rungs, 0))
            assert on_a_rung(values, items, aspects, below).all()
            assert counted(space, items, aspects, below).all()
            between = below + np.float32(0.01)
            assert not (on_a_rung(values, items, aspects, between) & counted(space, items, aspects, between)).any()


def _asked(world: World, values: Values = "continuous") -> Question:
    lists = rank(world.scorer, world.space, world.candidates, 3)
    return why(world.space, lists, constraints=Constraints(values=values))


def _explained(world: World, values: Values) -> Timed:
    question = _asked(world, values)
    return Timed(question, CountER(world.scorer).explain(question), 0.0)


class TestPages:
    def test_every_script_and_every_shared_module_is_listed(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        named = set(re.findall(r"benchmarks\.(\w+)", text)) | set(re.findall(r"`(\w+)\.py`", text))
        assert named == {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}

    def test_links_lead_somewhere(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)]+)\)", text):
            assert (FOLDER / link).exists(), link
