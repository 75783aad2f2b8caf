"""What an extractor is: text in, (aspect, opinion, sentiment) out, each with the place it was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from counterec.core.arrays import require


@dataclass(frozen=True, slots=True)
class Mention:
    """One opinion on one aspect, found in a text.

    ``aspect`` is the canonical name (lower case, singular); ``text[start:end]`` is how the text itself has it, perhaps
    as a pronoun, in the sentence ``text[sentence_start:sentence_end]``.
    """

    aspect: str
    opinion: str
    sentiment: int
    sentence: int
    start: int
    end: int
    sentence_start: int
    sentence_end: int

    def __post_init__(self) -> None:
        if self._is_sound():  # no message is made for the many that are
            return
        require(any(map(str.isalnum, self.aspect)), f"an aspect needs a letter or digit, got {self.aspect!r}")
        require(self.sentiment in (-1, 1), f"a sentiment is +1 or -1, got {self.sentiment!r}")
        require(0 <= self.start < self.end, f"a mention spans characters {self.start} to {self.end}")
        span = f"{self.sentence_start} to {self.sentence_end}"
        require(False, f"a mention at {self.start} to {self.end} stands outside its sentence at {span}")

    def _is_sound(self) -> bool:
        inside = 0 <= self.sentence_start <= self.start < self.end <= self.sentence_end
        return inside and self.sentiment in (-1, 1) and any(map(str.isalnum, self.aspect))


class Extractor(Protocol):
    """Finds the mentions in texts.

    What is learned from a corpus is learned by ``fitted``, which sees training texts only and returns a new
    extractor; ``extract`` then depends on each text alone, never on its neighbours or their order.
    """

    name: str

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> Extractor:
        """Return this extractor, having learned from these texts (itself, where there is nothing to learn).

        ``ratings``, where given, are the stars of their reviews, one a text; None where a review has none.
        """
        ...

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order they stand there."""
        ...

    def learned(self) -> dict[str, Any]:
        """Return what was learned, as plain values that a person can read."""
        ...


@runtime_checkable
class LearnsInParts(Protocol):
    """What an extractor may offer besides: to count the parts of a corpus apart, and conclude from all of them.

    However a corpus is cut and in whatever order its parts come, the outcome is that of ``fitted``.
    """

    def counted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> Any:
        """Return what is counted in these texts, which can be sent from one process to another."""
        ...

    def concluded(self, parts: Iterable[Any]) -> Extractor:
        """Return this extractor, having learned from what was counted."""
        ...
