"""A run whose stages are made in shards: by several jobs, perhaps on several machines, put together step by step.

Each job makes every N-th piece of the stages that are next (``make_share``). When all have, ``merge_shares`` checks
and joins what they made, and goes on to the next stage that is made in pieces. These two alternate until the run is
finished; ``make_run`` finishes whatever is left of it by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from counterec.run import Run, open_run, stages_and_checks

if TYPE_CHECKING:
    from counterec.pipeline.config import RunConfig
    from counterec.pipeline.pieces import Incomplete
    from counterec.pipeline.stage import Reporter, Shard


def make_share(
    config: RunConfig, folder: str | Path, shard: Shard, reporter: Reporter | None = None, processes: int = 1
) -> list[Incomplete]:
    """Make one shard's pieces of the stages that are next; return how far each of these is.

    What comes before them is brought up to date first. Jobs may share a folder, or have one each.
    """
    from counterec.core.compute_limits import threads
    from counterec.pipeline.check import check_run
    from counterec.pipeline.engine import run_share
    from counterec.pipeline.stage import RunOptions, SilentReporter

    reporter = reporter or SilentReporter()
    check_run(config, Path(folder), reporter)
    stages, checks = stages_and_checks(config)
    options = RunOptions(processes=processes, shard=shard)
    with threads(1):
        return run_share(Path(folder), config.model_dump(mode="json"), stages, reporter, options, checks)


def merge_shares(
    folders: Sequence[str | Path], reporter: Reporter | None = None, processes: int = 1
) -> Run | Incomplete:
    """Put the pieces that shards made into the first of these folders, and go on to the next stage in pieces.

    It is an error if a piece is missing, there twice, or of another run. Return what is to be made next, or the run if
    it is finished.
    """
    from counterec.core.compute_limits import threads
    from counterec.pipeline.engine import run_beginning, run_stages
    from counterec.pipeline.stage import RunOptions, SilentReporter

    into, *others = map(Path, folders)
    config = open_run(into).config
    (stages, checks), settings = stages_and_checks(config), config.model_dump(mode="json")
    options, reporter = RunOptions(processes=processes, merged=tuple(others)), reporter or SilentReporter()
    with threads(1):
        following = run_beginning(into, settings, stages, reporter, options, checks)
        if following is not None:
            return following
        run_stages(into, settings, stages, SilentReporter())  # nothing is left but to put it in order
    return open_run(into)
