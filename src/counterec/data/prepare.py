"""Which reviews are kept, and which of them are for training, validation and test.

Reviews come as a lazy table, usually over many files. What is kept is decided from ids, times and a hash of each text;
the texts themselves are streamed only when the caller writes the result. Permuting the input rows changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from counterec.data.tables import MENTIONS, PARTS, REVIEWS, SPLIT, checked
from counterec.errors import ConfigError, EmptyDataError, InvalidValueError
from counterec.randomness import entropy

PAIR = ("user_id", "item_id")


def filtered_reviews(
    parts: pl.LazyFrame, min_reviews: int, least: int, min_item_reviews: int = 1
) -> tuple[pl.LazyFrame, dict[str, int]]:
    """Return the reviews to keep, sorted by user, time and item, ready to be written; and the counts.

    ``min_reviews`` is the fewest reviews of a user and ``min_item_reviews`` of an item; ``least`` is the fewest per
    user that the split accepts. Items are counted first, over the reviews of all users.
    """
    numbered, keys, latest = _latest_reviews(parts)
    known = keep_reviewed_items(latest, min_item_reviews)
    kept = keep_active_users(known, min_reviews, least)
    stay = numbered.join(kept.lazy().select("row"), on="row", how="semi").select(list(REVIEWS))
    return stay.sort("user_id", "time", "item_id"), _counts(keys, latest, known, kept)


def reviews_of_others(
    parts: pl.LazyFrame, min_reviews: int, items: pl.DataFrame, min_item_reviews: int = 1
) -> pl.LazyFrame:
    """Return the reviews of these items by users with fewer than ``min_reviews``, sorted like those to keep."""
    numbered, _, latest = _latest_reviews(parts)
    others = _of_others(keep_reviewed_items(latest, min_item_reviews), min_reviews, items)
    stay = numbered.join(others.lazy().select("row"), on="row", how="semi").select(list(REVIEWS))
    return stay.sort("user_id", "time", "item_id")


def mentions_of_others(
    parts: pl.LazyFrame, min_reviews: int, items: pl.DataFrame, min_item_reviews: int = 1
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Return the reviews of these items by users with fewer than ``min_reviews``, and their mentions."""
    others = _of_others(keep_reviewed_items(_latest_visits(parts)[1], min_item_reviews), min_reviews, items)
    return _with_mentions(parts, others)


def _of_others(latest: pl.DataFrame, min_reviews: int, items: pl.DataFrame) -> pl.DataFrame:
    few = latest.filter(pl.len().over("user_id") < min_reviews)
    return few.join(items, on="item_id", how="semi")


def _latest_reviews(parts: pl.LazyFrame) -> tuple[pl.LazyFrame, pl.DataFrame, pl.DataFrame]:
    """The rows with their numbers, the keys of all rows, and those of the latest review of each (user, item)."""
    numbered = parts.with_row_index("row")
    keys = numbered.select("row", *PAIR, "time", "rating", pl.col("text").hash().alias("content")).collect()
    return numbered, keys, drop_earlier(keys, numbered.select("row", "text"))


def filtered_mentions(
    parts: pl.LazyFrame, min_reviews: int, least: int, min_item_reviews: int = 1
) -> tuple[pl.LazyFrame, pl.LazyFrame, dict[str, int]]:
    """Return the reviews that mentions come from, the mentions, each sorted, and the counts.

    A review is a (user, item) at one time. The latest review of each pair is kept with all its mentions, equal ones
    included, since the number of mentions matters. If its ratings disagree, the highest is taken.
    """
    visits, latest = _latest_visits(parts)
    known = keep_reviewed_items(latest, min_item_reviews)
    kept = keep_active_users(known, min_reviews, least)
    reviews, mentions = _with_mentions(parts, kept)
    counts = {"mentions_read": int(visits["mentions"].sum()), "mentions": int(kept["mentions"].sum())}
    return reviews, mentions, _counts(visits, latest, known, kept) | counts


