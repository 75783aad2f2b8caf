"""The same pairs, explained again under another net and for longer and shorter lists → how alike the answers are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from counterec.baselines import BASELINES
from counterec.core.attribution import ATTRIBUTIONS
from counterec.core.attribution.top_aspects import named
from counterec.core.evaluation.stability import jaccard
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.goals import Goal
from counterec.core.lists import Recommendations
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank
from counterec.experiment.baselines import baseline_data
from counterec.experiment.cell_inputs import GUIDE, CellInputs, inputs_of, told
from counterec.experiment.cells import Cell
from counterec.experiment.guarded_weights import guarded, told_before
from counterec.experiment.rows import Shape, rows_file
from counterec.experiment.schemas import STABILITY
from counterec.experiment.transfer import named_in
from counterec.pipeline import serialization
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import Stage, StageContext
from counterec.pipeline.experiment_settings import ExperimentSettings
from counterec.pipeline.stages.explain import explainer_of
from counterec.pipeline.stages.inputs import reserve_of

STABILITY_FILE = "stability.parquet"
COUNTERFACTUAL: tuple[tuple[Goal, Shape], ...] = (
    ("relaxed", "multi"),
    ("single", "single"),
    ("minimal", "multi"),
    ("complete", "multi"),
)
AGAIN = "trained again"


@dataclass(frozen=True)
class _Lists:
    """Lists that are explained: under which net, and what they are called."""

    name: str
    net: AspectNet
    lists: Recommendations


def stability_stage(config: RunConfig, settings: ExperimentSettings, cell: Cell, device: str) -> Stage:
    """Lists and a net trained again → how alike explanations of the same pair are, no mask."""

    def work(context: StageContext) -> None:
        scene = CellInputs(config, settings, context, device)
        here, *others = _lists(scene)
        context.reporter.total(1 + len(others), "lists")
        first = _explained(scene, here)
        context.reporter.advance(1)
        frames = [pl.DataFrame(schema=dict(STABILITY))]
        for other in others:
            second = _explained(scene, other)
            for (method, shape), said in first.items():
                frames.append(_frame(scene, cell, method, shape, other.name, said, second[method, shape]))
            context.reporter.advance(1)
        for method in settings.baselines:
            frames += _baseline_frames(scene, cell, method)
        serialization.write_table(pl.concat(frames), context.new(STABILITY_FILE))

    explain = config.explain.model_dump(exclude={"methods"})
    values = [explain, config.lists.k, config.seed, settings.detail_users, settings.baselines]
    inputs = (*inputs_of(config, serialization.MODEL_AGAIN, *map(rows_file, settings.baselines)), serialization.REVIEWS)
    return Stage("stability", inputs, (STABILITY_FILE,), values, work)


def _lists(scene: CellInputs) -> Iterator[_Lists]:
    """The lists as they are, one item shorter, one longer, and those of the net trained again."""
    k, users = scene.config.lists.k, scene.detail_users
    own = _of_users(scene.heads, users)
    yield _Lists("", scene.net, own.shortened(k))
    for length in (k - 1, k + 1):
        if length:
            yield _Lists(f"k={length}", scene.net, own.shortened(length))
    yield _Lists(AGAIN, scene.net_again, rank(scene.net_again, scene.space, scene.candidates, k, users))


def _of_users(lists: Recommendations, users: np.ndarray) -> Recommendations:
    rows = lists.rows_of(users)
    return Recommendations(users, lists.items[rows], lists.scores[rows], lists.k, lists.candidates)


def _explained(scene: CellInputs, those: _Lists) -> dict[tuple[str, Shape], NamedAspects]:
    """What every method on these lists says, without the mask."""
    question = scene.question(those.lists)
    reserve = reserve_of(scene.config, scene.context)
    said: dict[tuple[str, Shape], NamedAspects] = {}
    for goal, shape in COUNTERFACTUAL:
        answers = explainer_of(those.net, goal, scene.config.explain, reserve, told_before).explain(question)
        said[goal, shape] = answers.named()
        if goal == GUIDE:
            counts, _ = told(answers, question.users, question.items)
    for name, way in ATTRIBUTIONS.items():
        weights, _ = guarded(
            lambda rows, way=way: way.weights(  # type: ignore[misc]
                those.net, scene.space, question.users[rows], question.items[rows], scene.config.seed
            ),
            question.users,
            len(scene.space.aspects),
            str,
        )
        one = np.ones(len(question), dtype=np.int64)
        said[name, "single"] = named(question.users, question.items, weights, one)
        said[name, "multi"] = named(question.users, question.items, weights, counts)
    return said


def _baseline_frames(scene: CellInputs, cell: Cell, method: str) -> list[pl.DataFrame]:
    """A baseline beside the same one from another seed; none where it cannot be fitted, which its own rows tell."""
    said = named_in(scene, method, "single")
    if not len(said):
        return []
    try:
        fitted = BASELINES[method]().fitted(baseline_data(scene), scene.config.seed + 1)
        lists = rank(fitted.scorer, fitted.space, scene.candidates, scene.config.lists.k, scene.detail_users)
        rows, _, items = lists.pairs()
        users, one = lists.users[rows], np.ones(len(rows), dtype=np.int64)
        again = named(users, items, fitted.weights(users, items), one, scene.cared_about(users))
    except Exception as error:  # whatever a method does, the others are measured
        scene.context.warn(f"{method} has no stability: trained again, it failed ({type(error).__name__}: {error})")
        return []
    return [_frame(scene, cell, method, "single", AGAIN, said, again)]


def _frame(
    scene: CellInputs, cell: Cell, method: str, shape: Shape, other: str, one: NamedAspects, two: NamedAspects
) -> pl.DataFrame:
    found = jaccard(one, two)
    columns: dict[str, Any] = {
        "protocol": cell.protocol,
        "seed": cell.seed,
        "method": method,
        "shape": shape,
        "masked": method in scene.settings.baselines,
        "other": other,
        "user_id": [scene.space.users.texts[user] for user in found.users],
        "item_id": [scene.space.items.texts[item] for item in found.items],
        "jaccard": found.value,
    }
    return pl.DataFrame(columns, schema=dict(STABILITY))
