"""Count training texts. The counts of a corpus's parts add up in any order, and grow with its vocabulary alone.

What the counts mean is decided in ``knowledge``.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from itertools import chain, compress
from operator import add
from typing import Any

from counterec.extraction.lexicon import polarity, polarity_as, predicate_polarity
from counterec.extraction.links import Construction, adjective_links, opinion_links
from counterec.extraction.tagged_sentence import (
    TaggedSentence,
    is_after_too,
    joined_sentences,
    negation_before,
    polarity_in_context,
)
from counterec.extraction.words import GENERAL_ADJECTIVES, WordClass, base_noun, pattern, word_set

Key = tuple[str, str]
"""An adjective and the noun it describes; an empty noun stands for all nouns."""

STAR = 2**20
"""Ratings are summed as integers, in units of 1/STAR, so that the order of adding cannot change a sum."""


@dataclass(slots=True)
class AdjectiveUses:
    """How an adjective is used: with which known opinions around it, and in reviews of how many stars."""

    uses: int = 0
    among_blame: int = 0
    """Sentences in which the other opinions blame."""
    among_praise: int = 0
    """Sentences in which the other opinions praise."""
    rated: int = 0
    """Uses in reviews with a rating."""
    units: int = 0
    """The sum of their ratings, in units of 1/STAR."""

    @property
    def company(self) -> tuple[int, int]:
        """Sentences in which the other opinions blame, and in which they praise."""
        return self.among_blame, self.among_praise

    @property
    def stars(self) -> tuple[int, float]:
        """Uses in reviews with a rating, and the sum of the ratings."""
        return self.rated, self.units / STAR

    def add(self, company: int, units: int | None) -> None:
        """Count one use among opinions of this sign (0 if undecided) in a review of this rating, if it has one."""
        self.uses += 1
        if company > 0:
            self.among_praise += 1
        elif company:
            self.among_blame += 1
        if units is not None:
            self.rated += 1
            self.units += units

    def merge(self, other: AdjectiveUses) -> None:
        """Add the counts of another part of the corpus, or of another key."""
        self.uses += other.uses
        self.among_blame += other.among_blame
        self.among_praise += other.among_praise
        self.rated += other.rated
        self.units += other.units


@dataclass(slots=True)
class CorpusCounts:
    """The counts of a corpus, or of a part of it."""

    sentences: int = 0
    words: Counter[str] = field(default_factory=Counter)
    """Words as written, in lower case."""
    nouns: Counter[str] = field(default_factory=Counter)
    """Nouns in their base form."""
    inner_nouns: Counter[str] = field(default_factory=Counter)
    """Nouns that do not begin a sentence."""
    capitalized: Counter[str] = field(default_factory=Counter)
    """Capitalized words that neither begin a sentence nor stand among words in capitals."""
    after_this: Counter[str] = field(default_factory=Counter)
    """Nouns after *this* or *these*."""
    terms: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Terms of two and three words, the last in its base form."""
    coordinated: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Two nouns of one list, in alphabetical order: "the screen and the keys"."""
    adjective_uses: defaultdict[Key, AdjectiveUses] = field(default_factory=partial(defaultdict, AdjectiveUses))
    predicates: Counter[str] = field(default_factory=Counter)
    """Adjectives as predicates: "the wait was long"."""
    adjectives: Counter[str] = field(default_factory=Counter)
    opinions: list[int] = field(default_factory=lambda: [0, 0])
    """Known opinions that blame, and that praise."""
    rating_sums: list[int] = field(default_factory=lambda: [0, 0, 0])
    """The number of rated reviews, the sum of their ratings, and of the squares, in units of 1/STAR."""

    @property
    def ratings(self) -> tuple[int, float, float]:
        """The number of rated reviews, the sum of their ratings, and of the squares."""
        number, units, squares = self.rating_sums
        return number, units / STAR, squares / STAR**2

    def merge(self, other: CorpusCounts) -> None:
        """Add the counts of another part of the corpus."""
        self.sentences += other.sentences
        for name in COUNTERS:
            getattr(self, name).update(getattr(other, name))
        for key, uses in other.adjective_uses.items():
            self.adjective_uses[key].merge(uses)
        self.opinions = list(map(add, self.opinions, other.opinions))
        self.rating_sums = list(map(add, self.rating_sums, other.rating_sums))


COUNTERS = (
    *("words", "nouns", "inner_nouns", "capitalized", "after_this"),
    *("terms", "coordinated", "predicates", "adjectives"),
)
"""The fields that count keys."""


def merged_counts(parts: Iterable[CorpusCounts]) -> CorpusCounts:
    """Add up the counts of all parts, into the first of them."""
    rest = iter(parts)
    whole = next(rest, CorpusCounts())
    for part in rest:
        whole.merge(part)
    return whole


_CAPITALIZED = re.compile(r"[A-Z](?<=[a-z,;] .)[A-Za-z]*[a-z][A-Za-z]*(?:-[A-Za-z]+)*")
_NOUNS = WordClass.NOUN + WordClass.GENERAL_NOUN
_IN_TERM = WordClass.NOUN + WordClass.ADJECTIVE
_VERBS = WordClass.VERB + WordClass.PAST
_MAY_JUDGE = _VERBS + WordClass.ADJECTIVE + WordClass.OPINION_NOUN
_ADJECTIVE = WordClass.ADJECTIVE.value

_ADJECTIVES = pattern("ADJECTIVE")
_LAST_NOUN = pattern("[NOUN GENERAL_NOUN] (?![NOUN GENERAL_NOUN])")
# "battery *life*"
_LAST_OF_TERM = pattern("(?<=[NOUN ADJECTIVE]) [NOUN GENERAL_NOUN] (?![NOUN GENERAL_NOUN])")
# "the *screen* and the *keys*"
_COORDINATED = pattern("NOUN (?= [COMMA AND]{1,2} DETERMINER{0,2} ADJECTIVE{0,2} (?P<noun> NOUN{1,3}) (?!NOUN))")


def count_texts(texts: Iterable[tuple[str, float | None]]) -> CorpusCounts:
    """Count texts, each given with the rating of its review, or None."""
    counts = CorpusCounts()
    for text, rating in texts:
        _add(counts, text, round(rating * STAR) if rating is not None and math.isfinite(rating) else None)
    return counts


def _add(counts: CorpusCounts, text: str, stars: int | None) -> None:
    if stars is not None:
        for power in range(3):
            counts.rating_sums[power] += stars**power
    counts.capitalized.update([base_noun(word.lower()) for word in _CAPITALIZED.findall(text)])
    joined = joined_sentences(text)
    sentences = [TaggedSentence(sentence.words, sentence.tags()) for sentence in joined]
    nouns = list(map(_nouns, sentences))
    counts.sentences += len(sentences)
    counts.words.update(chain.from_iterable([sentence.words for sentence in sentences]))
    counts.nouns.update(chain.from_iterable(nouns))
    inner = [names[each.tags[0] in _NOUNS :] for each, names in zip(sentences, nouns, strict=True)]
    counts.inner_nouns.update(chain.from_iterable(inner))
    counts.terms.update([term for sentence in sentences for term in _terms(sentence)])
    counts.coordinated.update([pair for sentence in sentences for pair in _coordinated(sentence)])
    counts.after_this.update([noun for sentence in sentences for noun in _after_this(sentence)])
    for sentence, own in zip(sentences, joined, strict=True):
        _add_adjectives(counts, sentence, own.judging(), stars)


def _nouns(sentence: TaggedSentence) -> list[str]:
    """Return the nouns of a sentence in their base form."""
    return list(map(base_noun, compress(sentence.words, map(_NOUNS.__contains__, sentence.tags))))


def _terms(sentence: TaggedSentence) -> Iterator[tuple[str, ...]]:
    """Yield the terms of two and three words that end in the last noun of a run."""
    words, tags = sentence.words, sentence.tags
    for match in _LAST_OF_TERM.finditer(tags):
        at = start = match.start()
        while start and at - start < 2 and tags[start - 1] in _IN_TERM and words[start - 1] not in GENERAL_ADJECTIVES:
            start -= 1
            yield (*words[start:at], base_noun(words[at]))


def _coordinated(sentence: TaggedSentence) -> Iterator[tuple[str, str]]:
    """Yield the neighbours in lists of nouns."""
    for match in _COORDINATED.finditer(sentence.tags):
        ends = (match.start(), match.end("noun") - 1)
        one, other = sorted(base_noun(sentence.words[at]) for at in ends)
        yield one, other


def _after_this(sentence: TaggedSentence) -> Iterator[str]:
    """Yield the nouns after *this*, with nothing but nouns and adjectives between."""
    if "this" not in sentence.words and "these" not in sentence.words:
        return
    for match in _LAST_NOUN.finditer(sentence.tags):
        start = len(sentence.tags[: match.start()].rstrip(_IN_TERM))
        if start and sentence.words[start - 1] in ("this", "these"):
            yield base_noun(sentence.words[match.start()])


def _add_adjectives(counts: CorpusCounts, sentence: TaggedSentence, judging: list[int], stars: int | None) -> None:
    """Count every adjective that describes a noun, with the opinions around it."""
    words = sentence.words
    known = {at: _known_sign(sentence, at) for at in judging}
    for sign in known.values():
        if sign:
            counts.opinions[sign > 0] += 1
    if _ADJECTIVE not in sentence.tags:
        return
    sides = contrast_sides(words)
    total = sum(sides[at] * sign for at, sign in known.items())
    for match in _ADJECTIVES.finditer(sentence.tags):
        at = match.start()
        word = words[at]
        if word in GENERAL_ADJECTIVES or is_after_too(sentence, at):
            continue
        counts.adjectives[word] += 1
        heads = _heads(sentence, at)
        counts.predicates[word] += Construction.PREDICATE in heads.values()
        others = sides[at] * total - known.get(at, 0)
        negated = negation_before(sentence, at) is not None
        company = (-1 if negated else 1) * ((others > 0) - (others < 0))
        for head in (*heads, "") if heads else ():
            counts.adjective_uses[word, head].add(company, None if negated else stars)


def _heads(sentence: TaggedSentence, at: int) -> dict[str, Construction]:
    """Return the nouns that an adjective describes, in their base form, and by which construction."""
    word = sentence.words[at]
    only_predicate = predicate_polarity(word) and not polarity(word)
    counted = (Construction.PREDICATE,) if only_predicate else (Construction.ATTRIBUTE, Construction.PREDICATE)
    links = [link for link in adjective_links(sentence, (at, at + 1)) if link.construction in counted]
    return {base_noun(sentence.words[link.noun[1] - 1]): link.construction for link in links}


def _known_sign(sentence: TaggedSentence, at: int) -> int:
    """Return the polarity that a word has here without a corpus; 0 if it does not judge."""
    word, word_class = sentence.words[at], sentence.tags[at]
    if word_class not in _MAY_JUDGE or (word_class == _ADJECTIVE and not polarity(word)):
        return 0
    if word_class in _VERBS and not any(True for _ in opinion_links(sentence, at)):
        return 0
    return polarity_in_context(sentence, at, polarity_as(word, word_class))[0]


_CONTRASTS = word_set("but although though while whereas except yet however despite")


def contrast_sides(words: Sequence[str]) -> list[int]:
    """Return +1 or -1 for every word: words with the same number are on the same side of the contrast.

    Each contrast changes the side. One that opens the sentence holds up to the first comma: "although small, it was
    clean".
    """
    if _CONTRASTS.isdisjoint(words):
        return [1] * len(words)
    sides, side = [], 1
    opened = bool(words) and words[0] in _CONTRASTS
    for at, word in enumerate(words):
        if (at and word in _CONTRASTS) or (opened and word == ","):
            side, opened = -side, False
        sides.append(side)
    return sides


def plain_counts(counts: CorpusCounts) -> dict[str, Any]:
    """Counts as JSON can hold them: of each counter its keys and, in the same order, its numbers."""
    return {
        "sentences": counts.sentences,
        "opinions": counts.opinions,
        "rating_sums": counts.rating_sums,
        **{name: [list(getattr(counts, name)), list(getattr(counts, name).values())] for name in COUNTERS},
        "adjective_uses": [list(counts.adjective_uses), list(map(astuple, counts.adjective_uses.values()))],
    }


def counts_from(plain: dict[str, Any]) -> CorpusCounts:
    """The inverse of ``plain_counts``."""
    counts = CorpusCounts(plain["sentences"], opinions=plain["opinions"], rating_sums=plain["rating_sums"])
    for name in COUNTERS:
        getattr(counts, name).update(dict(zip(map(_key, plain[name][0]), plain[name][1], strict=True)))
    for key, uses in zip(*plain["adjective_uses"], strict=True):
        counts.adjective_uses[_key(key)] = AdjectiveUses(*uses)
    return counts


def _key(found: Any) -> Any:
    """JSON has no tuples."""
    return tuple(found) if isinstance(found, list) else found
