"""Any Python callable as an extractor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from counterec.errors import InvalidValueError
from counterec.extraction.protocol import Mention
from counterec.extraction.sentences import Token, sentences

Triple = tuple[str, str, int]
"""An aspect, an opinion, and +1 or -1."""


class CallableExtractor:
    """Calls a function for the (aspect, opinion, sentiment) triples of a text, and finds their places.

    An aspect is placed at its own words. If the text does not contain them, it is placed at its opinion; if it does not
    contain that either, it spans the first sentence. Nothing is learned from a corpus.
    """

    def __init__(self, function: Callable[[str], Iterable[Triple]], name: str = "callable") -> None:
        self.name = name
        self._function = function

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> CallableExtractor:  # noqa: ARG002
        """Return this extractor: a function learns nothing."""
        return self

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order of the text."""
        return [self._mentions(text) for text in texts]

    def learned(self) -> dict[str, Any]:
        """Return nothing."""
        return {}

    def _mentions(self, text: str) -> list[Mention]:
        cut = sentences(text)
        found = {placed(cut, _checked(triple)) for triple in (self._function(text) if cut else ())}
        return sorted(found, key=lambda mention: (mention.start, mention.end, mention.aspect, mention.opinion))


def _checked(triple: Triple) -> Triple:
    try:
        aspect, opinion, sentiment = triple
        return str(aspect).strip().lower(), str(opinion).strip().lower(), int(sentiment)
    except (TypeError, ValueError):
        raise InvalidValueError(f"{triple!r} is not a mention; return (aspect, opinion, +1 or -1)") from None


def placed(cut: list[list[Token]], triple: Triple) -> Mention:
    """Return a triple as a mention, placed at its words in the sentences of a text."""
    for words in (triple[0].split(), triple[1].split()):
        for number, sentence in enumerate(cut):
            at = _position([token.word for token in sentence], words)
            if at is not None:
                return mention_at(triple, number, sentence, at, at + len(words))
    return mention_at(triple, 0, cut[0], 0, len(cut[0]))


def _position(words: list[str], wanted: list[str]) -> int | None:
    size = len(wanted)
    places = (at for at in range(len(words) - size + 1) if words[at : at + size] == wanted)
    return next(places, None) if size else None


def mention_at(triple: Triple, number: int, sentence: list[Token], start: int, end: int) -> Mention:
    """Return a triple as a mention at these tokens of a sentence."""
    aspect, opinion, sentiment = triple
    return Mention(
        aspect=aspect,
        opinion=opinion or aspect,
        sentiment=sentiment,
        sentence=number,
        start=sentence[start].start,
        end=sentence[end - 1].end,
        sentence_start=sentence[0].start,
        sentence_end=sentence[-1].end,
    )
