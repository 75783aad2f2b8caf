"""How large a synthetic world is, and the sizes of the paper's datasets."""

from __future__ import annotations

from dataclasses import dataclass

from counterec.core.arrays import require

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
        """The number of reviews."""
        return round(self.users * self.mean_reviews)


CELL_PHONES = WorldSize(251, 1_918, 88, min_reviews=10, mean_reviews=4_454 / 251, cared_for=7, notable=14)
"""The size of Cell Phones in the paper's Table 1."""

ELECTRONICS = WorldSize(2_832, 19_816, 105, min_reviews=10, mean_reviews=53_295 / 2_832, cared_for=6, notable=13)
"""The size of Electronics in the paper's Table 1."""

YELP = WorldSize(11_863, 20_181, 106, min_reviews=20, mean_reviews=497_252 / 11_863, cared_for=5, notable=5)
"""The size of Yelp in the paper's Table 1."""

CDS = WorldSize(8_119, 52_193, 230, min_reviews=20, mean_reviews=245_391 / 8_119, cared_for=6, notable=7)
"""The size of CDs and Vinyl in the paper's Table 1."""