def _latest_visits(parts: pl.LazyFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """All reviews that mentions come from, and the latest of each (user, item)."""
    visits = parts.group_by(*PAIR, "time").agg(pl.col("rating").max(), pl.len().alias("mentions")).collect()
    return visits, visits.sort(*PAIR, "time").unique(PAIR, keep="last", maintain_order=True)


def _with_mentions(parts: pl.LazyFrame, kept: pl.DataFrame) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """The kept reviews and their mentions, each sorted."""
    kept = kept.sort("user_id", "time", "item_id")
    reviews = kept.lazy().with_columns(pl.lit(None, pl.String()).alias("text")).select(list(REVIEWS))
    stay = parts.join(kept.lazy(), on=[*PAIR, "time"], how="semi", nulls_equal=True).select(list(MENTIONS))
    return reviews, stay.sort("user_id", "time", "item_id", *list(MENTIONS)[3:])


def drop_earlier(keys: pl.DataFrame, texts: pl.LazyFrame) -> pl.DataFrame:
    """Keep only the latest review of each (user, item).

    ``keys`` has row, user_id, item_id, time, rating and content (a hash of the text); ``texts`` has row and text. A
    review without a time is the earliest. Among reviews of equal time the higher rating is kept, then the text that
    sorts last: the content decides, never the order of rows.
    """
    distinct = keys.unique([*PAIR, "time", "rating", "content"], keep="any")
    latest = _highest(_highest(distinct, "time"), "rating")
    tied = latest.filter(pl.len().over(PAIR) > 1)
    if tied.is_empty():
        return latest
    # The hash only finds equal texts. It may differ between machines, so it must not decide which of two is kept.
    with_texts = tied.join(texts.join(tied.lazy().select("row"), on="row", how="semi").collect(), on="row")
    chosen = with_texts.sort(*PAIR, "text").unique(PAIR, keep="last").select(latest.columns)
    return pl.concat([latest.join(tied, on="row", how="anti"), chosen])


def _highest(keys: pl.DataFrame, column: str) -> pl.DataFrame:
    """Keep the rows of each (user, item) that are highest in a column; null is lowest."""
    return keys.filter(pl.col(column).eq_missing(pl.col(column).max().over(PAIR)))


def keep_reviewed_items(reviews: pl.DataFrame, min_reviews: int) -> pl.DataFrame:
    """Keep the reviews of items that have at least ``min_reviews``; if none has, raise and suggest a threshold."""
    kept = reviews.filter(pl.len().over("item_id") >= min_reviews)
    if kept.is_empty() and len(reviews):
        most = int(reviews.group_by("item_id").len()["len"].sort()[-1])
        raise EmptyDataError(
            f"no item is left with --min-item-reviews {min_reviews}: the most reviewed has {most}; pass at most {most}"
        )
    return kept


def keep_active_users(reviews: pl.DataFrame, min_reviews: int, least: int) -> pl.DataFrame:
    """Keep the reviews of users who have at least ``min_reviews``; if none has, raise and suggest a threshold."""
    kept = reviews.filter(pl.len().over("user_id") >= min_reviews)
    if kept.is_empty():
        raise EmptyDataError(_nobody_left(reviews, min_reviews, least))
    return kept


def _nobody_left(reviews: pl.DataFrame, min_reviews: int, least: int) -> str:
    """Say which threshold left nobody and suggest one that would not, but never one that the split would refuse."""
    if reviews.is_empty():
        return "there are no reviews; check the sources"
    activity = reviews.group_by("user_id").len()["len"]
    users, most = len(activity), int(activity.sort()[-1])
    found = f"no user is left with --min-user-reviews {min_reviews}: the most active of {users:,} users has {most}"
    if most >= least:
        return f"{found} reviews; try --min-user-reviews {most}"
    return f"{found}, and the split needs {least} per user; add more reviews of the same users"


def _counts(read: pl.DataFrame, latest: pl.DataFrame, known: pl.DataFrame, kept: pl.DataFrame) -> dict[str, int]:
    users_read, users = latest["user_id"].n_unique(), kept["user_id"].n_unique()
    items_read = latest["item_id"].n_unique()
    return {
        "reviews_read": read.height,
        "earlier_reviews_dropped": read.height - latest.height,
        "items_read": items_read,
        "items_dropped": items_read - known["item_id"].n_unique(),
        "users_read": users_read,
        "users_dropped": users_read - users,
        "users": users,
        "items": kept["item_id"].n_unique(),
        "reviews": kept.height,
    }


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
