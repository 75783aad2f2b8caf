"""Cells: each protocol with each seed, and where in a run folder its files lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

from counterec.pipeline import layout
from counterec.pipeline.stage import Stage

SPACE_FILES = frozenset({layout.ASPECTS, layout.VOCABULARY, layout.LEFT_OUT})
SHARED_WITH_THE_RUN = SPACE_FILES | {
    *(layout.REVIEWS, layout.MENTIONS, layout.LEARNED, layout.SPLIT),
    *(layout.OTHER_REVIEWS, layout.OTHER_MENTIONS),
}
"""Files that every cell shares with the run: data does not depend on protocol and seed."""
MODEL_FILES = frozenset({layout.MODEL, layout.MODEL_DESCRIPTION})
SHARED_BY_A_SEED = MODEL_FILES | {layout.RETRAINED_MODEL}
"""Files that the protocols of one seed share: candidates play no part in training."""


@dataclass(frozen=True)
class Cell:
    """One protocol, one seed."""

    protocol: str
    seed: int
    uses_the_runs_model: bool = False
    """Whether seed and kind of model are the run's, so that its model is the run's model."""
    own_space: bool = False
    """Whether the run's X and Y are not those of Eq. 1, so that the experiment has its own."""

    def place(self, file: str) -> str:
        """Where a file lies in the run folder, by the plain name that stages know it by."""
        if self.own_space and file in SPACE_FILES:
            return f"{layout.EXPERIMENT}{file}"
        given = self.protocol == "given" and file == layout.CANDIDATES
        if given or file in SHARED_WITH_THE_RUN or (self.uses_the_runs_model and file in MODEL_FILES):
            return file
        if file in SHARED_BY_A_SEED:
            return f"{layout.EXPERIMENT}nets/{self.seed}/{file}"
        return f"{layout.EXPERIMENT}{self.protocol}/{self.seed}/{file}"


def placed(stage: Stage, cell: Cell) -> Stage:
    """The same stage, reading and writing in a cell: no stage of a run knows that there are experiments."""
    of_the_seed = SHARED_BY_A_SEED.issuperset(stage.outputs)
    where = f"seed {cell.seed}" if of_the_seed else f"{cell.protocol} {cell.seed}"
    return replace(stage, name=f"{where}: {stage.name}", place=cell.place)
