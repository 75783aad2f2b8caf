"""The synthetic world as matrices: known tastes and qualities, and the choices and mentions that follow from them.

A user cares for a handful of aspects; an item is notable for a handful, each good or bad. Users choose items that are
good at what they care for, and review them: they mention the notable aspects they care for and, rarely, others, and
their sentiment follows the item's true quality with some noise. Everything that the pipeline has to find out is known
here, so its answers can be compared with the truth. Needs NumPy only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counterec.core.arrays import (
    BoolMatrix,
    BoolVector,
    FloatMatrix,
    FloatVector,
    IntVector,
    freeze,
    require,
    require_shape,
    row_chunks,
)
from counterec.core.interactions import Interactions
from counterec.core.mention_counts import MentionNumbers
from counterec.core.space import AspectSpace
from counterec.core.vocabulary import Vocabulary
from counterec.randomness import generator

HELD_OUT = 5
"""The last interactions of each user, which are the test part."""

VALIDATION = 1
"""The interactions before those, which are the validation part."""


@dataclass(frozen=True)
class WorldSize:
    """The size of a synthetic world."""

    users: int = 300
    """Users."""

    items: int = 400
    """Items in the catalogue; a few may never be chosen."""

    aspects: int = 20
    """Aspects in the domain."""

    min_reviews: int = 12
    """The fewest reviews of a user."""

    mean_reviews: float = 18.0
    """The mean number of reviews per user; the total is this times the users, rounded."""

    cared_for: float = 3.0
    """The mean number of aspects a user cares for; at least two."""

    notable: float = 5.5
    """The mean number of aspects an item is notable for; at least two, with a long tail."""

    def __post_init__(self) -> None:
        least = HELD_OUT + VALIDATION + 1
        require(self.users >= 1, f"users: a world needs at least one user, not {self.users}")
        require(self.aspects >= 2, f"a world needs at least two aspects, not {self.aspects}")
        require(
            self.min_reviews >= least,
            f"min_reviews is {self.min_reviews}; the split needs at least {least}",
        )
        require(
            self.mean_reviews >= self.min_reviews,
            f"mean_reviews is {self.mean_reviews}, below min_reviews {self.min_reviews}; raise it",
        )
        require(
            self.items >= 2 * self.mean_reviews,
            f"{self.items} items are too few for {self.mean_reviews} reviews per user; have at least twice as many",
        )
        fewest = min(self.cared_for, self.notable)
        require(fewest >= 2, f"cared_for and notable must be at least 2, not {fewest}")

    @property
    def reviews(self) -> int:
        return round(self.users * self.mean_reviews)


CELL_PHONES = WorldSize(251, 1_918, 88, min_reviews=10, mean_reviews=4_454 / 251, cared_for=7, notable=14)
"""The size of Cell Phones in the paper's Table 1."""

ELECTRONICS = WorldSize(2_832, 19_816, 105, min_reviews=10, mean_reviews=53_295 / 2_832, cared_for=6, notable=13)
"""The size of Electronics in the paper's Table 1."""

YELP = WorldSize(11_863, 20_181, 106, min_reviews=20, mean_reviews=497_252 / 11_863, cared_for=5, notable=5)
"""The size of Yelp in the paper's Table 1."""

CDS = WorldSize(8_119, 52_193, 230, min_reviews=20, mean_reviews=245_391 / 8_119, cared_for=6, notable=7)
"""The size of CDs and Vinyl in the paper's Table 1."""


Part = Literal["train", "validation", "test"]

DAYS = 1_500
"""Interactions fall on days 0 to ``DAYS`` − 1."""

PREVALENCE = 0.3
"""Aspect k occurs among tastes and notable aspects with weight (k + 1) to the power of minus this."""

GOOD = 0.62
"""The share of notable aspects that an item is good at; at the rest it is bad."""

FAINTEST = 0.4
"""The smallest |quality| of a notable aspect, and the smallest taste for a cared-for one; the largest is 1."""

PULL = 6.0
"""How strongly choices follow taste · quality."""

PRICE = 0.8
"""The share of an item's appeal to the average user that its price takes back. Without it everybody would choose the
few items that are good at everything, and popularity would be a fine recommender."""

FASHION = 0.3
"""The standard deviation of an item's popularity that has no reason."""

MENTION_CARED_FOR = 0.9
"""The chance that a reviewer mentions a notable aspect they care for."""

MENTION_GOOD = 0.04
"""The chance that a reviewer mentions an aspect they do not care for, if the item is notably good at it."""

MENTION_BAD = 0.12
"""The same if the item is notably bad at it."""

CANDOUR = 4.0
"""A mention is positive with probability 1 / (1 + exp(−candour · quality))."""


