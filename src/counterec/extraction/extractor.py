"""The default extractor: word classes from lexicons, constructions over them, and what a corpus teaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, repeat
from typing import Any

from counterec.errors import ConfigError
from counterec.extraction.corpus import CorpusCounts, count_texts, counts_from, merged_counts, plain_counts
from counterec.extraction.knowledge import Knowledge, KnowledgeRules, learn
from counterec.extraction.lexicon import REVERSED_PAIRS, polarity, polarity_as, predicate_polarity
from counterec.extraction.links import (
    ASPECT_OF_VERB,
    LONGEST_NAME,
    Construction,
    OpinionLink,
    learned_links,
    opinion_links,
    term_span,
    term_words,
)
from counterec.extraction.protocol import Extractor, Mention
from counterec.extraction.tagged_sentence import (
    JoinedSentence,
    TaggedSentence,
    antecedent_in_previous,
    joined_sentences,
    polarity_in_context,
)
from counterec.extraction.words import GENERAL_NOUNS, WordClass, base_adjective
from counterec.references import guarded, import_trusted, is_reference

Name = tuple[str, ...]

_NAMED_BY_VERBS = frozenset(ASPECT_OF_VERB.values())
_REVERSING = frozenset(noun for _, noun in REVERSED_PAIRS)
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
        return count_texts(zip(texts, ratings if ratings is not None else repeat(None), strict=False))

    def concluded(self, parts: Iterable[CorpusCounts]) -> GrammarExtractor:
        """Return a copy that has learned from the counts of a corpus's parts."""
        return replace(self, knowledge=learn(merged_counts(parts), self.rules))

    def plain_counts(self, counts: CorpusCounts) -> dict[str, Any]:
        """Return counts as plain values."""
        return plain_counts(counts)

    def counts_from(self, plain: dict[str, Any]) -> CorpusCounts:
        return counts_from(plain)

    def extract(self, texts: Sequence[str]) -> list[list[Mention]]:
        return [self._mentions(text) for text in texts]

    def learned(self) -> dict[str, Any]:
        """Return what was learned from the corpus as plain, readable values."""
        known = self.knowledge
        return {
            "no_aspects": sorted(known.no_aspects),
            "terms": sorted(map(" ".join, known.terms)),
            "merged": dict(sorted(known.merged.items())),
            "polarities": [[*key, sign] for key, sign in sorted(known.polarities.items())],
        }

    @cached_property
    def _learned_adjectives(self) -> frozenset[str]:
        """The adjectives to which the corpus gave a polarity, or another one."""
        return frozenset(word for word, _ in self.knowledge.polarities)

    def _mentions(self, text: str) -> list[Mention]:
        mentions: list[Mention] = []
        previous: JoinedSentence | None = None
        for number, joined in enumerate(joined_sentences(text)):
            judging = self._judging(joined)
            if judging:
                sentence = TaggedSentence(joined.words, joined.tags())
                links = list(self._named_links(sentence, judging, previous))
                if links and not _is_question(text, joined, sentence):
                    whole = joined.span(0, len(joined.words) - 1)
                    found = {self._found(text, joined, sentence, link, name) for link, name in links}
                    for start, end, opinion, sign, aspect in sorted(found):
                        mentions.append(Mention(aspect, opinion, sign, number, start, end, *whole))
            previous = joined
        return mentions

    def _judging(self, joined: JoinedSentence) -> list[int]:
        """Return the positions of the words that may judge something."""
        judging, words, learned = joined.judging(), joined.words, self._learned_adjectives
        if learned.isdisjoint(words):
            return judging
        return sorted({*judging, *compress(range(len(words)), map(learned.__contains__, words))})

    def _named_links(
        self, sentence: TaggedSentence, judging: list[int], previous: JoinedSentence | None
    ) -> Iterator[tuple[OpinionLink, Name]]:
        """Yield the links of a sentence that are about an aspect, each with the aspect's name."""
        for at in judging:
            word, has_aspect = sentence.words[at], False
            is_adjective = sentence.tags[at] == WordClass.ADJECTIVE
            is_learned = is_adjective and not (polarity(word) or predicate_polarity(word))
            if is_learned and word not in self._learned_adjectives:
                continue  # it judges as a verb or a noun alone
            for link in learned_links(sentence, at) if is_learned else opinion_links(sentence, at):
                if has_aspect and link.construction is Construction.VERB_NAMES_ASPECT_OTHERWISE:
                    continue
                if link.construction is Construction.PRONOUN_OF_PREVIOUS:
                    name = self._name_in_previous(sentence, link, previous)
                else:
                    name = self._name(sentence, link)
                if name and (not is_learned or self._learned_polarity(word, name[-1])):
                    has_aspect = True
                    yield link, name

    def _found(
        self, text: str, joined: JoinedSentence, sentence: TaggedSentence, link: OpinionLink, name: Name
    ) -> tuple[int, int, str, int, str]:
        """Return where a link's term begins and ends, the opinion on it, whether that praises, and the aspect."""
        term = term_span(sentence, link)
        start, end = joined.span(term[0], term[1] - 1)
        sign, first = self._polarity(sentence, link, name[-1])
        opinion_start, opinion_end = joined.span(first, link.opinion[1] - 1)
        return start, end, " ".join(text[opinion_start:opinion_end].lower().split()), sign, " ".join(name)

    def _name(self, sentence: TaggedSentence, link: OpinionLink) -> Name | None:
        """Return an aspect's canonical name, or None if the term is not an aspect in this corpus."""
        known, merged = self.knowledge, self.knowledge.merged
        words = tuple([merged.get(word, word) for word in term_words(sentence, link)[-LONGEST_NAME:]])
        last = words[-1]
        if last in known.no_aspects or len(last) == 1:
            return None
        if not known.fitted:
            return words
        is_verb = link.construction is Construction.TO_VERB and sentence.tags[link.noun[0]] != WordClass.NOUN
        if is_verb and last not in _NAMED_BY_VERBS:
            return None  # "easy to read" is about no aspect that has a name
        term = words
        if len(words) > 1:
            term = next((words[at:] for at in range(len(words) - 1) if words[at:] in known.terms), (last,))
        if len(term) == 1 and term[0] in GENERAL_NOUNS:
            return words[-2:] if len(words) > 1 else None  # "wait time", but not "time"
        return term

    def _name_in_previous(
        self, sentence: TaggedSentence, link: OpinionLink, previous: JoinedSentence | None
    ) -> Name | None:
        """Return the name of the aspect in the previous sentence that a pronoun refers to."""
        if previous is None:
            return None
        before = TaggedSentence(previous.words, previous.tags())
        nouns = antecedent_in_previous(before, sentence.words[link.noun[0]])
        return self._name(before, OpinionLink(nouns, nouns, link.construction)) if nouns else None

    def _learned_polarity(self, word: str, noun: str) -> int:
        """Return the polarity that the corpus gives an adjective for a noun; 0 if it gives none."""
        learned = self.knowledge.polarities
        return learned.get((word, noun)) or learned.get((word, ""), 0)

    def _polarity(self, sentence: TaggedSentence, link: OpinionLink, noun: str) -> tuple[int, int]:
        """Return whether an opinion praises or blames this noun, and where its words begin."""
        first, last = link.opinion[0], link.opinion[1] - 1
        if link.construction is Construction.ABSENCE:
            return -1, first
        # "huge *pain*", but "*well* made"
        at = last if last > first and sentence.tags[last] == WordClass.OPINION_NOUN else first
        word = sentence.words[at]
        own = self._learned_polarity(word, noun) if word in self._learned_adjectives else 0
        if not own:
            own = polarity_as(word, sentence.tags[at])
            if noun in _REVERSING and {(word, noun), (base_adjective(word), noun)} & REVERSED_PAIRS:
                own = -own
        sign, begin = polarity_in_context(sentence, at, own)
        return sign, min(first, begin)


