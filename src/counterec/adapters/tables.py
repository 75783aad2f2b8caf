"""Frames of users and items as an aspect space, and the way back: from pairs to rows as the model knows them.

A value that no change has touched reaches the model exactly as it stands in the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypedDict

import numpy as np

from counterec.adapters.frames import Frame, FrameLibrary, SchemaLike, inferred_schema, library_of
from counterec.core.arrays import FloatMatrix, FloatVector, IntVector
from counterec.core.attributes import Attribute, Schema
from counterec.core.candidates import Candidates
from counterec.core.lists import Recommendations
from counterec.core.space import AspectSpace
from counterec.core.vocabulary import Vocabulary
from counterec.errors import ConfigError, EmptyDataError, InvalidValueError, UnknownIdError

SIGNIFICANT = 7
"""Digits that single precision holds."""

Recompute = Callable[[Frame], Frame]
"""From item rows to the same rows with their derived attributes computed anew."""


@dataclass(frozen=True)
class Side:
    """The frame of the users, or of the items, in the sorted order of their ids."""

    what: str
    library: FrameLibrary
    frame: Frame
    id_name: str
    ids: tuple[Any, ...]
    """The ids as the frame has them."""
    texts: tuple[str, ...]
    """The same as texts."""

    @classmethod
    def of(cls, frame: Frame, what: str, id_name: str | None) -> Side:
        """Find the ids of a frame, and put its rows into their order."""
        library = library_of(frame, f"{what}s")
        name, ids = _ids(library, frame, what, id_name)
        if not len(ids):
            raise EmptyDataError(f"the frame of {what}s has no rows")
        texts = [_text(value, what) for value in ids]
        order = np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)
        for before, after in pairwise(order.tolist()):
            if texts[before] == texts[after]:
                raise InvalidValueError(f"{what} {texts[after]!r} has two rows; every {what} has one")
        rows = library.take(frame, order)
        return cls(what, library, rows, name, tuple(ids[at] for at in order), tuple(texts[at] for at in order))

    @cached_property
    def columns(self) -> list[str]:
        """The columns that a model may look at, the ids among them."""
        return self.library.columns(self.frame)

    @cached_property
    def features(self) -> list[str]:
        """The columns without the ids."""
        return [name for name in self.columns if name != self.id_name]

    @cached_property
    def _numbers(self) -> dict[str, FloatVector | None]:
        return {}

    def numbers(self, column: str) -> FloatVector | None:
        """A column of numbers or yes and no, with NaN for what is missing; None for any other column."""
        if column not in self._numbers:
            plain = self.library.kind(self.frame, column) in ("number", "whole", "yes_no")
            self._numbers[column] = self.library.values(self.frame, column) if plain else None
        return self._numbers[column]

    def required_numbers(self, column: str) -> FloatVector:
        """A column of numbers; any other is refused."""
        found = self.numbers(column)
        if found is None:
            raise ConfigError(f"{column} of {self.what}s holds no numbers, and the model takes a matrix of numbers")
        return found

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The ids as the core knows them."""
        return Vocabulary(self.what, self.texts)

    def number(self, value: Any) -> int:
        """The number of an id as the frame has it."""
        return self.vocabulary.number(_text(value, self.what))


def _ids(library: FrameLibrary, frame: Frame, what: str, told: str | None) -> tuple[str, np.ndarray]:
    """The name of the ids, and the ids: the column that was told, the index, or the column that is called so."""
    columns, index = library.columns(frame), library.index(frame)
    usual = [f"{what}_id", what, "id"]
    if told is not None:
        if told in columns:
            return told, _column(library, frame, told)
        if index is not None and index[0] == told:
            return told, index[1]
        raise UnknownIdError(f"{what}s has no column {told!r}; it has {', '.join(columns)}")
    for name in usual[:1]:
        if name in columns:
            return name, _column(library, frame, name)
    if index is not None:
        return index[0] or usual[0], index[1]
    for name in usual[1:]:
        if name in columns:
            return name, _column(library, frame, name)
    raise UnknownIdError(
        f"{what}s has no column {usual[0]!r} and no index; name the column of ids by {usual[0]}=, one of "
        f"{', '.join(columns)}"
    )