@dataclass(frozen=True)
class SyntheticInteractions:
    """Who chose what on which day, ordered by (user, day, item); each pair once."""

    users: IntVector
    items: IntVector
    days: IntVector

    def __post_init__(self) -> None:
        freeze(self, users=np.int64, items=np.int64, days=np.int64)
        for name in ("users", "items", "days"):
            require_shape(f"interactions.{name}", getattr(self, name), self.users.shape)
        require((np.diff(self.users) >= 0).all(), "interactions must be in the order of users; sort them")

    def __len__(self) -> int:
        return len(self.users)


@dataclass(frozen=True)
class SyntheticMentions:
    """What the reviews say: in which interaction, about which aspect, and whether it praises (+1) or blames (−1)."""

    interactions: IntVector
    aspects: IntVector
    sentiments: IntVector

    def __post_init__(self) -> None:
        freeze(self, interactions=np.int64, aspects=np.int64, sentiments=np.int64)
        for name in ("interactions", "aspects", "sentiments"):
            require_shape(f"mentions.{name}", getattr(self, name), self.interactions.shape)

    def __len__(self) -> int:
        return len(self.interactions)


@dataclass(frozen=True)
class SyntheticWorld:
    """The truth: tastes and qualities, and the interactions and mentions that followed from them."""

    size: WorldSize
    seed: int
    taste: FloatMatrix
    """[users, aspects]: how much a user cares, at most 1; 0 for all but a handful."""
    quality: FloatMatrix
    """[items, aspects]: from −1 to 1 for the aspects an item is notable for; 0 for the rest."""
    interactions: SyntheticInteractions
    mentions: SyntheticMentions
    """Ordered by (interaction, aspect)."""

    def __post_init__(self) -> None:
        freeze(self, taste=np.float32, quality=np.float32)
        for name, rows in (("taste", self.size.users), ("quality", self.size.items)):
            require_shape(name, getattr(self, name), (rows, self.size.aspects))

    def part(self, part: Part) -> BoolVector:
        """Return which interactions belong to a part: each user's last five are test, the one before is validation."""
        users = self.interactions.users
        ends = np.cumsum(np.bincount(users, minlength=self.size.users))
        later = ends[users] - 1 - np.arange(len(users))
        return {
            "test": later < HELD_OUT,
            "validation": (later >= HELD_OUT) & (later < HELD_OUT + VALIDATION),
            "train": later >= HELD_OUT + VALIDATION,
        }[part]

    def taken(self, part: Part) -> Interactions:
        """Return the interactions of a part as training and ranking take them."""
        rows = self.part(part)
        users, items = self.interactions.users[rows], self.interactions.items[rows]
        return Interactions(users, items, self.size.users, self.size.items)


def synthetic_world(size: WorldSize, seed: int) -> SyntheticWorld:
    taste = _tastes(size, generator(seed, "tastes"))
    quality = _qualities(size, generator(seed, "qualities"))
    appeal = _appeal(taste, quality, generator(seed, "appeal"))
    counts = _review_counts(size, generator(seed, "review counts"))
    first = _first_reviewers(taste, quality, generator(seed, "first reviewers"))
    by_aspect = np.ascontiguousarray(quality.T)
    histories = []
    for user, count in enumerate(counts):
        rng = generator(seed, "history", user)
        utility = _utility(taste[user], by_aspect) + appeal
        items, days = _choose(utility, np.flatnonzero(first == user), count, rng)
        histories.append(_History(items, days, *_mention(taste[user], quality[items], rng)))
    return SyntheticWorld(size, seed, taste, quality, *_joined(histories))


def synthetic_space(world: SyntheticWorld) -> AspectSpace:
    """Return X and Y by Eq. 1, from the true mentions of the training part."""
    size, mentions = world.size, world.mentions
    in_training = world.part("train")[mentions.interactions]
    about = mentions.interactions[in_training]
    return AspectSpace.from_mentions(
        users=_numbered("user", size.users),
        items=_numbered("item", size.items),
        aspects=_numbered("aspect", size.aspects),
        mentions=MentionNumbers(
            users=world.interactions.users[about],
            items=world.interactions.items[about],
            aspects=mentions.aspects[in_training],
            sentiments=mentions.sentiments[in_training],
        ),
    )


class _History(NamedTuple):
    """One user's items and days, in order, and the mentions: which of these items, which aspect, which sentiment."""

    items: IntVector
    days: IntVector
    about: IntVector
    aspects: IntVector
    sentiments: IntVector


