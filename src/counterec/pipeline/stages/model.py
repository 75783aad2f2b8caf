"""Aspect space and training part → the recommender, who competes, and the first K+1 items of every user.

Where nothing is held out, a first training chooses what is to be chosen on the validation part; a second one takes that
over and trains on all reviews. Of a mean of several nets, the own lists of these are kept as well: answers say in how
many of them they hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from counterec.core.candidates import sampled_candidates
from counterec.core.explainers.tolerances import ROUNDING
from counterec.core.lists import Recommendations
from counterec.core.scorers.ranking import Ranking
from counterec.errors import UsageError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import (
    candidates_table,
    load_tensors,
    ranking_arrays,
    ranking_from,
    recommendations_table,
    save_tensors,
    tensor_bytes,
    write_json,
    write_table,
)
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.models import TrainedModel, TrainingData, model_kind
from counterec.pipeline.piece_store import Made, Piece, TrainingCheckpoints
from counterec.pipeline.pieces import Step, made_in_pieces
from counterec.pipeline.stage import Stage, StageContext, StageInputs
from counterec.references import guarded

_CODE = ("counterec.core.scorers", "counterec.core.explainers.tolerances")

INPUTS = (layout.ASPECTS, layout.VOCABULARY, layout.SPLIT)


def fit_stage(config: RunConfig) -> Stage:
    """Train the recommender."""
    return _stage(config, "fit", (layout.MODEL, layout.MODEL_DESCRIPTION), _fit)


def retrain_stage(config: RunConfig) -> Stage:
    """Train it again from another seed: a model that explanations were not selected on."""
    return _stage(config, "fit again", (layout.RETRAINED_MODEL,), _retrain)


def _stage(
    config: RunConfig,
    name: str,
    outputs: tuple[str, ...],
    work: Callable[[StageContext], None],
) -> Stage:
    kind = model_kind(config.model.kind)
    return Stage(
        name=name,
        config=config,
        settings=("model", "training", "split", "seed", *(("lists.k",) if kind.chooses_by_lists else ())),
        inputs=(*INPUTS, *choosing_inputs(config)),
        outputs=outputs,
        code=(*_CODE, *kind.all_code),
        work=work,
    )


def _fit(context: StageContext) -> None:
    model = _trained(context, context.config.seed)
    save_tensors(model.arrays, context.new(layout.MODEL))
    write_json(context.new(layout.MODEL_DESCRIPTION), {"kind": context.config.model.kind, **model.description})
    context.counts |= model.counts
    for warning in model.warnings:
        context.warn(warning)


def _retrain(context: StageContext) -> None:
    save_tensors(_trained(context, context.config.seed + 1).arrays, context.new(layout.RETRAINED_MODEL))


def _trained(context: StageContext, seed: int) -> TrainedModel:
    """The model; where nothing is held out, its settings are chosen first and it is then trained on everything."""
    config, folder, kind = context.config, context.folder, model_kind(context.config.model.kind)
    if kind.train is None:
        raise UsageError(f"a model of kind {config.model.kind!r} cannot be trained here; set model.kind to another")
    data = _data(context, seed)
    if kind.chooses_by_lists:
        data = replace(data, k=config.lists.k)
    with guarded("model", kind.name):
        model = kind.train(data)
    if not _chooses_apart(config):
        return model
    nothing = folder.interactions["test"]  # empty: nothing is held out
    everything = replace(data, space=folder.space, train=folder.known_items, validation=nothing, chosen=model.chosen)
    with guarded("model", kind.name):
        final = kind.train(everything)
    return replace(
        final,
        description={**model.description, **final.description},
        counts={**model.counts, "trained_on_everything": dict(final.counts)},
        warnings=model.warnings,
    )


def _data(context: StageContext, seed: int) -> TrainingData:
    """What a model is trained on; where nothing is held out, what its settings are chosen on."""
    config, folder = context.config, context.folder
    context.reporter.total(config.training.most_epochs, "epochs")
    return TrainingData(
        space=folder.choosing_space if _chooses_apart(config) else folder.space,
        train=folder.interactions["train"],
        validation=folder.interactions["validation"],
        settings=config.training,
        seed=seed,
        device=context.options.device,
        hybrid=config.model.hybrid,
        checkpoints=TrainingCheckpoints(context.path, context.identity),
        advance=context.reporter.advance,
        expect=lambda epochs: context.reporter.total(epochs, "epochs"),
    )


def choosing_inputs(config: RunConfig) -> tuple[str, ...]:
    """What settings are chosen with, where that is not what the model is trained on in the end."""
    return layout.choosing_files(config.split.held_out, config.split.validation)


def _chooses_apart(config: RunConfig) -> bool:
    """Whether settings are chosen in a training of their own, since nothing is held out."""
    return bool(choosing_inputs(config))


def candidates_stage(config: RunConfig) -> Stage:
    """Split → candidates."""
    return Stage(
        name="candidates",
        config=config,
        settings=("lists.negatives", "split.held_out", "seed"),
        inputs=(layout.ASPECTS, layout.VOCABULARY, layout.SPLIT),
        outputs=(layout.CANDIDATES,),
        code=_CODE,
        work=_draw_candidates,
    )


def _draw_candidates(context: StageContext) -> None:
    folder, config = context.folder, context.config
    users, negatives = folder.space.users, config.lists.negatives
    drawn = sampled_candidates(folder.interactions["test"], folder.known_items, users.texts, config.seed, negatives)
    write_table(candidates_table(drawn, folder.space), context.new(layout.CANDIDATES))
    short = int((np.diff(drawn.starts) < config.split.held_out + negatives).sum())
    context.counts |= {"candidates": len(drawn.listed), "users_short_of_negatives": short}
    if short:
        context.warn(f"{short:,} of {len(users):,} users have fewer than {negatives} items to sample; they get all")


USERS_PER_PIECE = 128
"""Users that are ranked as one piece: seconds of work over a large catalogue."""

_RANKINGS: WeakKeyDictionary[RunFolder, Ranking] = WeakKeyDictionary()
"""What all pieces that one process makes have in common; over a large catalogue, seconds of work by itself."""


def rank_stage(config: RunConfig) -> Stage:
    """Rank every user's candidates."""
    return Stage(
        name="rank",
        config=config,
        settings=("lists.k", "lists.protocol"),
        inputs=layout.ranking_inputs(config.lists.protocol),
        outputs=(layout.RECOMMENDATIONS, layout.HEADS),
        code=(*_CODE, *model_kind(config.model.kind).all_code),
        work=_rank,
        in_pieces=True,
    )


