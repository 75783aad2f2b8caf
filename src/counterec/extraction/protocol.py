"""What an extractor is: text in, (aspect, opinion, sentiment) out, each with the place it was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from counterec.core.arrays import require


@dataclass(frozen=True, slots=True)
class Mention:
    """One opinion on one aspect, found in a text.

    ``aspect`` is the canonical name (lower case, singular); ``text[start:end]`` is how the text itself has it.
    """

    aspect: str
    opinion: str
    sentiment: int
    sentence: int
    start: int
    end: int

    def __post_init__(self) -> None:
        require(any(map(str.isalnum, self.aspect)), f"an aspect needs a letter or digit, got {self.aspect!r}")
        require(self.sentiment in (-1, 1), f"a sentiment is +1 or -1, got {self.sentiment!r}")
        require(0 <= self.start < self.end, f"a mention spans characters {self.start} to {self.end}")


class Extractor(Protocol):
    """Finds the mentions in texts.

    What is learned from a corpus is learned by ``fitted``, which sees training texts only and returns a new
    extractor; ``extract`` then depends on each text alone, never on its neighbours or their order.
    """

    name: str

    def fitted(self, texts: Iterable[str]) -> Extractor:
        """Return this extractor, having learned from these texts (itself, where there is nothing to learn)."""
        ...

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order they stand there."""
        ...
