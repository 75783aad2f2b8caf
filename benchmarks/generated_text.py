"""Reviews of any size, written quickly and one part of the users after another: to measure how a run grows.

Each mention of the generated world is one short sentence of a known form about a plain noun; sentences without an
opinion stand between them. The built-in phones read better (``counterec.synthetic.reviews``), but take milliseconds a
review, and have names for a few dozen aspects only.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.extraction import PLAIN
from counterec.data.tables import REVIEWS
from counterec.extraction.lexicon import OPINION_NOUNS, polarity
from counterec.extraction.tagger import lexical_class
from counterec.extraction.words import CLASS_OF, GENERAL_NOUNS, WordClass, base_noun, likeliest_tags
from counterec.randomness import generator
from counterec.synthetic.reviews import FIRST_DAY
from counterec.synthetic.world import SyntheticWorld

USERS_AT_ONCE = 500
"""Users whose reviews are written together: what bounds the text in memory."""
FORMS = (
    "The {aspect} is {word}.",
    "{Word} {aspect}!",
    "It has a {word} {aspect}.",
    "The {aspect} was really {word}.",
    "We found the {aspect} {word}.",
    "A {word} {aspect}, I must say.",
)
WORDS = {
    1: ("great", "excellent", "lovely", "superb", "good", "wonderful", "nice", "fantastic"),
    -1: ("terrible", "awful", "poor", "bad", "disappointing", "horrible", "useless", "mediocre"),
}
"""By the sentiment of a mention, what it says."""


def aspect_nouns(count: int) -> list[str]:
    """Return so many plain nouns of five to eight letters, the same each time: they name, and judge nothing."""
    known = (word for word, tag in sorted(likeliest_tags().items()) if tag == "NN" and _is_plain(word))
    nouns = list(known)
    step = len(nouns) // count
    if not step:
        raise ValueError(f"there are names for {len(nouns):,} aspects, not for {count:,}")
    return nouns[: step * count : step]


def _is_plain(word: str) -> bool:
    letters = word.isascii() and word.isalpha() and word.islower() and 5 <= len(word) <= 8
    if not letters or word in CLASS_OF or word in GENERAL_NOUNS | OPINION_NOUNS or word.endswith(("ing", "s", "ed")):
        return False
    return base_noun(word) == word and lexical_class(word) == WordClass.NOUN and not polarity(word)


def write_reviews(world: SyntheticWorld, path: Path, plain_sentences: float, seed: int = 0) -> int:
    """Write the reviews of a world as JSON lines; return the number of sentences in them.

    A review has a sentence for each of its mentions, and on average this many without an opinion.
    """
    total = 0
    with path.open("wb") as file:
        for frame, sentences in _parts(world, plain_sentences, seed):
            frame.write_ndjson(file)
            total += sentences
    return total


def _parts(world: SyntheticWorld, plain_sentences: float, seed: int) -> Iterator[tuple[pl.DataFrame, int]]:
    said = _Phrases(world.size.aspects)
    shown, mentions = world.interactions, world.mentions
    order = np.argsort(mentions.interactions, kind="stable")
    owners = mentions.interactions[order]
    for first in range(0, world.size.users, USERS_AT_ONCE):
        rng = generator(seed, "generated text", first)
        begin, end = np.searchsorted(shown.users, [first, first + USERS_AT_ONCE])
        chosen = order[slice(*np.searchsorted(owners, [begin, end]))]
        texts: list[list[str]] = [
            [PLAIN[at] for at in rng.integers(len(PLAIN), size=number)]
            for number in rng.poisson(plain_sentences, end - begin)
        ]
        which = rng.integers(said.of_each, size=len(chosen))
        praise = np.zeros(end - begin, int)
        for mention, sentence in zip(chosen, which, strict=True):
            row, sign = mentions.interactions[mention] - begin, int(mentions.sentiments[mention])
            texts[row].append(said.of(mentions.aspects[mention], sign)[sentence])
            praise[row] += sign
        texts = [sentences or [PLAIN[0]] for sentences in texts]
        columns = (
            [f"U{user:07d}" for user in shown.users[begin:end]],
            [f"P{item:07d}" for item in shown.items[begin:end]],
            (FIRST_DAY + shown.days[begin:end].astype("timedelta64[D]")).astype("datetime64[us]"),
            np.clip(3.0 + praise, 1.0, 5.0),
            [" ".join(sentences) for sentences in texts],
        )
        frame = pl.DataFrame(dict(zip(REVIEWS, columns, strict=True)), schema=dict(REVIEWS))
        yield frame, sum(map(len, texts))


class _Phrases:
    """Every sentence that can be said of an aspect."""

    of_each = len(FORMS) * len(WORDS[1])

    def __init__(self, aspects: int) -> None:
        self._said = {
            (number, sign): [
                form.format(aspect=noun, word=word, Word=word.capitalize()) for form in FORMS for word in words
            ]
            for number, noun in enumerate(aspect_nouns(aspects))
            for sign, words in WORDS.items()
        }

    def of(self, aspect: int, sign: int) -> list[str]:
        return self._said[int(aspect), sign]
