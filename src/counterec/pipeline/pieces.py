"""The pieces of a stage: a fixed cut of its work, each made by itself and kept until the stage is finished.

A piece is a pure function of what the stage declares and of the piece's bounds. The cut depends on the data and on a
constant, never on who makes the pieces, and the stage's files are made from all pieces in order: their bytes are the
same whether one process made them, several, or jobs on other machines. Finished pieces lie under

    .partial/pieces/STAGE/KEY/STEP-NUMBER.SUFFIX, with STEP-NUMBER.json beside it: its checksum and its notes

so that a run that was cut short goes on with them. KEY is the stage's key: pieces of other settings, inputs or code are
never taken for these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from platform import node
from typing import Any, Literal

from counterec.errors import PieceError, StoreError
from counterec.pipeline.piece_store import Made, Piece, PieceStore, StoredPiece
from counterec.pipeline.stage import StageContext, StageInputs

MOST_NAMED = 10
"""An error names at most so many missing pieces."""


@dataclass(frozen=True)
class Step:
    """One pass over the work of a stage, piece by piece."""

    name: str
    make: Callable[[StageInputs, Piece, Any], Made]
    """Makes a piece from what the stage declares and a value that all pieces share; a function of a module, since it
    may run in another process."""
    units: int
    per_piece: int
    """A constant: with it, the cut depends on the data alone."""
    of: str
    """What the units are: *users*, *reviews*."""
    suffix: Literal[".parquet", ".safetensors", ".gz"]
    """The format of a piece: a table, arrays, or JSON."""

    @property
    def pieces(self) -> list[Piece]:
        return cut(self.units, self.per_piece)


class Incomplete(Exception):  # noqa: N818  # no error: the others' pieces are theirs to make
    """The pieces of a stage are not all there, and whoever runs it is not to make the rest."""

    def __init__(self, stage: str, step: Step, made: int, missing: list[int]) -> None:
        super().__init__(stage)
        self.stage, self.step, self.made, self.missing = stage, step, made, missing

    @property
    def nothing_there(self) -> bool:
        return len(self.missing) == len(self.step.pieces)

    def refusal(self) -> StoreError:
        """The error about pieces that should be there."""
        named = ", ".join(map(str, self.missing[:MOST_NAMED]))
        others = f" and {len(self.missing) - MOST_NAMED} others" if len(self.missing) > MOST_NAMED else ""
        return StoreError(
            f"{self.stage}: of {len(self.step.pieces)} pieces ({self.step.name}), {len(self.missing)} are missing: "
            f"{named}{others}; run the shards that make them (of N shards, shard I makes I, I+N, I+2N …), or run "
            "without --shard"
        )


@dataclass(frozen=True)
class _Work:
    """Makes any piece of a step; it can be sent to another process, which opens the run folder itself."""

    make: Callable[[StageInputs, Piece, Any], Made]
    inputs: StageInputs
    shared: Any

    def __call__(self, piece: Piece) -> Made:
        path = self.inputs.path
        if not path.is_dir():
            raise StoreError(f"{path} is not there on {node()}; put the run where every node finds it under this name")
        return self.make(self.inputs, piece, self.shared)


def cut(units: int, per_piece: int) -> list[Piece]:
    """Pieces of this size, the last one smaller; no work is one empty piece, so that every stage has one."""
    starts = range(0, max(1, units), per_piece)
    return [Piece(number, start, min(start + per_piece, units)) for number, start in enumerate(starts)]


def made_together(
    context: StageContext, steps: Sequence[tuple[Step, Any]], advance: Callable[[int], None] | None = None
) -> list[list[StoredPiece]]:
    """The pieces of steps that do not depend on each other, each with what its pieces share.

    A shard makes its share of all of them before it stops.
    """
    found, stopped = [], None
    for step, shared in steps:
        try:
            found.append(made_in_pieces(context, step, shared, advance))
        except Incomplete as incomplete:
            stopped = stopped or incomplete
    if stopped is not None:
        raise stopped
    return found


def made_in_pieces(
    context: StageContext, step: Step, shared: Any = None, advance: Callable[[int], None] | None = None
) -> list[StoredPiece]:
    """Every piece of a step, in order: those that are there, and the others made now.

    ``advance`` takes the number of units that are done; by default the reporter is told their total, too. A merge makes
    no pieces, and a shard its own alone: then ``Incomplete`` says what is missing. Only a merge finds a step complete,
    so that every shard stops after the same one, whoever comes first.
    """
    store, pieces, options = PieceStore(context.path, context.identity), step.pieces, context.options
    if options.merged is not None:
        others = () if store.is_complete(step.name) else options.merged  # copies hold what was joined, too
        there = store.take_from(others, step.name, pieces)
        _require(context, step, 0, [piece.number for piece in pieces if piece.number not in there])
    elif options.shard is None:
        store.forget_others()
    done = store.finished(step.name, pieces)
    own = [piece for piece in pieces if options.shard is None or options.shard.has(piece.number)]
    if advance is None:
        context.reporter.total(sum(map(len, own)), step.of)
        advance = context.reporter.advance
    advance(sum(len(piece) for piece in own if piece.number in done))
    wanted = [piece for piece in own if piece.number not in done]
    try:
        for piece, made in context.executor.map(_Work(step.make, context.inputs, shared), wanted):
            done[piece.number] = store.put(step.name, step.suffix, piece, made)
            advance(len(piece))
    except PieceError as error:
        raise PieceError(f"{context.stage.name} ({step.name}): {error}") from error
    complete = options.shard is None or store.is_complete(step.name)
    _require(context, step, len(wanted), [piece.number for piece in pieces if piece.number not in done], complete)
    store.mark_complete(step.name)
    return [done[piece.number] for piece in pieces]


def _require(context: StageContext, step: Step, made: int, missing: list[int], complete: bool = True) -> None:
    """Stop where pieces are missing, or nobody has found them to be complete."""
    if missing or not complete:
        raise Incomplete(context.stage.name, step, made, missing)