def _column(library: FrameLibrary, frame: Frame, name: str) -> np.ndarray:
    """Ids as the frame has them: whole numbers stay whole."""
    values = library.values(frame, name)
    if library.kind(frame, name) == "whole" and not np.isnan(values).any():
        return np.array([int(value) for value in frame[name].to_list()], dtype=object)
    return values


def _text(value: Any, what: str) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        raise InvalidValueError(f"a {what} has no id; every row needs one")
    return str(value)


@dataclass(frozen=True)
class NumberBlock:
    """Some columns of both frames as matrices, with their places among the columns that were asked for."""

    users: FloatMatrix
    user_places: IntVector
    items: FloatMatrix
    item_places: IntVector
    aspects: IntVector
    """The attributes among the columns."""
    aspect_places: IntVector
    codes: FloatMatrix
    """Their codes [items, attributes], for comparison."""


@dataclass(frozen=True)
class FrameTables:
    """Users and items, the attributes of the items, and the space that is made of them."""

    users: Side
    items: Side
    schema: Schema
    recompute: Recompute | None = None

    @classmethod
    def of(
        cls,
        users: Frame,
        items: Frame,
        *,
        schema: SchemaLike | None = None,
        keep: Collection[str] = (),
        user_id: str | None = None,
        item_id: str | None = None,
        other_columns: Collection[str] = (),
        recompute: Recompute | None = None,
    ) -> FrameTables:
        """Read two frames; ``other_columns`` of items are no attributes, such as a name."""
        user_side, item_side = Side.of(users, "user", user_id), Side.of(items, "item", item_id)
        if user_side.library.name != item_side.library.name:
            raise ConfigError("users and items are frames of two libraries; give both in Polars or both in pandas")
        no_attributes = {item_side.id_name, *other_columns}
        found = inferred_schema(item_side.library, item_side.frame, no_attributes, schema, keep)
        derived = [attribute.name for attribute in found.attributes if attribute.derived]
        if derived and recompute is None:
            raise ConfigError(f"{derived[0]} is derived; give recompute=, which computes it anew for changed rows")
        return cls(user_side, item_side, found, recompute)

    def item_names(self, column: str) -> dict[str, str]:
        values = self.items.library.values(self.items.frame, column)
        return {text: str(name) for text, name in zip(self.items.texts, values, strict=True) if name is not None}

    @cached_property
    def space(self) -> AspectSpace:
        """Items by their attributes. Nobody has said how much users care: each counts alike for everybody."""
        codes = np.stack([self._codes(attribute) for attribute in self.schema.attributes], axis=1)
        return AspectSpace.of_attributes(self.users.vocabulary, self.items.vocabulary, self.schema, codes)

    def _codes(self, attribute: Attribute) -> FloatVector:
        values = self.items.library.values(self.items.frame, attribute.name)
        codes = np.empty(len(values), dtype=np.float64)
        known: dict[Any, float] = {}
        for row, value in enumerate(values.tolist()):
            if value not in known:
                known[value] = self._code(attribute, value, row)
            codes[row] = known[value]
        return codes

    def _code(self, attribute: Attribute, value: Any, row: int) -> float:
        try:
            return attribute.code(value)
        except InvalidValueError as error:
            raise InvalidValueError(f"item {self.items.texts[row]!r}: {error}") from None

    def decoded(self, aspect: int, codes: FloatVector) -> np.ndarray:
        """The values that codes stand for, as the frame has them: NaN or None for absent."""
        attribute = self.schema[aspect]
        gone = codes == np.float32(attribute.absent)
        if attribute.kind == "category":
            values = np.array([*attribute.values, None], dtype=object)
            return values[np.where(gone, len(attribute.values), codes).astype(np.int64)]
        return np.where(gone, np.nan, as_written(codes))

    def changed(self, items: IntVector, codes: FloatMatrix) -> np.ndarray:
        """Which values are not those of the frame."""
        return codes != self.space.item_quality[items]

    def user_rows(self, users: IntVector) -> Frame:
        return self.users.library.take(self.users.frame, users)

    def item_rows(self, items: IntVector, codes: FloatMatrix) -> Frame:
        library, rows = self.items.library, self.items.library.take(self.items.frame, items)
        moved = self.changed(items, codes)
        columns = {}
        for aspect in np.flatnonzero(moved.any(axis=0)).tolist():
            name = self.schema[aspect].name
            known = self.items.numbers(name)
            before = library.values(rows, name) if known is None else known[items]
            columns[name] = np.where(moved[:, aspect], self.decoded(aspect, codes[:, aspect]), before)
        if not columns:
            return rows
        rows = library.replaced(rows, columns)
        return rows if self.recompute is None else self._recomputed(rows)

    def _recomputed(self, rows: Frame) -> Frame:
        assert self.recompute is not None
        found = self.recompute(rows)
        columns, expected = self.items.library.columns(found), self.items.columns
        if len(found) != len(rows) or not set(expected) <= set(columns):
            raise InvalidValueError(
                f"recompute returned {len(found)} rows with the columns {', '.join(columns)} for {len(rows)} rows; "
                f"it must return the same rows with {', '.join(expected)}"
            )
        return found

    def side_of(self, column: str) -> Side:
        """Whether a column is one of users or of items; one of both is refused."""
        in_users, in_items = column in self.users.columns, column in self.items.columns
        if in_users and in_items:
            raise ConfigError(f"both users and items have a column {column!r}; rename it in one of the frames")
        if not (in_users or in_items):
            raise ConfigError(
                f"the model wants a column {column!r}; users has {', '.join(self.users.features)}, items has "
                f"{', '.join(self.items.features)}"
            )
        return self.users if in_users else self.items

    def number_block(self, columns: tuple[str, ...]) -> NumberBlock:
        """These columns as matrices, made once."""
        if columns not in self._blocks:
            self._blocks[columns] = self._number_block(columns)
        return self._blocks[columns]

    @cached_property
    def _blocks(self) -> dict[tuple[str, ...], NumberBlock]:
        return {}

    def _number_block(self, columns: tuple[str, ...]) -> NumberBlock:
        sides = [self.side_of(name) for name in columns]

        def block(side: Side) -> tuple[FloatMatrix, IntVector]:
            places = np.array([place for place, each in enumerate(sides) if each is side], dtype=np.int64)
            values = [side.required_numbers(columns[place]) for place in places]
            return np.stack(values, axis=1) if values else np.empty((len(side.ids), 0)), places

        asked = [(self.aspect_of[name], place) for place, name in enumerate(columns) if name in self.aspect_of]
        aspects, places = np.array(asked, dtype=np.int64).reshape(-1, 2).T
        codes = np.ascontiguousarray(self.space.item_quality[:, aspects])
        return NumberBlock(*block(self.users), *block(self.items), aspects, places, codes)

    @property
    def features(self) -> list[str]:
        """Every column that is no id: those of users, then those of items."""
        return [*self.users.features, *self.items.features]

    @cached_property
    def aspect_of(self) -> Mapping[str, int]:
        """The number of each attribute, by its name."""
        return {name: aspect for aspect, name in enumerate(self.schema.names)}


