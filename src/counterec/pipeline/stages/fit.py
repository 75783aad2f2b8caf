"""Aspect space and training part → the recommender, by whatever kind of model the configuration names.

Where nothing is held out, a first training chooses what is to be chosen on the validation part; a second one takes that
over and trains on all reviews.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from counterec.errors import UsageError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import TrainedModel, TrainingData, model_kind
from counterec.pipeline.serialization import save_tensors
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.training_checkpoints import TrainingCheckpoints
from counterec.references import guarded

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
        code=kind.all_code,
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
