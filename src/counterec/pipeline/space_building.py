"""Counted mentions → X and Y: tables become arrays."""

from __future__ import annotations

import polars as pl

from counterec.core.mention_counts import ItemMentions, MentionNumbers
from counterec.core.space import AspectSpace, QualityRule
from counterec.core.vocabulary import Vocabulary
from counterec.pipeline.config import AspectsConfig


def built_space(
    split: pl.DataFrame,
    training: pl.DataFrame,
    others: pl.DataFrame,
    aspects: Vocabulary,
    settings: AspectsConfig,
    rule: QualityRule,
) -> AspectSpace:
    """Build X and Y over all users and items of the split; mentions by other people count for Y.

    Shares of praise go with attention relative to what everybody mentions: both tell items apart on dense data.
    """
    users, items = Vocabulary.of("user", split["user_id"]), Vocabulary.of("item", split["item_id"])
    known = pl.col("aspect").is_in(list(aspects.texts))
    training = training.filter(known)
    numbers = MentionNumbers(
        users.numbers(training["user_id"]),
        items.numbers(training["item_id"]),
        aspects.numbers(training["aspect"]),
        training["sentiment"].to_numpy(),
    )
    return AspectSpace.from_mentions(
        users,
        items,
        aspects,
        numbers,
        settings.ceiling,
        quality_rule=rule,
        attention_rule="relative" if rule == "share" else "eq1",
        of_others=_of_others(others.filter(known), items, aspects) if settings.everybody else None,
    )


def _of_others(mentions: pl.DataFrame, items: Vocabulary, aspects: Vocabulary) -> ItemMentions:
    """The mentions of the catalogue's items by people who are not among the users."""
    known = mentions.filter(pl.col("item_id").is_in(list(items.texts)))
    return ItemMentions(
        items.numbers(known["item_id"]), aspects.numbers(known["aspect"]), known["sentiment"].to_numpy()
    )