def as_written(codes: FloatVector) -> FloatVector:
    """Numbers of single precision as people write them: 119.99, and not 119.98999786."""
    values = codes.astype(np.float64)
    with np.errstate(divide="ignore"):
        digits = SIGNIFICANT - 1 - np.floor(np.log10(np.abs(values)))
    factor = 10.0 ** np.where(np.isfinite(digits), digits, 0)
    return np.round(values * factor) / factor


PairTable = Frame | Sequence[tuple[Any, ...]]
"""A frame with a column of users and one of items, or a list of pairs."""

VERSUS = "versus"
"""The column of the other item, where two are compared."""


def numbered(tables: FrameTables, pairs: PairTable, what: str, width: int = 2) -> np.ndarray:
    """The pairs as numbers [pairs, width]: a user and an item or, with ``width`` 3, a second item."""
    sides = (tables.users, tables.items, tables.items)[:width]
    try:
        rows = [
            [side.number(value) for side, value in zip(sides, row, strict=True)]
            for row in _rows(tables, pairs, what, width)
        ]
    except UnknownIdError as error:
        raise UnknownIdError(f"{what}: {error}") from None
    return np.array(rows, dtype=np.int64).reshape(-1, width)


def _rows(tables: FrameTables, pairs: PairTable, what: str, width: int) -> list[Sequence[Any]]:
    if isinstance(pairs, Sequence):
        for row in pairs:
            if isinstance(row, str) or len(row) != width:
                raise ConfigError(f"{what} has the row {row!r}; give (user, item{', other item' * (width == 3)})")
        return list(pairs)
    library = library_of(pairs, what)
    columns = library.columns(pairs)
    wanted = [(tables.users.id_name, "user_id"), (tables.items.id_name, "item_id"), (VERSUS, VERSUS)][:width]
    names = []
    for own, usual in wanted:
        found = own if own in columns else usual
        if found not in columns:
            raise ConfigError(f"{what} has no column {own!r}; it has {', '.join(columns)}")
        names.append(found)
    return list(zip(*(pairs[name].to_list() for name in names), strict=True))