def _rank(context: StageContext) -> None:
    folder, k = context.folder, context.config.lists.k
    step = Step("lists", _rank_users, len(folder.space.users), USERS_PER_PIECE, "users", ".safetensors")
    parts = [load_tensors(piece.path) for piece in made_in_pieces(context, step)]
    found = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    ranking = ranking_from(found, folder.candidates)
    _warn_of_indistinct_scores(context, ranking)
    write_table(recommendations_table(ranking.shortened(k), folder.space), context.new(layout.RECOMMENDATIONS))
    save_tensors(found, context.new(layout.HEADS))


def _rank_users(inputs: StageInputs, piece: Piece, _: None) -> Made:
    """The lists of some users: as the scores make them, and as each member of a mean would."""
    folder, k = inputs.folder, inputs.config.lists.k
    users = np.arange(piece.start, piece.stop)
    asked = folder.scorer, folder.space, folder.candidates
    ranking = _RANKINGS.get(folder) or _RANKINGS.setdefault(folder, Ranking.with_members(*asked))
    found = ranking_arrays(*ranking.with_member_lists(layout.head_length(k), k, users))
    return Made(tensor_bytes(found))


def _warn_of_indistinct_scores(context: StageContext, ranking: Recommendations) -> None:
    """Say so where single precision cannot tell the scores of a user's candidates apart: the order is arbitrary."""
    several = ranking.items[:, 1] >= 0
    alike = int((several & (ranking.spread <= ROUNDING * ranking.largest)).sum())
    if alike:
        context.warn(
            f"the scores of all candidates are alike, as far as single precision can tell, for {alike:,} of "
            f"{len(ranking.users):,} users: the order of their lists means nothing, and no change can flip it"
        )