def _tastes(size: WorldSize, rng: np.random.Generator) -> FloatMatrix:
    """Draw a few cared-for aspects per user, common ones more often, each with its weight."""
    counts = np.clip(2 + rng.poisson(size.cared_for - 2, size.users), 2, max(2, size.aspects // 2))
    cared = _some_columns(counts, size.aspects, PREVALENCE, rng)
    return np.where(cared, rng.uniform(FAINTEST, 1, cared.shape), 0).astype(np.float32)


def _qualities(size: WorldSize, rng: np.random.Generator) -> FloatMatrix:
    """Draw a few notable aspects per item, log-normal in number, each good or bad."""
    spread = 0.6
    counts = np.exp(rng.normal(np.log(size.notable) - spread**2 / 2, spread, size.items))
    counts = np.clip(np.rint(counts), 2, max(2, min(size.aspects // 2, 40)))
    notable = _some_columns(counts, size.aspects, PREVALENCE / 2, rng)
    sign = np.where(rng.random(notable.shape) < GOOD, 1, -1)
    return np.where(notable, sign * rng.uniform(FAINTEST, 1, notable.shape), 0).astype(np.float32)


def _some_columns(counts: NDArray[Any], columns: int, slope: float, rng: np.random.Generator) -> BoolMatrix:
    """Draw ``counts`` distinct columns per row, column k with weight (k + 1) to the power of minus ``slope``.

    Sorting exponential waiting times E / weight gives a weighted draw without replacement.
    """
    waiting = rng.standard_exponential((len(counts), columns)) * np.arange(1, columns + 1) ** slope
    return waiting.argsort(axis=1).argsort(axis=1) < counts[:, None]


def _appeal(taste: FloatMatrix, quality: FloatMatrix, rng: np.random.Generator) -> FloatVector:
    """Return the part of an item's utility that all users share: a little fashion, minus its price."""
    price = PRICE * PULL * (quality @ taste.mean(axis=0))
    return np.asarray(FASHION * rng.standard_normal(len(quality)) - price)


def _review_counts(size: WorldSize, rng: np.random.Generator) -> IntVector:
    """Draw the number of reviews per user: the fewest allowed, and a long-tailed share of the rest."""
    share = rng.dirichlet(np.ones(size.users))
    counts = size.min_reviews + rng.multinomial(size.reviews - size.min_reviews * size.users, share)
    return np.minimum(counts, size.items)


def _first_reviewers(taste: FloatMatrix, quality: FloatMatrix, rng: np.random.Generator) -> IntVector:
    """Draw one user per item who is sure to choose it, so that hardly any item stays unknown.

    Drawn with weight exp(utility / 2): at full pull a few users would get more items than they have reviews.
    """
    first = np.empty(len(quality), dtype=np.int64)
    for rows in row_chunks(len(quality), 256):
        utility = PULL / 2 * (quality[rows] @ taste.T)
        first[rows] = (rng.standard_exponential(utility.shape) * np.exp(-utility, dtype=np.float64)).argmin(axis=1)
    return first


def _utility(taste: FloatVector, by_aspect: FloatMatrix) -> FloatVector:
    """Return PULL · taste · quality of every item for one user, over the few aspects they care for."""
    cared = np.flatnonzero(taste)
    return np.asarray(PULL * (taste[cared, None] * by_aspect[cared]).sum(axis=0))


def _choose(
    utility: FloatVector, certain: IntVector, count: int, rng: np.random.Generator
) -> tuple[IntVector, IntVector]:
    """Draw one user's items, without replacement and with weight exp(utility), and their days, in order."""
    waiting = rng.standard_exponential(len(utility)) * np.exp(-utility)
    waiting[certain] *= 1e-30  # a head start that no other item makes up
    items = np.sort(np.argpartition(waiting, count - 1)[:count])
    days = rng.integers(0, DAYS, count)
    order = np.lexsort((items, days))
    return items[order], days[order]


def _mention(
    taste: FloatVector, quality: FloatMatrix, rng: np.random.Generator
) -> tuple[IntVector, IntVector, IntVector]:
    """Draw one user's mentions of items with these qualities: (which item, aspect, sentiment)."""
    otherwise = np.where(quality > 0, MENTION_GOOD, MENTION_BAD)
    chance = np.where(taste > 0, MENTION_CARED_FOR, otherwise) * (quality != 0)
    about, aspects = np.nonzero(rng.random(quality.shape) < chance)
    positive = 1 / (1 + np.exp(-CANDOUR * quality[about, aspects]))
    return about, aspects, np.where(rng.random(len(about)) < positive, 1, -1)


def _joined(histories: list[_History]) -> tuple[SyntheticInteractions, SyntheticMentions]:
    """Concatenate the histories of all users, in order."""
    items, days, about, aspects, sentiments = (np.concatenate(parts) for parts in zip(*histories, strict=True))
    lengths = [len(history.items) for history in histories]
    starts = np.cumsum([0, *lengths[:-1]])
    about += np.repeat(starts, [len(history.about) for history in histories])
    users = np.repeat(np.arange(len(histories)), lengths)
    return SyntheticInteractions(users, items, days), SyntheticMentions(about, aspects, sentiments)


def _numbered(kind: str, count: int) -> Vocabulary:
    """Return texts such as "user 0001", counted from 1 and padded, so that their sorted order is their number."""
    width = max(3 if kind == "aspect" else 4, len(str(count)))
    return Vocabulary(kind, tuple(f"{kind} {number:0{width}d}" for number in range(1, count + 1)))
