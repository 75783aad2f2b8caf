"""Aspect space, training and validation part → the settings of training, for all trainings on this data.

What a search finds belongs to the data, not to a seed or a kind of model: where several models are trained on the same
data, it is made once, and each training takes it over.
"""

from __future__ import annotations

from counterec.core.scorers.settings_search import search_epochs, search_settings
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.models import model_kind
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.fit import INPUTS, choosing_inputs
from counterec.pipeline.training_checkpoints import TrainingCheckpoints


def searches(config: RunConfig) -> bool:
    """Whether training this model would search for settings."""
    return model_kind(config.model.kind).searches and bool(config.training.open)


def search_stage(config: RunConfig) -> Stage:
    """Search for the settings of training that were not given."""
    return Stage(
        name="search",
        config=config,
        settings=("training", "split"),
        inputs=(*INPUTS, *choosing_inputs(config)),
        outputs=(layout.SEARCH,),
        code=("counterec.core.scorers",),
        work=_search,
    )


def _search(context: StageContext) -> None:
    folder, settings, parts = context.folder, context.config.training, context.folder.interactions
    space = folder.choosing_space if choosing_inputs(context.config) else folder.space
    context.reporter.total(search_epochs(settings, parts["validation"]), "epochs")
    found = search_settings(
        space,
        parts["train"],
        parts["validation"],
        settings,
        context.options.device,
        lambda _: context.reporter.advance(1),
        checkpoints=TrainingCheckpoints(context.path, context.identity),
    )
    write_json(context.new(layout.SEARCH), found.as_dict())
