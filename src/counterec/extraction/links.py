"""The constructions of English that link an opinion to the nouns it is about, and the names of these nouns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from counterec.extraction.lexicon import VERBS_OF_FUNCTION, VERBS_OF_LIKING, polarity, verb_polarity
from counterec.extraction.tagged_sentence import REFERRING_PRONOUNS, Span, TaggedSentence, antecedent, negation_before
from counterec.extraction.words import (
    GENERAL_ADJECTIVES,
    WordClass,
    base_noun,
    base_verb,
    pattern,
    plain_members,
    word_set,
)


@plain_members
class Construction(StrEnum):
    """What links an opinion to its nouns."""

    ATTRIBUTE = "attribute"
    """*great sound*."""
    PREDICATE = "predicate"
    """The *sound* is *great*."""
    PREDICATE_NOUN = "predicate noun"
    """The *pan* is the *perfect* size."""
    INVERTED = "inverted"
    """The *best* thing about it is the *screen*; how *bright* the *screen* is."""
    APPOSITION = "apposition"
    """*staff friendly*, rooms dirty; *Battery: poor*."""
    PREPOSITION = "preposition"
    """*happy* with the *sound*; *problems* with the *screen*."""
    PRONOUN = "pronoun"
    """I had the *scallops* and they were *great*."""
    PRONOUN_OF_PREVIOUS = "pronoun of the previous sentence"
    """The scallops arrived. *They* were *great*. The nouns of the link are the pronoun."""
    TO_VERB = "to verb"
    """*easy* to *use*."""
    OBJECT = "object"
    """I *love* the *sound*."""
    SUBJECT = "subject"
    """The *case broke*."""
    OWNER = "owner"
    """The *phone* has a *problem*."""
    COMPOUND = "compound"
    """*battery problems*."""
    MANNER = "manner"
    """The *food* was cooked *perfectly*."""
    ABSENCE = "absence"
    """There is *no charger*."""
    VERB_NAMES_ASPECT = "verb names the aspect"
    """It *sounds great*."""
    VERB_NAMES_ASPECT_OTHERWISE = "verb names the aspect, unless the subject does"
    """This pedal *sounds great*: a link to the verb, for the case that "pedal" is no aspect."""


ASPECT_OF_VERB = {
    **dict.fromkeys(("work", "run", "perform", "function", "operate"), "performance"),
    **dict.fromkeys(("boot", "start"), "startup"),
    **{verb: verb for verb in ("look", "sound", "feel", "taste", "smell", "fit", "price", "use")},
    "install": "installation",
    "set": "setup",
    "assemble": "assembly",
    "clean": "cleaning",
    "carry": "portability",
    "play": "playability",
    "load": "loading",
    "respond": "response",
    "charge": "charging",
}
"""Verbs that name an aspect, and the aspect: it *sounds* great."""


class OpinionLink(NamedTuple):
    """A run of nouns, an opinion on it, and the construction that links them."""

    noun: Span
    opinion: Span
    construction: Construction


_VERB_FORMS = WordClass.VERB + WordClass.PAST + WordClass.ING
_BEFORE_TRY = frozenset(("must", "should", "definitely", "to", "and", ",", "(", ":", "highly", "suggest", "recommend"))
_OPINION_NOUN = WordClass.OPINION_NOUN.value
_LEARNED = (Construction.ATTRIBUTE, Construction.PREDICATE, Construction.PRONOUN)
_AS_PREDICATE = (Construction.PREDICATE, Construction.PRONOUN)


def opinion_links(sentence: TaggedSentence, at: int) -> Iterable[OpinionLink]:
    """Return the links of the word at a position, by its class there."""
    word_class = sentence.tags[at]
    if word_class == WordClass.ADJECTIVE:
        return _of_adjective(sentence, at)
    if word_class in _VERB_FORMS:
        return _of_verb(sentence, at)
    if word_class == WordClass.OPINION_NOUN:
        return _of_noun(sentence, at)
    if word_class == WordClass.ADVERB:
        return _of_adverb(sentence, at)
    return absence_links(sentence, at) if sentence.words[at] == "no" else ()


def learned_links(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    """Yield the links of an adjective that judges only because the corpus says so."""
    if sentence.tags[at] == WordClass.ADJECTIVE:
        for link in adjective_links(sentence, (at, at + 1)):
            if link.construction in _LEARNED:
                yield link


def _of_adjective(sentence: TaggedSentence, at: int) -> list[OpinionLink]:
    word = sentence.words[at]
    if sentence.tags.startswith(_OPINION_NOUN, at + 1) or is_fixed_term(word, sentence.words[at + 1 : at + 2]):
        return []  # "huge pain", where the noun judges; "hot dog"
    found = adjective_links(sentence, (at, at + 1))
    return found if polarity(word) else [link for link in found if link.construction in _AS_PREDICATE]


def _of_verb(sentence: TaggedSentence, at: int) -> Iterable[OpinionLink]:
    word, word_class, opinion = sentence.words[at], sentence.tags[at], (at, at + 1)
    lemma = base_verb(word)
    if word == "try":
        urged = at == 0 or sentence.words[at - 1] in _BEFORE_TRY  # "you must try the soup"
        return object_links(sentence, opinion) if urged else ()
    if lemma in VERBS_OF_LIKING:
        return object_links(sentence, opinion)
    past = word_class == WordClass.PAST
    before_preposition = sentence.tags[at + 1 : at + 2] == WordClass.PREPOSITION
    if past and before_preposition and (polarity(word) or verb_polarity(word)):
        return adjective_links(sentence, opinion)  # "Delighted with the sound"
    if verb_polarity(word) and word_class != WordClass.ING:
        return subject_links(sentence, opinion)
    if lemma in VERBS_OF_FUNCTION:
        return subject_links(sentence, opinion) if negation_before(sentence, at) is not None else ()
    return adjective_links(sentence, opinion) if past and polarity(word) else ()


def _of_noun(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    first = at  # "*huge* pain" is one opinion
    while first and sentence.tags[first - 1] == WordClass.ADJECTIVE and _is_particular(sentence.words[first - 1]):
        first -= 1
    return opinion_noun_links(sentence, (first, at + 1))


def _of_adverb(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    follower = sentence.tags[at + 1 : at + 2]
    if follower in (WordClass.ADJECTIVE, WordClass.PAST):
        participle = sentence.words[at + 1]
        if not polarity(participle) and _is_particular(participle):  # "well prepared"
            yield from adjective_links(sentence, (at, at + 2))
            if participle == "priced":
                yield OpinionLink((at + 1, at + 2), (at, at + 1), Construction.VERB_NAMES_ASPECT)
    elif follower != WordClass.NOUN:
        yield from adverb_links(sentence, (at, at + 1))


def _is_particular(adjective: str) -> bool:
    return adjective not in GENERAL_ADJECTIVES


# "great, really bright little *screen*"; "a great *thing*"
_ATTRIBUTE_OF = pattern("""
    (?: COMMA? AND? [ADVERB TOO]{0,2} MODIFIER){0,3}
    (?P<noun> GENERAL_NOUN? NOUN{1,5} GENERAL_NOUN? | [GENERAL_NOUN OPINION_NOUN]{1,2})
