"""Refuses a run that cannot end well: before any work, or as soon as its aspects are known."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from pathlib import Path

from counterec.data.problems import Tally
from counterec.data.readers import read_item_names
from counterec.errors import ConfigError, EmptyDataError
from counterec.extraction.protocol import load_aspect_words
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import sha256
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.layout import MANIFEST
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.source_check import SourceReport, check_sources
from counterec.pipeline.stage import Reporter
from counterec.synthetic.world import WorldSize

MOST_NAMES = 8
"""An error lists at most so many aspects that there are."""


def check_run(config: RunConfig, folder: Path, reporter: Reporter) -> None:
    """Check everything that a configuration names, before any work; the reporter hears what the sources hold.

    Sources that were read into the folder were checked then, and need no second look.
    """
    check_files(config)
    if config.data.world is not None:
        _check_world(config, config.data.world)
    elif config.data.tables is None and not _was_read(config, folder):  # frames are checked as they are read
        reporter.begin("check")
        reporter.total(0, "rows")
        report = check_sources(config, reporter.advance)
        check_settings(config, report)
        reporter.checked(report)


def _check_world(config: RunConfig, size: WorldSize) -> None:
    """Refuse lists that are longer than what the built-in world has for them."""
    _check_length(config, size.items, max(size.min_reviews, config.data.min_user_reviews))


def _was_read(config: RunConfig, folder: Path) -> bool:
    """Whether the folder holds what was read from these very files by the same settings: then it was checked, too."""
    if not (folder / MANIFEST).exists():
        return False
    before, now = Manifest.load(folder), config.model_dump(mode="json")
    same = all(before.config.get(part) == now[part] for part in ("data", "split", "aspects", "lists", "explain"))
    if not same or "read" not in before.stages or not all(path.is_file() for path in config.data.sources):
        return False
    return list(before.stages["read"].inputs.values()) == [sha256(path) for path in config.data.sources]


def check_files(config: RunConfig) -> None:
    """Refuse files that a configuration names and that cannot be used: item names and own words."""
    if config.data.items is not None:
        read_item_names(config.data.items, Tally())
    if config.aspects.words is not None:
        load_aspect_words(config.aspects.words)


def check_settings(config: RunConfig, report: SourceReport) -> None:
    """Refuse settings that the sources cannot meet: lists that are too long, aspects that are not there."""
    if report.refusal:
        raise EmptyDataError(report.refusal)
    _check_length(config, report.items, report.fewest)
    known = _known_aspects(config, report)
    for name in _named_aspects(config):
        if known is not None and name not in known:
            raise _no_aspect(name, known)


def check_aspects(config: RunConfig, folder: RunFolder) -> None:
    """Refuse constraints on aspects that the run does not have, or that contradict their scale.

    Of reviews this is known after the stage *build*: it chooses the aspects among the names that were found.
    """
    named = list(_named_aspects(config))
    for name in named:
        if name in folder.space.aspects:
            continue
        if name in folder.aspect_of_name:
            aspect = folder.aspect_of_name[name]
            raise ConfigError(f"explain.constraints: {name!r} counts as {aspect!r} in these reviews; name that instead")
        raise _no_aspect(name, folder.space.aspects.texts)
    if named:
        config.explain.constraints.check(folder.space)


def _no_aspect(name: str, known: Collection[str]) -> ConfigError:
    """The error about an aspect that is not there, with those that may be meant."""
    near = difflib.get_close_matches(name, known)
    if near:
        return ConfigError(f"explain.constraints: there is no aspect {name!r}; did you mean {' or '.join(near)}?")
    some = ", ".join(sorted(known)[:MOST_NAMES]) + (" and others" if len(known) > MOST_NAMES else "")
    return ConfigError(f"explain.constraints: there is no aspect {name!r}; there are {some}")


def _check_length(config: RunConfig, items: int, fewest: int) -> None:
    """Refuse lists as long as all that competes for them; ``fewest`` are the reviews of the least active user.

    All items compete but those that the user has, apart from the held-out ones.
    """
    compete = items - (fewest - config.split.held_out)
    if config.lists.protocol == "sampled":
        compete = min(compete, config.split.held_out + config.lists.negatives)
    if config.lists.k >= compete:
        raise ConfigError(
            f"--k {config.lists.k}: of {items:,} items, at most {compete:,} compete for a list, and one has to "
            f"stay below it; pass at most {max(1, compete - 1):,}"
        )


def _named_aspects(config: RunConfig) -> Iterator[str]:
    limits = config.explain.constraints
    yield from dict.fromkeys([*limits.keep, *limits.lowest, *limits.highest, *limits.costs])


def _known_aspects(config: RunConfig, report: SourceReport) -> frozenset[str] | None:
    """The aspects that may be found, where that can be known without extracting: mentions, or a list of one's own."""
    if report.aspects is not None:
        return report.aspects
    listed = load_aspect_words(config.aspects.words).aspects if config.aspects.words else frozenset()
    return listed or None
