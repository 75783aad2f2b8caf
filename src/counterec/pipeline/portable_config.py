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
    if config.model.file:
        settings["model"]["file"] = names[config.model.file]
    if config.data.tables:
        settings["data"]["tables"] |= {name: names[path] for name, path in config.data.tables.files.items()}
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
    if config.data.tables is not None:  # of frames that were handed over, nothing is known but checksums
        tables = config.data.tables.files
        rows = (tables[name] for name in ("users", "items") if name in tables)
        read |= {"build": tuple(tables.values()), "store": (*rows, *_given(config.model.file))}
    found: dict[str, tuple[Path, str]] = {}
    for stage in [stage for stage in read if read[stage] and stage in manifest.stages]:
        recorded = [sha for name, sha in manifest.stages[stage].inputs.items() if name.startswith(SOURCE)]
        found |= {names[path]: (path, sha) for path, sha in zip(read[stage], recorded, strict=True)}
    return dict(sorted(found.items()))


def _names(config: RunConfig) -> dict[Path, str]:
    """A name for each file, different from the config's; files of the same name get numbered folders."""
    tables = () if config.data.tables is None else config.data.tables.files.values()
    rules = config.lists.rule_tables.values()
    named = (config.data.items, config.aspects.words, *tables, config.model.file, *rules)
    paths = list(dict.fromkeys([*config.data.sources, *(path for path in named if path)]))
    seen = Counter([CONFIG, *(path.name for path in paths)])
    return {path: path.name if seen[path.name] == 1 else f"{n}/{path.name}" for n, path in enumerate(paths, start=1)}


def _given(path: Path | None) -> tuple[Path, ...]:
    return () if path is None else (path,)
