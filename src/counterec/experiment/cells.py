"""Cells: each model with each protocol and each seed, and where in a run folder its files lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

from counterec.experiment.fitted_baselines import FITTED
from counterec.pipeline import layout
from counterec.pipeline.stage import Stage

SPACE_FILES = frozenset({layout.ASPECTS, layout.VOCABULARY})
SHARED_WITH_THE_RUN = SPACE_FILES | {
    *(layout.REVIEWS, layout.MENTIONS, layout.LEARNED, layout.SPLIT),
    *(layout.OTHER_REVIEWS, layout.OTHER_MENTIONS),
}
"""Files that every cell shares with the run: data does not depend on model, protocol and seed."""
MODEL_FILES = frozenset({layout.MODEL, layout.MODEL_DESCRIPTION})
OF_A_MODEL = MODEL_FILES | {layout.RETRAINED_MODEL}
"""Files that the protocols of one model and seed share: candidates play no part in training."""
TRAINED_AGAIN = {layout.RETRAINED_MODEL: layout.MODEL}
"""What is trained again from the next seed, and what the next seed calls it."""
QUICK = "quick/"
"""Where a quick experiment lies, so that it never replaces a whole one."""


@dataclass(frozen=True)
class Cell:
    """One model, one protocol, one seed."""

    model: str
    protocol: str
    seed: int
    uses_the_runs_model: bool = False
    """Whether seed and kind of model are the run's, so that its model is the run's model."""
    own_space: bool = False
    """Whether the run's X and Y are not those of Eq. 1, so that the experiment has its own."""
    quick: bool = False
    """Whether only some users are measured."""
    has_next: bool = False
    """Whether the experiment has the next seed, too: what is trained again for this one is what that one trains."""

    @property
    def folder(self) -> str:
        """Where the report over all seeds lies, below the folder of experiments: the model and the protocol."""
        return f"{QUICK if self.quick else ''}{self.model}/{self.protocol}"

    @property
    def name(self) -> str:
        """Model, protocol and seed, as stages and tasks say it."""
        return f"{said(self.folder)} {self.seed}"

    def place(self, file: str) -> str:
        """Where a file lies in the run folder, by the plain name that stages know it by."""
        if self.own_space and file in SPACE_FILES:
            return f"{layout.EXPERIMENT}{file}"
        if self.has_next and file in TRAINED_AGAIN:
            return replace(self, seed=self.seed + 1, uses_the_runs_model=False).place(TRAINED_AGAIN[file])
        given = self.protocol == "given" and file == layout.CANDIDATES
        if given or file in SHARED_WITH_THE_RUN or (self.uses_the_runs_model and file in MODEL_FILES):
            return file
        if file in OF_A_MODEL:
            return f"{layout.EXPERIMENT}{self.model}/trained/{self.seed}/{file}"
        if file.startswith(FITTED):
            return f"{layout.EXPERIMENT}{FITTED}{self.seed}/{file.removeprefix(FITTED)}"
        return f"{layout.EXPERIMENT}{self.folder}/{self.seed}/{file}"


def said(folder: str) -> str:
    """The folder of a report in the names of stages, which hold nothing that looks like a path."""
    return folder.replace("/", " ")


def placed(stage: Stage, cell: Cell) -> Stage:
    """The same stage, reading and writing in a cell: no stage of a run knows that there are experiments."""
    if OF_A_MODEL.issuperset(stage.outputs):
        where = f"{cell.model} {cell.seed}"
    elif all(file.startswith(FITTED) for file in stage.outputs):
        where = f"seed {cell.seed}"
    else:
        where = cell.name
    return replace(stage, name=f"{where}: {stage.name}", place=cell.place)
