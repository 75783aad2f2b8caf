"""What an extractor is: text in, (aspect, opinion, sentiment) out, each with its place in the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from counterec.core.arrays import require


@dataclass(frozen=True, slots=True)
class Mention:
    """One opinion on one aspect, found in a text.

    ``aspect`` is the canonical name (lower case, singular); ``text[start:end]`` is how the text itself puts it, perhaps
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
        if self._is_valid():  # the common case: no message is formatted
            return
        require(
            any(map(str.isalnum, self.aspect)), f"the aspect {self.aspect!r} has no letter or digit; give it a name"
        )
        require(self.sentiment in (-1, 1), f"the sentiment is {self.sentiment!r}; it must be +1 or -1")
        require(
            0 <= self.start < self.end,
            f"the mention spans characters {self.start} to {self.end}; it must span at least one",
        )
        span = f"{self.sentence_start} to {self.sentence_end}"
        require(
            False, f"the mention at {self.start} to {self.end} is outside its sentence at {span}; it must be inside"
        )

    def _is_valid(self) -> bool:
        inside = 0 <= self.sentence_start <= self.start < self.end <= self.sentence_end
        aspect = self.aspect
        return inside and self.sentiment in (-1, 1) and (aspect.isalnum() or any(map(str.isalnum, aspect)))


class Extractor(Protocol):
    """Finds the mentions in texts.

    ``fitted`` learns from a corpus of training texts and returns a new extractor. ``extract`` then depends on each text
    alone, never on the other texts or their order.
    """

    name: str

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> Extractor:
        """Return an extractor that has learned from these texts, or itself if it learns nothing.

        ``ratings`` holds one rating per text, None for a review without one.
        """
        ...

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order of the text."""
        ...

    def learned(self) -> dict[str, Any]:
        """Return what was learned as plain, readable values."""
        ...


@runtime_checkable
class LearnsInParts(Protocol):
    """An extractor that can count the parts of a corpus separately and learn from all counts together.

    However the corpus is divided, and in whatever order its parts come, the result is that of ``fitted``.
    """

    def counted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> Any:
        """Return the counts of these texts, which can be sent from one process to another."""
        ...

    def concluded(self, parts: Iterable[Any]) -> Extractor:
        """Return an extractor that has learned from these counts."""
        ...


@runtime_checkable
class KeepsCounts(LearnsInParts, Protocol):
    """An extractor whose counts can be kept in a file: what was counted before a run was cut short is not lost."""

    def plain_counts(self, counts: Any) -> Any:
        """Return counts as plain lists, texts and numbers, as JSON can hold them."""
        ...

    def counts_from(self, plain: Any) -> Any:
        """Return the counts that ``plain_counts`` made these values of."""
        ...
