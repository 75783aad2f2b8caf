"""Tables of pairs: candidates that were made elsewhere, lists, items that were seen, and pairs that are asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from counterec.adapters.frame_library import Frame, library_of
from counterec.adapters.tables import FrameTables
from counterec.core.candidates import Candidates
from counterec.core.lists import Recommendations
from counterec.core.space import AspectSpace
from counterec.errors import ConfigError, InvalidValueError, UnknownIdError

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