def by_user(tables: FrameTables, pairs: PairTable, what: str) -> dict[int, list[int]]:
    """The items of each user, in the order of the table."""
    found: dict[int, list[int]] = {}
    for user, item in numbered(tables, pairs, what).tolist():
        found.setdefault(user, []).append(item)
    return found


def candidates_of(tables: FrameTables, pairs: PairTable, seen: PairTable | None) -> Candidates:
    """Exactly these items for each user, without what was seen."""
    own, gone = by_user(tables, pairs, "candidates"), {} if seen is None else by_user(tables, seen, "seen")
    users = range(len(tables.users.ids))
    return Candidates.exactly(len(tables.items.ids), [sorted({*own.get(u, ())} - {*gone.get(u, ())}) for u in users])


def seen_of(tables: FrameTables, seen: PairTable | None) -> Candidates:
    """The whole catalogue for each user, without what was seen."""
    gone = {} if seen is None else by_user(tables, seen, "seen")
    return Candidates.without(len(tables.items.ids), [gone.get(user, []) for user in range(len(tables.users.ids))])


def require_same_lists(space: AspectSpace, lists: Recommendations, given: Mapping[int, list[int]]) -> None:
    """Raise, naming both items, if lists that were made elsewhere are not those that the scores make."""
    users = sorted(given)
    for row, user in zip(lists.rows_of(np.array(users, dtype=np.int64)).tolist(), users, strict=True):
        own = lists.items[row, : lists.k].tolist()
        strange = [item for item in given[user] if item not in own]
        if strange:
            instead = next(item for item in own if item not in given[user])
            raise InvalidValueError(
                f"the list of {space.users.texts[user]!r} holds {space.items.texts[strange[0]]!r}, but by its score "
                f"{space.items.texts[instead]!r} comes before it: the scores alone do not make this list; give the "
                "candidates it was made from, or the rule that made it, as a ranker"
            )


class TableOptions(TypedDict, total=False):
    """What is said of the frames and of who competes."""

    schema: SchemaLike | None
    """What the columns of items do not show by themselves: ``{"price": {"worse": "high", "format": "{:.0f} €"}}``."""
    keep: Collection[str]
    """Attributes that must not move."""
    candidates: PairTable | None
    """Who competes, by user and item; by default every item for everybody."""
    seen: PairTable | None
    """Items that do not compete for a user's list."""
    recompute: Recompute | None
    """Computes derived attributes anew, from changed item rows to the same rows."""
    user_id: str | None
    item_id: str | None
    """The columns of ids; by default ``user_id`` and ``item_id``, or the index."""
    item_name: str | None
    """A column of names, for sentences."""


def tables_by(users: Frame, items: Frame, options: TableOptions) -> FrameTables:
    """The two frames as these options say."""
    name = options.get("item_name")
    return FrameTables.of(
        users,
        items,
        schema=options.get("schema"),
        keep=options.get("keep", ()),
        user_id=options.get("user_id"),
        item_id=options.get("item_id"),
        other_columns=() if name is None else (name,),
        recompute=options.get("recompute"),
    )
