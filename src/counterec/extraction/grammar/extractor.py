"""The default extractor: word classes from lexicons, constructions over them, and what a corpus teaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, repeat
from typing import Any

from counterec.extraction.grammar.aspect_terms import LONGEST_NAME, term_span, term_words
from counterec.extraction.grammar.coreference import antecedent_in_previous
from counterec.extraction.grammar.corpus_counts import CorpusCounts, merged_counts
from counterec.extraction.grammar.corpus_knowledge import Knowledge, KnowledgeRules, learn
from counterec.extraction.grammar.counting import count_texts
from counterec.extraction.grammar.dictionary import base_adjective
from counterec.extraction.grammar.extra_opinion_words import REVERSED_PAIRS
from counterec.extraction.grammar.function_words import GENERAL_NOUNS
from counterec.extraction.grammar.joined_phrases import JoinedSentence, joined_sentences
from counterec.extraction.grammar.link_finder import learned_links, may_judge, opinion_links
from counterec.extraction.grammar.opinion_lexicon import polarity, polarity_as, predicate_polarity
from counterec.extraction.grammar.opinion_link import ASPECT_OF_VERB, Construction, OpinionLink
from counterec.extraction.grammar.polarity_in_context import polarity_in_context
from counterec.extraction.grammar.tagged_sentence import TaggedSentence
from counterec.extraction.grammar.tagger import tag
from counterec.extraction.grammar.word_class_patterns import WordClass
from counterec.extraction.protocol import Mention

Name = tuple[str, ...]

_NAMED_BY_VERBS = frozenset(ASPECT_OF_VERB.values())
_ASKING = WordClass.COPULA + WordClass.AUXILIARY + WordClass.QUESTION_WORD


@dataclass(frozen=True)
class GrammarExtractor:
    """Finds nouns and the opinions that English grammar links to them.

    Unfitted, it knows English only. Fitted, it also knows the corpus: its proper names and reviewed things, which are
    not aspects, its terms of several words, its misspellings, and the polarity of its adjectives.
    """

    name = "grammar"  # not a field: the protocol's attribute is writable, a frozen field is not

    rules: KnowledgeRules = field(default_factory=KnowledgeRules)
    knowledge: Knowledge = field(default_factory=Knowledge)

    def fitted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> GrammarExtractor:
        """Return a copy that has learned from these texts and, if given, the ratings of their reviews."""
        return self.concluded([self.counted(texts, ratings)])

    def counted(self, texts: Iterable[str], ratings: Iterable[float | None] | None = None) -> CorpusCounts:
        """Return the counts of these texts."""
        return count_texts(zip(texts, ratings if ratings is not None else repeat(None), strict=False))

    def concluded(self, parts: Iterable[CorpusCounts]) -> GrammarExtractor:
        """Return a copy that has learned from the counts of a corpus's parts."""
        return replace(self, knowledge=learn(merged_counts(parts), self.rules))

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Return the mentions of each text, in the order of the text."""
        return [list(self._mentions(text)) for text in texts]

    def learned(self) -> dict[str, Any]:
        """Return what was learned from the corpus as plain, readable values."""
        known = self.knowledge
        return {
            "no_aspects": sorted(known.no_aspects),
            "terms": sorted(map(" ".join, known.terms)),
            "merged": dict(sorted(known.merged.items())),
            "near_synonyms": dict(sorted(known.near_synonyms.items())),
            "polarities": [[*key, sign] for key, sign in sorted(known.polarities.items())],
        }

    @cached_property
    def _learned_adjectives(self) -> frozenset[str]:
        """The adjectives to which the corpus gave a polarity, or another one."""
        return frozenset(word for word, _ in self.knowledge.polarities)

    def _mentions(self, text: str) -> Iterator[Mention]:
        previous: list[str] = []
        for number, joined in enumerate(joined_sentences(text)):
            words = joined.words
            judging = self._judging(words)
            if judging:
                sentence = TaggedSentence(words, tag(words))
                links = list(self._named_links(sentence, judging, previous))
                if links and not _is_question(text, joined, sentence):
                    found = {self._mention(text, number, joined, sentence, *each) for each in links}
                    yield from sorted(found, key=_order)
            previous = words

    def _judging(self, words: list[str]) -> list[int]:
        """Return the positions of the words that may judge something."""
        positions = range(len(words))
        judging = list(compress(positions, map(may_judge, words)))
        if self._learned_adjectives.isdisjoint(words):
            return judging
        return sorted({*judging, *compress(positions, map(self._learned_adjectives.__contains__, words))})

    def _named_links(
        self, sentence: TaggedSentence, judging: list[int], previous: list[str]
    ) -> Iterator[tuple[OpinionLink, Name]]:
        """Yield the links of a sentence that are about an aspect, each with the aspect's name."""
        for at in judging:
            word, has_aspect = sentence.words[at], False
            is_adjective = sentence.tags[at] == WordClass.ADJECTIVE
            is_learned = is_adjective and not (polarity(word) or predicate_polarity(word))
            for link in learned_links(sentence, at) if is_learned else opinion_links(sentence, at):
                if has_aspect and link.construction == Construction.VERB_NAMES_ASPECT_OTHERWISE:
                    continue
                if link.construction == Construction.PRONOUN_OF_PREVIOUS:
                    name = self._name_in_previous(sentence, link, previous)
                else:
                    name = self._name(sentence, link)
                if name and (not is_learned or self._learned_polarity(word, name[-1])):
                    has_aspect = True
                    yield link, name

    def _mention(
        self,
        text: str,
        number: int,
        joined: JoinedSentence,
        sentence: TaggedSentence,
        link: OpinionLink,
        name: Name,
    ) -> Mention:
        term = term_span(sentence, link)
        start, end = joined.span(term[0], term[1] - 1)
        sign, first = self._polarity(sentence, link, name[-1])
        opinion = slice(*joined.span(first, link.opinion[1] - 1))
        sentence_start, sentence_end = joined.span(0, len(sentence.words) - 1)
        return Mention(
            aspect=" ".join(name),
            opinion=" ".join(text[opinion].lower().split()),
            sentiment=sign,
            sentence=number,
            start=start,
            end=end,
            sentence_start=sentence_start,
            sentence_end=sentence_end,
        )

    def _name(self, sentence: TaggedSentence, link: OpinionLink) -> Name | None:
        """Return an aspect's canonical name, or None if the term is not an aspect in this corpus."""
        known = self.knowledge
        merged = (known.merged.get(word, word) for word in term_words(sentence, link))
        words = tuple(merged)[-LONGEST_NAME:]
        if words[-1] in known.no_aspects or len(words[-1]) == 1:
            return None
        if not known.fitted:
            return words
        is_verb = link.construction == Construction.TO_VERB and sentence.tags[link.noun[0]] != WordClass.NOUN
        if is_verb and words[-1] not in _NAMED_BY_VERBS:
            return None  # "easy to read" is about no aspect that has a name
        term = next((words[at:] for at in range(len(words) - 1) if words[at:] in known.terms), words[-1:])
        if len(term) == 1 and term[0] in GENERAL_NOUNS:
            return words[-2:] if len(words) > 1 else None  # "wait time", but not "time"
        return term

    def _name_in_previous(self, sentence: TaggedSentence, link: OpinionLink, previous: list[str]) -> Name | None:
        """Return the name of the aspect in the previous sentence that a pronoun refers to."""
        before = TaggedSentence(previous, tag(previous))
        nouns = antecedent_in_previous(before, sentence.words[link.noun[0]])
        return self._name(before, OpinionLink(nouns, nouns, link.construction)) if nouns else None

    def _learned_polarity(self, word: str, noun: str) -> int:
        """Return the polarity that the corpus gives an adjective for a noun; 0 if it gives none."""
        learned = self.knowledge.polarities
        return learned.get((word, noun)) or learned.get((word, ""), 0)

    def _polarity(self, sentence: TaggedSentence, link: OpinionLink, noun: str) -> tuple[int, int]:
        """Return whether an opinion praises or blames this noun, and where its words begin."""
        first, last = link.opinion[0], link.opinion[1] - 1
        if link.construction == Construction.ABSENCE:
            return -1, first
        at = last if sentence.tags[last] == WordClass.OPINION_NOUN else first  # "huge *pain*", but "*well* made"
        word = sentence.words[at]
        own = self._learned_polarity(word, noun)
        if not own:
            own = polarity_as(word, sentence.tags[at])
            is_reversed = (word, noun) in REVERSED_PAIRS or (base_adjective(word), noun) in REVERSED_PAIRS
            own = -own if is_reversed else own
        sign, begin = polarity_in_context(sentence, at, own)
        return sign, min(first, begin)


def _is_question(text: str, joined: JoinedSentence, sentence: TaggedSentence) -> bool:
    """Whether a sentence only asks: "Is the screen good?", but not "Great screen, right?"."""
    if sentence.tags[0] not in _ASKING:
        return False
    _, end = joined.span(0, len(sentence.words) - 1)
    return text[end : end + 2].lstrip().startswith("?")


def _order(mention: Mention) -> tuple[int, int, str, int]:
    return mention.start, mention.end, mention.opinion, mention.sentiment