""")
# "a fan of *the sound*"
_OBJECT = pattern("DETERMINER{0,2} (?: [ADVERB TOO]? MODIFIER){0,3} NOUNS")
# "easy *to use*", "easy *for me to use*"
_TO_VERB = pattern("""
    (?: PREPOSITION [DETERMINER PRONOUN NOUN]{1,2})? TO ADVERB? (?P<noun> [VERB NOUN COPULA] ADVERB?)
""")
# "easy *to get a table*"
_OBJECT_OF_TO_VERB = pattern("""
    (?: PREPOSITION [DETERMINER PRONOUN NOUN]{1,2})? TO ADVERB? [VERB NOUN COPULA AUXILIARY] ADVERB?
    PREPOSITION? DETERMINER{0,2} [ADJECTIVE PAST OTHER]{0,2} NOUNS
""")
# "how bright *the screen is*"
_SUBJECT_OF_HOW = pattern("DETERMINER{0,2} [ADJECTIVE PAST OTHER]{0,2} NOUNS (?=[ADVERB AUXILIARY]{0,2} COPULA)")
# These are written from right to left: "*Battery*: poor", "*staff* friendly"
_NOUN_BEFORE = pattern("[ADVERB TOO NEGATION]{0,3} (?: [COLON COMMA] [ADVERB TOO NEGATION]{0,2})? BACKWARD_NOUNS")
_NOUN_DIRECTLY_BEFORE = pattern("[ADVERB TOO NEGATION]{0,3} (?P<noun> NOUN{1,5})")

_EASE = word_set("""
    easy easier easiest simple simpler hard harder difficult tough tricky quick convenient effortless
    """)
_SUPERLATIVES = word_set("best worst favorite favourite")
_LINKING_PREPOSITIONS = word_set("with by about of on at regarding concerning")
_LIGHT_VERBS = word_set("get find have make see be do go take")
_NOUN = WordClass.NOUN.value
_PHRASE_ENDS = frozenset(("", WordClass.COMMA, WordClass.AND, WordClass.BREAK, WordClass.CLOSE))


class _Adjective(NamedTuple):
    """An adjective in its sentence."""

    sentence: TaggedSentence
    opinion: Span
    word: str
    """The adjective itself."""
    copula: int | None
    """The linking verb it is a predicate of."""
    noun: Span | None
    """The nouns right after it."""
    is_general: bool
    """Whether the nouns after it are too general to be an aspect: "a great thing"."""
    end: int
    """Where its phrase ends."""

    def links(self, nouns: Iterable[Span], construction: Construction) -> list[OpinionLink]:
        """Link it to some nouns."""
        return [OpinionLink(noun, self.opinion, construction) for noun in nouns]


def adjective_links(sentence: TaggedSentence, opinion: Span) -> list[OpinionLink]:
    """Return the links of an adjective by the first construction that finds any."""
    at, end = opinion
    tags, copula = sentence.tags, sentence.copula(at)
    noun = None
    if copula is None or tags[end : end + 1] not in _PHRASE_ENDS:
        noun = sentence.after(_ATTRIBUTE_OF, end)
    is_general = noun is not None and _NOUN not in tags[noun[0] : noun[1]]
    phrase_end = noun[1] if noun and is_general else end
    adjective = _Adjective(sentence, opinion, sentence.words[at], copula, noun, is_general, phrase_end)
    for construction in _POSSIBLE[noun is not None and not is_general, copula is not None]:
        found = construction(adjective)
        if found:
            return found
    return []


def _with_own_preposition(adjective: _Adjective) -> list[OpinionLink]:
    """ "a fan of the sound", where the opinion ends in its preposition ("fan-of")."""
    if not adjective.word.endswith(("-of", "-with")):
        return []
    sentence = adjective.sentence
    noun = sentence.after(_OBJECT, adjective.opinion[1])
    nouns = sentence.coordinated(noun, with_articles=True) if noun else ()
    return adjective.links(nouns, Construction.PREPOSITION)


def _directly_after_noun(adjective: _Adjective) -> list[OpinionLink]:
    """ "staff friendly, rooms dirty"."""
    sentence, (at, end) = adjective.sentence, adjective.opinion
    if sentence.tags[end : end + 1] not in _PHRASE_ENDS:
        return []
    noun = sentence.before(_NOUN_DIRECTLY_BEFORE, at)
    return adjective.links([noun], Construction.APPOSITION) if noun else []


def _before_noun(adjective: _Adjective) -> list[OpinionLink]:
    """ "great sound", "the pan is the perfect size", "the best dish is the soup"."""
    sentence, noun = adjective.sentence, adjective.noun
    if not noun:
        return []
    found = adjective.links(sentence.coordinated(noun), Construction.ATTRIBUTE)
    if adjective.copula is not None:
        found += adjective.links(sentence.subjects(adjective.copula), Construction.PREDICATE_NOUN)
    elif adjective.word in _SUPERLATIVES:
        named = sentence.noun_after_copula(noun[1])
        found += adjective.links([named], Construction.INVERTED) if named else []
    return found


def _inverted(adjective: _Adjective) -> list[OpinionLink]:
    """ "how bright the screen is", "the best thing about it is the screen", "recommended is the soup"."""
    sentence, (at, end) = adjective.sentence, adjective.opinion
    if at and sentence.tags[at - 1] == WordClass.QUESTION_WORD:
        noun = sentence.after(_SUBJECT_OF_HOW, end)
        return adjective.links([noun], Construction.INVERTED) if noun else []
    if adjective.is_general or sentence.tags[end : end + 1] == WordClass.COPULA:
        noun = sentence.noun_after_copula(adjective.end)
        nouns = sentence.coordinated(noun, with_articles=True) if noun else ()
        return adjective.links(nouns, Construction.INVERTED)
    return []


def _easy_to(adjective: _Adjective) -> list[OpinionLink]:
    """ "easy to use", "easy to get a table", "the keys are easy to find"."""
    if adjective.word not in _EASE:
        return []
    sentence, words = adjective.sentence, adjective.sentence.words
    verb = sentence.after(_TO_VERB, adjective.end)
    if verb and words[verb[0]] in _LIGHT_VERBS:
        verb = sentence.after(_OBJECT_OF_TO_VERB, adjective.end)
    if not verb:
        return []
    found = adjective.links([verb], Construction.TO_VERB)
    if adjective.copula is not None and base_verb(words[verb[0]]) not in ASPECT_OF_VERB:
        found += adjective.links(sentence.subjects(adjective.copula), Construction.PREDICATE)
    return found


def _predicate(adjective: _Adjective) -> list[OpinionLink]:
    """ "the sound is great", "it sounds great"."""
    sentence, copula = adjective.sentence, adjective.copula
    if copula is None:
        return []
    found = adjective.links(sentence.subjects(copula), Construction.PREDICATE)
    if base_verb(sentence.words[copula]) in ASPECT_OF_VERB:
        named = Construction.VERB_NAMES_ASPECT_OTHERWISE if found else Construction.VERB_NAMES_ASPECT
        found += adjective.links([(copula, copula + 1)], named)
    return found


def _with_preposition(adjective: _Adjective) -> list[OpinionLink]:
    """ "happy with the sound"."""
    sentence, end = adjective.sentence, adjective.end
    if _LINKING_PREPOSITIONS.isdisjoint(sentence.words[end : end + 2]):
        return []
    noun = sentence.noun_after_preposition(end)
    if not noun:
        return []
    return adjective.links(sentence.coordinated(noun, with_articles=True), Construction.PREPOSITION)


def _of_pronoun(adjective: _Adjective) -> list[OpinionLink]:
    """ "I had the scallops and they were great"."""
    sentence = adjective.sentence
    pronoun = None if adjective.copula is None else sentence.pronoun_subject(adjective.copula)
    if pronoun is None or sentence.words[pronoun] not in REFERRING_PRONOUNS:
        return []
    noun = antecedent(sentence, pronoun)
    if noun:
        return adjective.links([noun], Construction.PRONOUN)
    return adjective.links([(pronoun, pronoun + 1)], Construction.PRONOUN_OF_PREVIOUS)


def _beside_noun(adjective: _Adjective) -> list[OpinionLink]:
    """ "Battery: poor", "found the food bland in the end"."""
    if adjective.noun:
        return []
    noun = adjective.sentence.before(_NOUN_BEFORE, adjective.opinion[0])
    return adjective.links([noun], Construction.APPOSITION) if noun else []


_POSSIBLE = {
    (True, False): (_with_own_preposition, _directly_after_noun, _before_noun),
    (True, True): (_with_own_preposition, _before_noun),
    (False, False): (
        *(_with_own_preposition, _directly_after_noun, _inverted, _easy_to),
        *(_with_preposition, _beside_noun),
    ),
    (False, True): (
        *(_with_own_preposition, _inverted, _easy_to),
        *(_predicate, _with_preposition, _of_pronoun),
    ),
}
"""The constructions in order, by whether nouns that can be an aspect follow, and whether a linking verb precedes."""


# "there is no *charger*"
_LACKED = pattern("[ADJECTIVE PAST OTHER]{0,2} (?P<noun> NOUN{1,5}) (?!NOUN)")
_BEFORE_NO = WordClass.COPULA + WordClass.AUXILIARY + WordClass.VERB + WordClass.PREPOSITION
# These are written from right to left: "*battery* problems", "*the phone* has a problem"
_COMPOUND = pattern("(?P<noun> NOUN{1,5})")
_OWNER = pattern("""
    [ADJECTIVE PAST ING OTHER ADVERB DETERMINER TOO]{0,4} [AUXILIARY VERB] [ADVERB NEGATION AUXILIARY]{0,3}
    (?: RELATIVE COMMA?)? (?: BACKWARD_PHRASE){0,2} BACKWARD_NOUNS
