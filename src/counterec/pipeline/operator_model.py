"""The model kind *operator*: somebody's code, or a server of theirs. The folder holds its name and the rows alone.

What a name stands for is said in the operator's own config, never in a run folder, which can so execute nothing: the
file in ``$COUNTEREC_CONFIG``, or else ``counterec/config.toml`` in the user's folder of configurations.

.. code-block:: toml

    [models.shop-ranker]
    factory = "shop.models:ranker"        # called once; returns anything that can be explained
    recompute = "shop.models:per_night"   # computes derived attributes anew

    [models.behind-a-server]
    url = "http://ranker:8080/v2/models/ranker"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from counterec.adapters.inference_server import InferenceServerModel
from counterec.adapters.row_scorer import scorer_of
from counterec.adapters.tables import Recompute
from counterec.core.scorers.protocols import Scorer
from counterec.core.space import AspectSpace
from counterec.errors import ConfigError
from counterec.pipeline.models import Arrays, ModelKind
from counterec.pipeline.row_archive import RowArchive

VARIABLE = "COUNTEREC_CONFIG"
"""Names the operator's config."""
SETTINGS = ("factory", "recompute", "url", "inputs", "output", "column", "headers", "timeout")
_in_this_process: dict[str, tuple[Any, Recompute | None]] = {}


def use_model(name: str, model: Any, recompute: Recompute | None = None) -> None:
    """Let a name stand for a model in this process, before any config is asked."""
    _in_this_process[name] = (model, recompute)


def load_operator(arrays: Arrays, space: AspectSpace, device: str) -> Scorer:
    """The model that the operator's config has under the name in the folder."""
    del device
    archive = RowArchive.of(arrays)
    model, recompute = model_named(str(archive.settings["name"]), archive.file)
    return scorer_of(model, archive.tables(space, recompute))


def model_named(name: str, weights: bytes = b"") -> tuple[Any, Recompute | None]:
    """The model of this name, and what computes derived attributes anew."""
    if name in _in_this_process:
        return _in_this_process[name]
    settings = _settings_of(name)
    recompute = _imported(settings["recompute"], name) if "recompute" in settings else None
    if "url" in settings:
        return InferenceServerModel(**{key: settings[key] for key in settings if key != "recompute"}), recompute
    factory = _imported(settings["factory"], name)
    return (factory(_tensors(weights)) if weights else factory()), recompute


def config_path() -> Path:
    """The operator's config."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE])
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "counterec" / "config.toml"


def _settings_of(name: str) -> Mapping[str, Any]:
    path = config_path()
    advice = f'add [models.{name}] with factory = "module:factory" to it, or name another file in ${VARIABLE}'
    if not path.is_file():
        raise ConfigError(f"the run's model is {name!r}, which is code: there is no {path} to say where; {advice}")
    try:
        models = tomllib.loads(path.read_text(encoding="utf-8")).get("models", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file ({error})") from None
    if name not in models:
        raise ConfigError(f"the run's model is {name!r}, and {path} has no model of that name; {advice}")
    for setting in models[name]:
        if setting not in SETTINGS:
            raise ConfigError(f"{path}: models.{name}.{setting}: no such setting; one of {', '.join(SETTINGS)}")
    if ("factory" in models[name]) == ("url" in models[name]):
        raise ConfigError(f"{path}: models.{name} needs a factory or a url: one of the two")
    return models[name]


def _imported(target: str, name: str) -> Any:
    """What ``module:name`` stands for."""
    module, colon, attribute = str(target).partition(":")
    if not (module and colon and attribute):
        raise ConfigError(f"models.{name}: {target!r} names nothing; write module:name")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"models.{name}: {target!r} cannot be imported ({error}); is it on the Python path?"
        ) from None


def _tensors(weights: bytes) -> Any:
    from safetensors.numpy import load

    return load(weights)


KIND = ModelKind(
    "operator", load_operator, code=("counterec.adapters", "counterec.core", "counterec.pipeline.row_archive")
)
