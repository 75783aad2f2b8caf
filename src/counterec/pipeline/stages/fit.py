"""Aspect space and training part → the recommender, by whatever kind of model the configuration names."""

from __future__ import annotations

from counterec.errors import UsageError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import TrainedModel, TrainingData, model_kind
from counterec.pipeline.serialization import save_tensors
from counterec.pipeline.stage import Stage, StageContext

INPUTS = (layout.ASPECTS, layout.VOCABULARY, layout.SPLIT)


def fit_stage(config: RunConfig) -> Stage:
    """Train the recommender."""
    return Stage(
        name="fit",
        config=config,
        settings=("model", "training", "seed"),
        inputs=INPUTS,
        outputs=(layout.MODEL, layout.MODEL_DESCRIPTION),
        code=model_kind(config.model.kind).all_code,
        work=_fit,
    )


def _fit(context: StageContext) -> None:
    model = _trained(context, context.config.seed)
    save_tensors(model.arrays, context.new(layout.MODEL))
    write_json(context.new(layout.MODEL_DESCRIPTION), {"kind": context.config.model.kind, **model.description})
    context.counts |= model.counts


def retrain_stage(config: RunConfig) -> Stage:
    """Train it again from another seed: a model that explanations were not selected on."""
    return Stage(
        name="fit again",
        config=config,
        settings=("model", "training", "seed"),
        inputs=INPUTS,
        outputs=(layout.RETRAINED_MODEL,),
        code=model_kind(config.model.kind).all_code,
        work=_retrain,
    )


def _retrain(context: StageContext) -> None:
    save_tensors(_trained(context, context.config.seed + 1).arrays, context.new(layout.RETRAINED_MODEL))


def _trained(context: StageContext, seed: int) -> TrainedModel:
    config, folder = context.config, context.folder
    train = model_kind(config.model.kind).train
    if train is None:
        raise UsageError(f"a model of kind {config.model.kind!r} cannot be trained here; set model.kind to another")
    context.reporter.total(config.training.most_epochs, "epochs")
    parts = folder.interactions
    model = train(
        TrainingData(
            space=folder.space,
            train=parts["train"],
            validation=parts["validation"],
            settings=config.training,
            seed=seed,
            device=context.options.device,
            advance=context.reporter.advance,
        )
    )
    for warning in model.warnings:
        context.warn(warning)
    return model
