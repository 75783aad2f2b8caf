"""Counts training texts, in one pass and in any order; what the counts mean is decided in ``corpus_knowledge``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import chain, compress

from counterec.extraction.grammar.adjective_links import adjective_links
from counterec.extraction.grammar.contrast import contrast_sides
from counterec.extraction.grammar.corpus_counts import STAR, CorpusCounts
from counterec.extraction.grammar.dictionary import base_noun
from counterec.extraction.grammar.function_words import GENERAL_ADJECTIVES
from counterec.extraction.grammar.joined_phrases import joined_sentences
from counterec.extraction.grammar.link_finder import opinion_links
from counterec.extraction.grammar.opinion_lexicon import polarity, polarity_as, predicate_polarity
from counterec.extraction.grammar.opinion_link import Construction
from counterec.extraction.grammar.polarity_in_context import is_after_too, negation_before, polarity_in_context
from counterec.extraction.grammar.tagged_sentence import TaggedSentence
from counterec.extraction.grammar.word_class_patterns import WordClass, pattern

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
