"""Training texts are counted, in one pass and in any order; what the counts mean is decided elsewhere."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import chain, compress, repeat

from counterec.extraction.grammar.adjectives import of_adjective
from counterec.extraction.grammar.clauses import Clauses
from counterec.extraction.grammar.contrast import contrasted
from counterec.extraction.grammar.counts import STAR, Counts
from counterec.extraction.grammar.function_words import GENERAL_ADJECTIVES
from counterec.extraction.grammar.lexemes import NOUN
from counterec.extraction.grammar.lexicon import polarity, predicate_polarity, sign_of
from counterec.extraction.grammar.opinion_links import judges, ties
from counterec.extraction.grammar.phrases import read
from counterec.extraction.grammar.sign import is_too_much, negation, sentiment
from counterec.extraction.grammar.word_classes import base, settled

_CAPITALISED = re.compile(r"[A-Z](?<=[a-z,;] .)[A-Za-z]*[a-z][A-Za-z]*(?:-[A-Za-z]+)*")
_ADJECTIVE = re.compile("A")
_LAST_NOUN, _LAST_OF_SEVERAL = re.compile("[NO](?![NO])"), re.compile("(?<=[NA])[NO](?![NO])")
_JOINED = re.compile("N(?=[,C]{1,2}D{0,2}A{0,2}(N{1,3})(?!N))")


def count(texts: Iterable[tuple[str, float | None]]) -> Counts:
    """Count texts, each with its rating or None."""
    counts = Counts()
    for text, rating in texts:
        _add(counts, text, round(rating * STAR) if rating is not None and math.isfinite(rating) else None)
    return counts


def _add(counts: Counts, text: str, stars: int | None) -> None:
    if stars is not None:
        for power in range(3):
            counts.powers[power] += stars**power
    counts.capital.update([base(word.lower(), NOUN) for word in _CAPITALISED.findall(text)])
    sentences = [Clauses(sentence.words, settled(sentence.words)) for sentence in read(text)]
    nouns = list(map(_nouns, sentences))
    counts.sentences += len(sentences)
    counts.words.update(chain.from_iterable([sentence.words for sentence in sentences]))
    counts.nouns.update(chain.from_iterable(nouns))
    inside = [names[each.letters[0] in "NO" :] for each, names in zip(sentences, nouns, strict=True)]
    counts.inside.update(chain.from_iterable(inside))
    counts.terms.update([term for sentence in sentences for term in _terms(sentence)])
    counts.joined.update([pair for sentence in sentences for pair in _joined(sentence)])
    counts.pointed_at.update([noun for sentence in sentences for noun in _pointed_at(sentence)])
    for sentence in sentences:
        _add_adjectives(counts, sentence, stars)


def _nouns(clauses: Clauses) -> list[str]:
    """Return the nouns of a sentence in their base form."""
    return list(map(base, compress(clauses.words, map("NO".__contains__, clauses.letters)), repeat(NOUN)))


def _terms(clauses: Clauses) -> Iterator[tuple[str, ...]]:
    """Return the terms of several words that end in the last noun of a run."""
    words, letters = clauses.words, clauses.letters
    for match in _LAST_OF_SEVERAL.finditer(letters):
        at = start = match.start()
        while start and at - start < 2 and letters[start - 1] in "NA" and words[start - 1] not in GENERAL_ADJECTIVES:
            start -= 1
            yield (*words[start:at], base(words[at], NOUN))


def _joined(clauses: Clauses) -> Iterator[tuple[str, str]]:
    """Return the neighbours in lists of nouns."""
    for match in _JOINED.finditer(clauses.letters):
        ends = (match.start(), match.end(1) - 1)
        one, other = sorted(base(clauses.words[at], NOUN) for at in ends)
        yield one, other


def _pointed_at(clauses: Clauses) -> Iterator[str]:
    """Return the nouns after "this", with no more than nouns and adjectives between."""
    if "this" not in clauses.words and "these" not in clauses.words:
        return
    for match in _LAST_NOUN.finditer(clauses.letters):
        start = len(clauses.letters[: match.start()].rstrip("NA"))
        if start and clauses.words[start - 1] in ("this", "these"):
            yield base(clauses.words[match.start()], NOUN)


def _add_adjectives(counts: Counts, clauses: Clauses, stars: int | None) -> None:
    """Count every adjective that is said of a noun, with the company it keeps."""
    words = clauses.words
    known = {at: _known_sign(clauses, at) for at in compress(range(len(words)), map(judges, words))}
    for sign in known.values():
        if sign:
            counts.opinions[sign > 0] += 1
    if "A" not in clauses.letters:
        return
    sides = contrasted(words)
    total = sum(sides[at] * sign for at, sign in known.items())
    for match in _ADJECTIVE.finditer(clauses.letters):
        at = match.start()
        word = words[at]
        if word in GENERAL_ADJECTIVES or is_too_much(clauses, at):
            continue
        counts.adjectives[word] += 1
        rules = ("copula",) if predicate_polarity(word) and not polarity(word) else ("adjacency", "copula")
        said_of = [tie for tie in of_adjective(clauses, (at, at + 1)) if tie.rule in rules]
        heads = {base(words[tie.noun[1] - 1], NOUN): tie.rule for tie in said_of}
        counts.predicates[word] += "copula" in heads.values()
        others = sides[at] * total - known.get(at, 0)
        turned = -1 if negation(clauses, at) is not None else 1
        company = turned * ((others > 0) - (others < 0))
        for head in heads:
            counts.evidence[word, head].add(company, stars if turned > 0 else None)
        if heads:
            counts.evidence[word, ""].add(company, stars if turned > 0 else None)


def _known_sign(clauses: Clauses, at: int) -> int:
    letter = clauses.letters[at]
    if letter not in "AQVF" or (letter == "A" and not polarity(clauses.words[at])):
        return 0
    if letter in "VF" and not any(True for _ in ties(clauses, at)):
        return 0
    return sentiment(clauses, at, sign_of(clauses.words[at], letter))[0]