def _is_question(text: str, joined: JoinedSentence, sentence: TaggedSentence) -> bool:
    """Whether a sentence only asks: "Is the screen good?", but not "Great screen, right?"."""
    if sentence.tags[0] not in _ASKING:
        return False
    _, end = joined.span(0, len(sentence.words) - 1)
    return text[end : end + 2].lstrip().startswith("?")


EXTRACTORS = (GrammarExtractor.name,)
"""The built-in ones."""
_METHODS = ("fitted", "extract", "learned")


def check_extractor_name(name: str) -> None:
    """Raise unless this is an extractor's name, or may be one of code."""
    if name not in EXTRACTORS and not is_reference(name):
        raise ConfigError(f"unknown extractor {name!r}; use {' or '.join(map(repr, EXTRACTORS))}, or module:attribute")


def extractor_code(name: str) -> tuple[str, ...]:
    """Return the package of an extractor that is not built in."""
    check_extractor_name(name)
    if name in EXTRACTORS:
        return ()
    import_trusted(name, "extractor")
    return (name.partition(":")[0].split(".")[0],)


def make_extractor(name: str) -> Extractor:
    check_extractor_name(name)
    if name in EXTRACTORS:
        return GrammarExtractor()
    make = import_trusted(name, "extractor")
    with guarded("extractor", name):
        made: Extractor = make()
    lacking = [method for method in _METHODS if not callable(getattr(made, method, None))]
    if lacking:
        raise ConfigError(
            f"the extractor {name!r} makes a {type(made).__name__}, which has no {' and no '.join(lacking)}"
        )
    return made
