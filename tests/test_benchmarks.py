"""What the benchmarks compare is what they say: the models, the values, and the list of scripts."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from benchmarks import explainers
from benchmarks.fitted_model import KINDS
from benchmarks.problems import Problem, phones, problem
from benchmarks.published import Published

from counterec.core.explainers.answer import Proposal, verified
from counterec.core.scorers.settings import TrainingSettings
from counterec.synthetic.world import WorldSize

LOAD = re.compile(r"load average at the end \d+\.\d, \d+\.\d, \d+\.\d\.")
FOLDER = Path(__file__).parents[1] / "benchmarks"


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


class TestPages:
    def test_every_script_and_every_shared_module_is_listed(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        named = set(re.findall(r"benchmarks\.(\w+)", text)) | set(re.findall(r"`(\w+)\.py`", text))
        assert named == {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}

    def test_links_lead_somewhere(self) -> None:
        text = (FOLDER / "README.md").read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)]+)\)", text):
            assert (FOLDER / link).exists(), link
