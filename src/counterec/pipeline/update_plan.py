"""What an update has to do: read what is new, unless it was read before, and make lists and answers again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from counterec.errors import UsageError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.engine import source_checksum
from counterec.pipeline.manifest import SOURCE, Manifest
from counterec.pipeline.stage import Stage
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.rank import rank_stage
from counterec.pipeline.stages.read import mentions_given
from counterec.pipeline.stages.update import renumbered, update_stage
from counterec.pipeline.stages.update_extract import update_extract_stage
from counterec.pipeline.stages.update_read import update_read_name, update_read_stage


@dataclass(frozen=True)
class NewArrivals:
    """The files that an update brings: reviews or mentions, ids of users, ids and names of items; possibly none."""

    sources: tuple[Path, ...] = ()
    users: Path | None = None
    items: Path | None = None
    format: str | None = None
    columns: dict[str, str] | None = None
    dates: str | None = None

    @property
    def files(self) -> list[Path]:
        """All of them."""
        return [*self.sources, *(path for path in (self.users, self.items) if path is not None)]


def update_plan(manifest: Manifest, config: RunConfig, new: NewArrivals) -> tuple[list[Stage], list[Stage]]:
    """The stages that bring in what is new, and those that make the updated run.

    Files that were brought before are recognised by their content, and not read again: the update is gone on with.
    """
    _require_updatable(manifest, config)
    numbers = _numbers(manifest)
    adding: list[Stage] = []
    if new.files and not _brought_before(manifest, new):
        numbers = range(1, len(numbers) + 2)
        adding.append(update_read_stage(_config_of(manifest, config, new), numbers[-1], new.users, new.items))
    if not numbers:
        raise UsageError("nothing is new: name a file of reviews, or --users or --items")
    if "extract" in manifest.stages:
        adding += [update_extract_stage(config, number) for number in numbers]
    return adding, [update_stage(config, numbers), *updated_stages(config)]


def _require_updatable(manifest: Manifest, config: RunConfig) -> None:
    if "read" not in manifest.stages or "build" not in manifest.stages:
        raise UsageError("this run was not made from reviews or mentions, so none can be added; make it again")
    if config.lists.protocol != "full":
        raise UsageError(
            f"a run with the protocol {config.lists.protocol} is a measurement; update one with the protocol full"
        )
    renumbered(config)


def _numbers(manifest: Manifest) -> range:
    """The numbers of the updates there were."""
    count = 0
    while update_read_name(count + 1) in manifest.stages:
        count += 1
    return range(1, count + 1)


def update_inputs(manifest: Manifest) -> list[dict[str, str]]:
    """What each update of a run read, with its checksum, in their order."""
    return [manifest.stages[update_read_name(number)].inputs for number in _numbers(manifest)]


def _brought_before(manifest: Manifest, new: NewArrivals) -> bool:
    """Whether an earlier update brought the very same files."""
    now = sorted(source_checksum(path) for path in new.files)
    of_each = ([sha for file, sha in inputs.items() if file.startswith(SOURCE)] for inputs in update_inputs(manifest))
    return any(sorted(before) == now for before in of_each)


def _config_of(manifest: Manifest, config: RunConfig, new: NewArrivals) -> RunConfig:
    """The configuration with the new files in the place of the run's own, read as these are unless told otherwise."""
    own = config.data
    data = own.model_copy(
        update={
            "sources": new.sources,
            "world": None,
            "format": new.format or own.format,
            "columns": new.columns or own.columns,
            "dates": new.dates or own.dates,
        }
    )
    found = config.model_copy(update={"data": data})
    held = "reviews" if "extract" in manifest.stages else "mentions"
    if new.sources and mentions_given(found) != (held == "mentions"):
        names = ", ".join(path.name for path in new.sources)
        raise UsageError(f"{names}: this run was made from {held}; bring {held}")
    return found


def updated_stages(config: RunConfig) -> list[Stage]:
    """Lists and answers of an updated run: the stages of a run, reading and writing the updated files."""
    return [
        updated_stage(stage)
        for stage in (rank_stage(config), *(explain_stage(config, m) for m in config.explain.methods))
    ]


def updated_stage(stage: Stage) -> Stage:
    """The same stage for the updated run."""
    return replace(stage, name=f"updated: {stage.name}", place=layout.updated_place)
