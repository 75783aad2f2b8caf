"""A run's configuration as another machine can use it: file names beside the config in place of paths."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from counterec.pipeline.config import RunConfig
from counterec.pipeline.manifest import SOURCE, Manifest

CONFIG = "config.toml"


def portable(config: RunConfig) -> dict[str, Any]:
    """The settings with every path reduced to a name."""
    names = _names(config)
    settings = config.model_dump(mode="json", exclude_none=True)
    settings["data"]["sources"] = [names[path] for path in config.data.sources]
    if config.data.items:
        settings["data"]["items"] = names[config.data.items]
    if config.aspects.words:
        settings["aspects"]["words"] = names[config.aspects.words]
    settings["lists"] |= {name: names[path] for name, path in config.lists.rule_tables.items()}
    return settings


def outside_files(config: RunConfig, manifest: Manifest) -> dict[str, tuple[Path, str]]:
    """The files outside the run folder that the run read: their name in the settings → path and checksum."""
    names = _names(config)
    read = {
        "read": config.data.sources,
        "extract": (config.aspects.words,) if config.aspects.words else (),
        "build": (config.data.items,) if config.data.items else (),
        "rules": tuple(config.lists.rule_tables.values()),
    }
    found: dict[str, tuple[Path, str]] = {}
    for stage in read.keys() & manifest.stages.keys():
        recorded = [sha for name, sha in manifest.stages[stage].inputs.items() if name.startswith(SOURCE)]
        found |= {names[path]: (path, sha) for path, sha in zip(read[stage], recorded, strict=True)}
    return dict(sorted(found.items()))


def _names(config: RunConfig) -> dict[Path, str]:
    """A name for each file, different from the config's; files of the same name get numbered folders."""
    named = (config.data.items, config.aspects.words, *config.lists.rule_tables.values())
    paths = list(dict.fromkeys([*config.data.sources, *(path for path in named if path)]))
    seen = Counter([CONFIG, *(path.name for path in paths)])
    return {path: path.name if seen[path.name] == 1 else f"{n}/{path.name}" for n, path in enumerate(paths, start=1)}
