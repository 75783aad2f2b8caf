"""Gold triplets (ASTE-Data-V2 files), and how well an extractor finds them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from counterec.extraction.protocol import Extractor, Mention

SIGNS = {"POS": 1, "NEG": -1, "NEU": 0}


@dataclass(frozen=True)
class Gold:
    """A sentence and its triplets: aspect tokens, opinion tokens, sign. Tokens are separated by spaces."""

    sentence: str
    triplets: tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...]


@dataclass
class Score:
    """True positives, false positives and false negatives."""

    hits: int = 0
    false: int = 0
    missed: int = 0

    def add(self, gold: set[object], found: set[object]) -> None:
        self.hits += len(gold & found)
        self.false += len(found - gold)
        self.missed += len(gold - found)

    @property
    def precision(self) -> float:
        return self.hits / max(1, self.hits + self.false)

    @property
    def recall(self) -> float:
        return self.hits / max(1, self.hits + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.hits / max(1, 2 * self.hits + self.false + self.missed)

    def __str__(self) -> str:
        return f"{self.precision:.3f} | {self.recall:.3f} | {self.f1:.3f}"


def load_gold(path: Path) -> list[Gold]:
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            sentence, _, triplets = line.partition("####")
            found = ((tuple(a), tuple(o), SIGNS[sign]) for a, o, sign in ast.literal_eval(triplets))
            rows.append(Gold(sentence, tuple(found)))
    return rows


def scores(extractor: Extractor, rows: Iterable[Gold]) -> tuple[Score, Score]:
    """Score pairs (the last word of the aspect, sign), without neutral gold; and exact triplets, with neutral gold.

    A mention of an aspect that is neutral in the gold is a false positive in both. A triplet is right if the aspect's
    tokens, the opinion's words and the sign are.
    """
    rows = list(rows)
    pairs, triplets = Score(), Score()
    for row, mentions in zip(rows, extractor.extract([row.sentence for row in rows]), strict=True):
        words = row.sentence.lower().split(" ")
        found = [(tokens_of(row.sentence, mention), mention) for mention in mentions]
        pairs.add(
            {(aspect[-1], sign) for aspect, _, sign in row.triplets if sign},
            {(tokens[-1], mention.sentiment) for tokens, mention in found},
        )
        triplets.add(
            {(aspect, " ".join(words[at] for at in opinion), sign) for aspect, opinion, sign in row.triplets},
            {(tokens, mention.opinion, mention.sentiment) for tokens, mention in found},
        )
    return pairs, triplets


def tokens_of(sentence: str, mention: Mention) -> tuple[int, ...]:
    """Return the tokens that a mention's aspect covers."""
    found, at = [], 0
    for number, word in enumerate(sentence.split(" ")):
        if at < mention.end and mention.start < at + len(word):
            found.append(number)
        at += len(word) + 1
    return tuple(found)