""")


def opinion_noun_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link a noun that judges: "problems with the screen", "battery problems", "the service is a joke"."""
    at, end = opinion
    for construction, noun in (
        (Construction.PREPOSITION, sentence.noun_after_preposition(end)),
        (Construction.INVERTED, sentence.noun_after_copula(end)),
    ):
        if noun:
            for each in sentence.coordinated(noun, with_articles=True):
                yield OpinionLink(each, opinion, construction)
            return
    compound = sentence.before(_COMPOUND, at)
    if compound:
        yield OpinionLink(compound, opinion, Construction.COMPOUND)
        return
    copula = sentence.copula(at)
    if copula is not None:
        for each in sentence.subjects(copula):
            yield OpinionLink(each, opinion, Construction.PREDICATE)
        return
    owner = sentence.before(_OWNER, at)
    if owner:
        yield OpinionLink(owner, opinion, Construction.OWNER)


def absence_links(sentence: TaggedSentence, at: int) -> Iterator[OpinionLink]:
    """Link "no" to what is missing: "there is no charger"."""
    lacked = sentence.after(_LACKED, at + 1)
    if lacked and at and sentence.tags[at - 1] in _BEFORE_NO:
        yield OpinionLink(lacked, (at, at + 1), Construction.ABSENCE)


# "love *the sound*", "love everything about *its sound*"
_OBJECT_OF_VERB = pattern("""
    [ADVERB TO PREPOSITION]{0,2} (?: GENERAL_NOUN PREPOSITION)? [DETERMINER RELATIVE PRONOUN]{0,2}
    (?: ADVERB? MODIFIER){0,3} NOUNS
""")
# These are written from right to left: "*the case* on the left just broke", "cooked *perfectly*"
_SUBJECT_OF_VERB = pattern("""
    [ADVERB NEGATION AUXILIARY PAST TOO COPULA]{0,4}
    (?: TO [VERB ADJECTIVE PAST] [ADVERB NEGATION AUXILIARY COPULA]{0,3})?
    COMMA? (?: RELATIVE COMMA?)? (?: BACKWARD_PHRASE){0,2} BACKWARD_NOUNS
""")
_VERB_BEFORE = pattern("ADVERB{0,2} (?P<noun> [VERB PAST ADJECTIVE ING COPULA])")


