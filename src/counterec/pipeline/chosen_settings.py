"""Settings of a training: searched for on the validation part, or taken over from a training that was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from counterec.core.scorers.settings_search import SearchResult, search_settings
from counterec.core.scorers.training import Training
from counterec.core.scorers.training_settings import SEARCHED
from counterec.pipeline.models import TrainingData
from counterec.pipeline.training_progress import TrainingProgress


def chosen_settings(data: TrainingData, progress: TrainingProgress) -> SearchResult:
    """The settings to train with, and the table they were chosen from."""
    if data.chosen is not None:
        return SearchResult((), replace(data.settings, **data.chosen["training"]))
    if data.searched is not None:
        return data.searched
    parts = data.space, data.train, data.validation
    found = search_settings(*parts, data.settings, data.device, progress.search, checkpoints=data.checkpoints)
    progress.search_ended()
    return found


def what_was_chosen(nets: Sequence[Training]) -> dict[str, Any]:
    """The settings of these nets, and the epochs that were best for them, in the middle."""
    settings = {name: getattr(nets[0].settings, name) for name in ("optimizer", *SEARCHED)}
    epochs = int(np.median([net.best_epoch for net in nets]))
    return {"training": {**settings, "epochs": epochs}}
