"""Any model can have a run: a kind registered here, in ten lines, goes through every command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from counterec import make_config, open_run
from counterec.core.scorers.simple import AlignmentScorer
from counterec.errors import ConfigError, UsageError
from counterec.pipeline.models import ModelKind, TrainedModel, TrainingData, model_kind, model_names, register_model
from tests.cli.files import counterec
from tests.pipeline.tiny import SETTINGS, again, changed

pytestmark = pytest.mark.slow


class WeightedAlignment(AlignmentScorer):
    """s = Σ_k w_k · X_k · Y_k, with learned w: as little like the paper's net as can be."""

    def __init__(self, weights):
        super().__init__()
        object.__setattr__(self, "weights", weights)

    def score(self, pairs):
        return (pairs.user_attention * pairs.item_quality) @ self.weights

    def score_tensor(self, users, items, user_attention, item_quality):
        return (user_attention * item_quality) @ user_attention.new_tensor(self.weights)


def train_toy(data: TrainingData) -> TrainedModel:
    """An aspect weighs as much as training items do well on it; the seed shakes it a little."""
    liked = data.space.item_quality[data.train.items].mean(axis=0)
    shaken = liked * np.random.default_rng(data.seed).uniform(0.9, 1.1, len(liked))
    return TrainedModel({"weights": shaken.astype(np.float32)}, {"formula": "sum of w x y"})


TOY = ModelKind("toy", load=lambda arrays, space, device: WeightedAlignment(arrays["weights"]), train=train_toy)


@pytest.fixture(scope="module", autouse=True)
def _registered():
    register_model(TOY)


@pytest.fixture(scope="module")
def toy_run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("toy") / "run"
    settings = changed(SETTINGS, model={"kind": "toy"}, explain={"methods": ["minimal", "relaxed"]})
    settings["experiment"] = {"baselines": [], "lambdas": [100.0], "alphas": [0.2], "sweep_users": 3, "models": ["toy"]}
    again(folder, settings)
    return folder


def test_every_explanation_flips_by_its_own_formula(toy_run: Path) -> None:
    run, explained = open_run(toy_run), 0
    for row in run.explanations_table("minimal").to_dicts():
        if row["status"] == "explained":
            quality = run.space.item_quality[run.space.items.number(row["item_id"])].copy()
            quality[run.space.aspects.numbers(row["aspects"])] = row["after"]
            attention = run.space.user_attention[run.space.users.number(row["user_id"])]
            assert (attention * quality) @ run.scorer.weights < row["target"]
            explained += 1
    assert explained > 0


def test_every_command_takes_it(toy_run: Path) -> None:
    row = open_run(toy_run).explanations_table("minimal").row(0, named=True)
    user, item, aspect = row["user_id"], row["item_id"], row["aspects"][0]
    assert counterec("show", toy_run, "--user", user).status == 0
    assert counterec("explain", toy_run, "--user", user, "--item", item, "--goal", "complete").status == 0
    assert counterec("whatif", toy_run, "--user", user, "--item", item, "--set", f"{aspect}=1").status == 0
    assert counterec("experiment", toy_run, "--protocol", "full").status == 0
    assert (toy_run / "experiment" / "toy" / "full" / "claims.txt").is_file()


def test_a_scorer_given_at_run_time_is_explained_instead(toy_run: Path) -> None:
    weights = open_run(toy_run).scorer.weights[::-1].copy()
    run, explained = open_run(toy_run, scorer=WeightedAlignment(weights)), 0
    for user in range(len(run.space.users)):
        own = run.candidates.of(user)
        scores = (run.space.user_attention[user] * run.space.item_quality[own]) @ weights
        np.testing.assert_allclose(np.sort(scores)[::-1][:6], run.recommendations.scores[user], rtol=1e-5)
        for row in run.explain(run.space.users.texts[user]).to_dicts():
            quality = run.space.item_quality[run.space.items.number(row["item_id"])].copy()
            quality[run.space.aspects.numbers(row["aspects"])] = row["after"]
            flips = (run.space.user_attention[user] * quality) @ weights < row["target"]
            assert flips == (row["status"] == "explained")
            assert run.record(row).row.position == row["position"]
            explained += flips
    assert explained > 0


def test_an_unknown_kind_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ConfigError, match=r"model.*: no model of kind 'magic'; there are .*net"):
        make_config(changed(SETTINGS, model={"kind": "magic"}), "test")
    with pytest.raises(UsageError, match="no model of kind 'magic'"):
        model_kind("magic")
    assert {"net", "toy"} <= set(model_names())


def test_the_code_of_a_kind_belongs_to_the_keys_of_its_stages(toy_run: Path) -> None:
    stages = open_run(toy_run).manifest.stages
    for stage in ("fit", "rank", "explain minimal"):
        assert "tests.pipeline.test_models" in stages[stage].code
    assert "tests.pipeline.test_models" not in stages["build"].code


def test_scores_that_single_precision_cannot_tell_apart_are_said_to_be_so(tmp_path: Path) -> None:
    def nothing(data: TrainingData) -> TrainedModel:
        return TrainedModel({"weights": np.zeros(len(data.space.aspects), dtype=np.float32)})

    register_model(ModelKind("constant", load=TOY.load, train=nothing))
    recorder = again(tmp_path / "run", changed(SETTINGS, model={"kind": "constant"}, explain={"methods": ["minimal"]}))
    says = "the scores of all candidates are alike, as far as single precision can tell, for 30 of 30 users"
    assert any(says in warning for warning in recorder.warnings)
    assert set(open_run(tmp_path / "run").explanations_table("minimal")["status"]) <= {"not_found", "nothing_to_change"}