def object_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link a verb that judges its object ("I love the sound"); without an object, its subject."""
    noun = sentence.after(_OBJECT_OF_VERB, opinion[1])
    if not noun:
        yield from subject_links(sentence, opinion)
        return
    for each in sentence.coordinated(noun, with_articles=True):
        yield OpinionLink(each, opinion, Construction.OBJECT)


def subject_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link a verb that judges its subject: "the case broke"."""
    noun = sentence.before(_SUBJECT_OF_VERB, opinion[0])
    if noun:
        yield OpinionLink(noun, opinion, Construction.SUBJECT)


def adverb_links(sentence: TaggedSentence, opinion: Span) -> Iterator[OpinionLink]:
    """Link an adverb to the subject of its verb, or to the verb: "the food was cooked perfectly", "it works well"."""
    verb = sentence.before(_VERB_BEFORE, opinion[0])
    if not verb:
        return
    noun = sentence.before(_SUBJECT_OF_VERB, verb[0])
    if noun:
        yield OpinionLink(noun, opinion, Construction.MANNER)
    if base_verb(sentence.words[verb[0]]) in ASPECT_OF_VERB:
        named = Construction.VERB_NAMES_ASPECT_OTHERWISE if noun else Construction.VERB_NAMES_ASPECT
        yield OpinionLink(verb, opinion, named)


