"""The kinds of model that a run folder can hold: how each is loaded and, where it can be, trained.

A model on disk is named arrays (``model.safetensors``) and a description (``model.json``) that names its kind. Stages,
runs, experiments and the command line ask this registry, and know no model by name. A kind of your own is registered,
or named as ``module:attribute``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from counterec.core.scorers.settings import HybridSettings
from counterec.core.scorers.training_examples import NOTHING_KEPT, Checkpoints
from counterec.errors import UsageError
from counterec.references import import_trusted, is_reference

if TYPE_CHECKING:  # a registry is asked for names where nothing is computed
    from counterec.core.interactions import Interactions
    from counterec.core.scorers.base import Scorer
    from counterec.core.scorers.settings import TrainingSettings
    from counterec.core.space import AspectSpace

HYBRID = HybridSettings()
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class TrainingData:
    """What a model is trained on. Nothing of the test part is in it."""

    space: AspectSpace
    train: Interactions
    validation: Interactions
    settings: TrainingSettings
    seed: int
    device: str = "cpu"
    k: int = 5
    """The length of a list, for a kind that chooses something by its lists."""
    hybrid: HybridSettings = HYBRID
    """The settings of the kind *hybrid*."""
    checkpoints: Checkpoints = NOTHING_KEPT
    """Where unfinished trainings are kept, so that one that is cut off goes on."""
    chosen: Mapping[str, Any] | None = None
    """What an earlier training chose on a validation part: this one, on all reviews, takes it over."""
    advance: Callable[[int], None] = lambda _: None
    """Takes the number of epochs that were completed."""
    expect: Callable[[int], None] = lambda _: None
    """Takes the number of epochs that training will have at most."""


@dataclass(frozen=True)
class TrainedModel:
    """What training gives: the learned numbers, what they are, and how it went."""

    arrays: Arrays
    description: Mapping[str, Any] = field(default_factory=dict)
    """What ``model.json`` says besides the kind."""
    counts: Mapping[str, Any] = field(default_factory=dict)
    """How training went, for the manifest."""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """What was chosen on the validation part, for a training on everything."""
    warnings: tuple[str, ...] = ()
    """What a person should know at once, one line each."""


@dataclass(frozen=True)
class ModelKind:
    """One kind of model."""

    name: str
    load: Callable[[Arrays, AspectSpace, str], Scorer]
    """From the learned numbers, the aspect space and a device to a scorer."""
    train: Callable[[TrainingData], TrainedModel] | None = None
    """None where such a model is trained elsewhere."""
    chooses_by_lists: bool = False
    """Whether training depends on the length of a list."""
    code: tuple[str, ...] = ()
    """The packages it runs, which belong to the keys of the stages that use it; by default its own modules."""

    @property
    def all_code(self) -> tuple[str, ...]:
        """The packages and modules whose source decides what the model computes."""
        own = [function.__module__ for function in (self.load, self.train) if function is not None]
        return tuple(dict.fromkeys([*self.code, *own]))


_BUILT_IN = {
    "net": "counterec.pipeline.net_model",
    "hybrid": "counterec.pipeline.hybrid_model",
    "operator": "counterec.pipeline.operator_model",
}
"""Modules with a ``KIND``, imported when first used: they need PyTorch."""

_registered: dict[str, ModelKind] = {}


def register_model(kind: ModelKind) -> ModelKind:
    """Make a kind of model known to this process; a kind of the same name is replaced."""
    _registered[kind.name] = kind
    return kind


def is_known_elsewhere(name: str) -> bool:
    """Return whether another process knows this kind, too: it is built in."""
    return name in _BUILT_IN


def model_names() -> list[str]:
    """Return the names of the kinds that are built in or registered."""
    return sorted({*_BUILT_IN, *_registered})


def require_known_model(name: str) -> None:
    """Refuse a name that stands for no kind of model; code is not imported for this."""
    if name not in model_names() and not is_reference(name):
        raise UsageError(f"no model of kind {name!r}; there are {', '.join(model_names())}, or module:attribute")


def model_kind(name: str) -> ModelKind:
    """Return the kind of this name; a reference must name a ``ModelKind``."""
    require_known_model(name)
    if name not in _registered and name in _BUILT_IN:
        _registered[name] = import_module(_BUILT_IN[name]).KIND
    if name not in _registered:
        found = import_trusted(name, "kind of model")
        if not callable(getattr(found, "load", None)):
            raise UsageError(f"the kind of model {name!r} is a {type(found).__name__}; it must be a ModelKind")
        _registered[name] = replace(found, name=name)
    return _registered[name]
