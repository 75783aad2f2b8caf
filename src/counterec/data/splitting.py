"""Which reviews are for training, validation and test: the last reviews of each user are held out."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from counterec.data.tables import PARTS, SPLIT, checked
from counterec.errors import ConfigError, InvalidValueError
from counterec.randomness import entropy

_TRAIN, _VALIDATION, _TEST = PARTS


def least_reviews(held_out: int, validation: int) -> int:
    """Return the fewest reviews a user needs, so that one is left for training."""
    return held_out + validation + 1


def check_threshold(min_reviews: int, held_out: int, validation: int) -> None:
    """Refuse a threshold that would leave a user without a training review."""
    if held_out < 0:
        raise ConfigError(f"--held-out {held_out} is negative; pass 0 for none")
    if validation < 0:
        raise ConfigError(f"split.validation is {validation}; it must be 0 or more")
    least = least_reviews(held_out, validation)
    if min_reviews < least:
        raise ConfigError(
            f"--min-user-reviews {min_reviews} leaves users no training review, since {held_out} per user are for "
            f"test and {validation} for validation; pass {least} or more"
        )


def split_reviews(
    reviews: pl.DataFrame, held_out: int = 5, validation: int = 1, *, seed: int
) -> tuple[pl.DataFrame, dict[str, str | int]]:
    """Assign each (user, item) to a part: each user's last ``held_out`` are test, those before them validation.

    Reviews, with user_id, item_id and time, are ordered by time and then item; those without a time come first. If none
    has a time, the order is drawn from the seed and the ids, so that neither the order of rows nor other users change
    a user's test part. Returns the split and how the order was made.
    """
    _require_splittable(reviews, least_reviews(held_out, validation))
    without_time = reviews["time"].null_count()
    drawn = without_time == reviews.height
    order = _drawn_order(reviews, seed) if drawn else reviews["time"]
    from_last = pl.len().over("user_id") - pl.int_range(pl.len()).over("user_id")
    part = (
        pl.when(from_last <= held_out)
        .then(pl.lit(_TEST))
        .when(from_last <= held_out + validation)
        .then(pl.lit(_VALIDATION))
        .otherwise(pl.lit(_TRAIN))
    )
    ordered = reviews.select("user_id", "item_id", order.alias("order")).sort("user_id", "order", "item_id")
    split = ordered.select("user_id", "item_id", part.alias("part")).sort("user_id", "item_id")
    how: dict[str, str | int] = {"order": "seeded draw" if drawn else "time", "rows_without_time": without_time}
    return checked(split, SPLIT, "split"), how


def _drawn_order(reviews: pl.DataFrame, seed: int) -> pl.Series:
    """Draw a number for each (user, item) that depends on the seed and these two ids only."""
    pairs: Iterable[tuple[str, str]] = reviews.select("user_id", "item_id").iter_rows()
    keys = [entropy(seed, "split", f"{user}\x1f{item}") >> 64 for user, item in pairs]
    return pl.Series(keys, dtype=pl.UInt64())


def _require_splittable(reviews: pl.DataFrame, least: int) -> None:
    """Refuse a pair that occurs twice, and a user with too few reviews to have one left for training."""
    twice = reviews.filter(pl.struct("user_id", "item_id").is_duplicated())
    if twice.height:
        user, item = twice.select("user_id", "item_id").sort("user_id", "item_id").row(0)
        raise InvalidValueError(f"user {user!r} has several reviews of item {item!r}; drop the earlier ones first")
    few = reviews.group_by("user_id").len().filter(pl.col("len") < least).sort("user_id")
    if few.height:
        user, count = few.row(0)
        raise InvalidValueError(
            f"user {user!r} has {count} reviews and the split needs {least}; drop users with fewer first"
        )