LONGEST_NAME = 3
"""The most words a name has."""

_VERB_NAMES_ASPECT = (Construction.VERB_NAMES_ASPECT, Construction.VERB_NAMES_ASPECT_OTHERWISE)
_SINGLE_WORD = (*_VERB_NAMES_ASPECT, Construction.PRONOUN_OF_PREVIOUS)
_MAY_BE_VERB = (*_VERB_NAMES_ASPECT, Construction.TO_VERB)
_MODIFIERS = WordClass.ADJECTIVE + WordClass.PAST + WordClass.ING
_FIXED_TERMS = word_set("""
    hard-drive hard-drives hard-disk hard-disks hard-copy hard-case hard-shell hot-dog hot-dogs hot-tub hot-tubs
    hot-water hot-pot hot-sauce hot-chocolate cold-water cold-cuts soft-drink soft-drinks soft-ware fast-food
    sweet-potato sour-cream happy-hour free-time flat-screen flat-panel dim-sum fine-dining high-school long-distance
    short-term long-term dead-end smart-phone blue-tooth classic-rock hard-rock heavy-metal sweet-spot
    """)
_FIXED_BEGINNINGS = frozenset(term.partition("-")[0] for term in _FIXED_TERMS)
_CONTAINERS = word_set("""
    selection variety bottle glass choice range assortment quality list plate bowl cup pair set
    """)


