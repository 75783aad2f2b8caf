"""Cells: where in a run folder each protocol and seed of an experiment has its files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from counterec.pipeline import serialization
from counterec.pipeline.engine import EXPERIMENT, Stage, StageContext

OF_THE_RUN = frozenset(
    {
        serialization.REVIEWS,
        serialization.MENTIONS,
        serialization.LEARNED,
        serialization.SPLIT,
        serialization.ASPECTS,
        serialization.VOCABULARY,
    }
)
"""Files that every cell shares with the run itself: data does not depend on protocol and seed."""
NET = frozenset({serialization.MODEL, serialization.ARCHITECTURE})
OF_THE_SEED = NET | {serialization.MODEL_AGAIN}
"""Files that the protocols of one seed share: candidates play no part in training."""


@dataclass(frozen=True)
class Cell:
    """One protocol, one seed."""

    protocol: str
    seed: int
    own_net: bool = False
    """Whether the seed is the run's, so that its net is the run's net."""

    @property
    def folder(self) -> str:
        """Where its files lie in the run folder."""
        return f"{EXPERIMENT}{self.protocol}/{self.seed}"

    def place(self, file: str) -> str:
        """Where a file that a stage knows by its plain name lies."""
        if file in OF_THE_RUN or (self.own_net and file in NET):
            return file
        return f"{EXPERIMENT}nets/{self.seed}/{file}" if file in OF_THE_SEED else f"{self.folder}/{file}"


@dataclass
class _PlacedDesk(StageContext):
    """A context whose files lie in a cell."""

    cell: Cell = Cell("", 0)

    def path(self, file: str) -> Path:
        """A file that an earlier stage wrote."""
        return super().path(self.cell.place(file))

    def new(self, file: str) -> Path:
        """Where to write a file."""
        return super().new(self.cell.place(file))


def placed(stage: Stage, cell: Cell) -> Stage:
    """The same stage, reading and writing in a cell: no stage of a run knows that there are experiments."""
    outputs = tuple(cell.place(file) for file in stage.outputs)
    where = f"seed {cell.seed}" if OF_THE_SEED.issuperset(stage.outputs) else f"{cell.protocol} {cell.seed}"

    def work(context: StageContext) -> None:
        stage.work(
            _PlacedDesk(context.folder, context.manifest, context.reporter, context.counts, context.warnings, cell)
        )

    inputs = tuple(cell.place(file) for file in stage.inputs)
    return replace(stage, name=f"{where}: {stage.name}", inputs=inputs, outputs=outputs, work=work)
