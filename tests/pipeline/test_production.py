"""Nothing held out: settings are chosen with a validation part, and the final model knows every review."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import load_file

from counterec import open_run
from counterec.core.interactions import Interactions
from counterec.core.mention_counts import MentionNumbers
from counterec.core.space import AspectSpace
from counterec.errors import UsageError
from counterec.pipeline.models import ModelKind, TrainedModel, TrainingData, model_kind, register_model
from tests.pipeline.tiny import SETTINGS, Recorder, again, changed

pytestmark = pytest.mark.slow

PRODUCTION = changed(
    SETTINGS,
    split={"held_out": 0},
    model={"kind": "hybrid", "hybrid": {"nets": 2}},
    training={"epochs": 4, "least_epochs": 1},
    explain={"methods": ["single"]},
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recorder]:
    folder = tmp_path_factory.mktemp("production") / "run"
    return folder, again(folder, PRODUCTION)


@pytest.fixture(scope="module")
def production(made: tuple[Path, Recorder]) -> Path:
    return made[0]


def space_of(folder: Path, parts: list[str]) -> AspectSpace:
    """X and Y from the mentions of these parts."""
    run = open_run(folder)
    space, reviews = run.space, run.split.filter(pl.col("part").is_in(parts))
    mentions = run.mentions.join(reviews, on=["user_id", "item_id"], how="semi")
    mentions = mentions.filter(pl.col("aspect").is_in(list(space.aspects.texts)))
    mentions = mentions.unique(["user_id", "item_id", "aspect", "sentence"], maintain_order=True)  # once a sentence
    numbers = MentionNumbers(
        space.users.numbers(mentions["user_id"]),
        space.items.numbers(mentions["item_id"]),
        space.aspects.numbers(mentions["aspect"]),
        mentions["sentiment"].to_numpy(),
    )
    return AspectSpace.from_mentions(space.users, space.items, space.aspects, numbers, 5.0)


def test_x_and_y_come_from_all_reviews(production: Path) -> None:
    space, everything = open_run(production).space, space_of(production, ["train", "validation"])
    np.testing.assert_array_equal(space.user_attention, everything.user_attention)
    np.testing.assert_array_equal(space.item_quality, everything.item_quality)


def test_settings_are_chosen_without_the_validation_part(production: Path) -> None:
    choosing, training = load_file(production / "aspects-choosing.safetensors"), space_of(production, ["train"])
    np.testing.assert_array_equal(choosing["user_attention"], training.user_attention)
    np.testing.assert_array_equal(choosing["item_quality"], training.item_quality)
    assert (choosing["user_attention"] != open_run(production).space.user_attention).any()


def test_nothing_that_was_reviewed_is_recommended_and_the_past_is_whole(production: Path) -> None:
    run, model = open_run(production), load_file(production / "model.safetensors")
    rows, _, items = run.recommendations.pairs()
    split = run.split
    everything = Interactions(
        run.space.users.numbers(split["user_id"]), run.space.items.numbers(split["item_id"]), 30, len(run.space.items)
    )
    assert not everything.contain(run.recommendations.users[rows], items).any()
    np.testing.assert_array_equal(model["history.items"], everything.items)


def test_the_second_training_takes_over_what_the_first_chose(production: Path) -> None:
    counts = open_run(production).manifest.stages["fit"].counts
    final = counts["trained_on_everything"]
    for name in ("weight", "regularisation", "kept"):
        assert final[name] == counts[name]
    epochs = int(np.median([net["best_epoch"] for net in counts["nets"]]))
    assert [net["epochs"] for net in final["nets"]] == [epochs, epochs]
    assert final["nets"][0]["settings"] == counts["nets"][0]["settings"]
    assert "weights" not in final
    assert json.loads((production / "model.json").read_text())["weights"] == counts["weights"]


def test_an_experiment_needs_held_out_reviews(production: Path) -> None:
    with pytest.raises(UsageError, match=re.escape("holds nothing out, so nothing can be measured")):
        open_run(production).experiment()


def test_a_kind_of_ones_own_is_trained_on_everything(tmp_path: Path) -> None:
    seen: list[TrainingData] = []

    def train(data: TrainingData) -> TrainedModel:
        seen.append(data)
        found = model_kind("net").train(data)  # type: ignore[misc]
        return TrainedModel(found.arrays, chosen={**found.chosen, "mine": 7})

    register_model(ModelKind("mine", load=model_kind("net").load, train=train))
    again(tmp_path / "run", changed(PRODUCTION, model={"kind": "mine"}))
    choosing, final = seen
    assert choosing.chosen is None
    assert final.chosen is not None
    assert final.chosen["mine"] == 7
    assert (len(choosing.validation), len(final.validation)) == (30, 0)
    assert len(final.train) == len(choosing.train) + 30