def is_fixed_term(word: str, follower: list[str]) -> bool:
    """Whether an adjective forms a fixed term with the noun after it: *hot* dog."""
    return word in _FIXED_BEGINNINGS and bool(follower) and f"{word}-{follower[0]}" in _FIXED_TERMS


def term_span(sentence: TaggedSentence, link: OpinionLink) -> Span:
    """Return the words of a link's term: its nouns, the adjectives that belong to them, and "of wine"."""
    start, end = link.noun
    if link.construction in _SINGLE_WORD:
        return start, end
    words, tags = sentence.words, sentence.tags
    while start and tags[start - 1] in _MODIFIERS and _belongs(words, start - 1, link.opinion):
        start -= 1
    if end < len(words) and words[end] == "of" and base_noun(words[end - 1]) in _CONTAINERS:
        of_what = end + 1
        while tags[of_what : of_what + 1] == WordClass.NOUN:
            of_what += 1
        end = of_what if of_what > end + 1 else end
    return start, end


def _belongs(words: list[str], at: int, opinion: Span) -> bool:
    if opinion[0] <= at < opinion[1]:
        return False
    return is_fixed_term(words[at], words[at + 1 : at + 2]) or not (
        polarity(words[at]) or words[at] in GENERAL_ADJECTIVES
    )


def term_words(sentence: TaggedSentence, link: OpinionLink) -> tuple[str, ...]:
    """Return the words of a term's name, the last in its base form; "selection of wine" becomes "wine selection"."""
    words = sentence.words
    if link.construction in _MAY_BE_VERB and sentence.tags[link.noun[0]] != WordClass.NOUN:
        lemma = base_verb(words[link.noun[0]])
        return (ASPECT_OF_VERB.get(lemma, lemma),)
    start, end = term_span(sentence, link)
    last = words[end - 1]
    if last.endswith("ing") and base_verb(last) in ASPECT_OF_VERB:
        return (ASPECT_OF_VERB[base_verb(last)],)
    if end - start == 1:  # the most frequent case
        return (base_noun(last),)
    if "of" in words[start:end]:
        of = words.index("of", start, end)
        return (*words[of + 1 : end], base_noun(words[of - 1]))
    return (*words[start : end - 1], base_noun(last))
