"""The classes of English words: patterns over them, function words, dictionaries, spelling variants.

A tagged sentence is a string with one letter per word, so a construction of English is a regular expression over that
string. Only this file knows the letters; everything else names the classes.

Two packaged dictionaries are read as data; nothing is downloaded and neither package is imported. Brill's lexicon,
inside TextBlob, gives one tag per word, the likeliest in news. LemmInflect's table gives every part of speech a form
can have, and its base form in each.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import Enum, StrEnum
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


AnyEnum = TypeVar("AnyEnum", bound=type[Enum])


def plain_members(names: AnyEnum) -> AnyEnum:
    """Make the access to members of an enumeration as quick as to any attribute.

    Python 3.11 reaches each of them through a property written in Python, which takes as long as a small regular
    expression; later versions do what this does.
    """
    for name, member in names.__members__.items():
        type.__setattr__(names, name, member)
    return names


@plain_members
class WordClass(StrEnum):
    """The class of a word in its sentence; the value is its letter."""

    NOUN = "N"
    GENERAL_NOUN = "O"
    """Too general to be an aspect: *thing*, *day*."""
    OPINION_NOUN = "Q"
    """A noun that judges: *problem*, *delight*."""
    ADJECTIVE = "A"
    ADVERB = "R"
    VERB = "V"
    PAST = "F"
    """A past tense or participle: *broke*, *overcooked*."""
    ING = "Y"
    """A form in *-ing*: *cooking*."""
    COPULA = "B"
    """Links a subject to what is said of it: the sound *is* great, it *looks* nice."""
    AUXILIARY = "M"
    """A modal or auxiliary verb: *can*, *does*, *have*."""
    NEGATION = "G"
    TOO = "E"
    """*too* and its synonyms."""
    PRONOUN = "I"
    DETERMINER = "D"
    RELATIVE = "K"
    """*that*, *which*, *who*."""
    QUESTION_WORD = "W"
    PREPOSITION = "P"
    TO = "T"
    AND = "C"
    """*and* or *or*."""
    COMMA = ","
    COLON = ":"
    """A colon or a dash."""
    OPEN = "("
    CLOSE = ")"
    BREAK = "|"
    """Separates clauses: *but*, *because*, a semicolon."""
    OTHER = "X"

    # Ambiguous classes: the neighbours decide which of the above it is. The likelier reading is named first.
    NOUN_OR_VERB = "U"
    VERB_OR_NOUN = "Z"
    ADJECTIVE_OR_NOUN = "J"
    NOUN_OR_ADJECTIVE = "L"
    ADJECTIVE_OR_VERB = "H"
    """*open*, *clean*."""
    ADJECTIVE_OR_ADVERB = "a"
    """*fast*."""
    MORE = "e"
    """*more* and *less*."""
    SENSE = "S"
    """A verb that may be a copula, or its noun: *sounds*, *looks*."""
    SENSE_ING = "y"
    """*sounding*, *looking*."""
    LIKE = "l"
    APOSTROPHE_S = "$"


_PARTS = {
    "MODIFIER": "[ADJECTIVE PAST ING OTHER]",
    "NOUNS": "(?P<noun> GENERAL_NOUN? NOUN{1,5} GENERAL_NOUN?)",
    "BACKWARD_NOUNS": "(?P<noun> GENERAL_NOUN? NOUN{1,5})",
    "BACKWARD_PHRASE": (  # "at the front desk"
        "[NOUN GENERAL_NOUN OPINION_NOUN]{1,5} [ADJECTIVE PAST ING OTHER ADVERB]{0,3} DETERMINER{0,2} PREPOSITION"
    ),
}
"""What many templates share; the names that begin with BACKWARD are written from right to left."""
_COMMENT = re.compile("#.*")
_NAME = re.compile("[A-Z][A-Z_]+")


def pattern(template: str) -> re.Pattern[str]:
    """Compile a regular expression over word classes, in which a name in capitals stands for its class.

    ``pattern("DETERMINER? ADJECTIVE{0,3} (?P<noun> NOUN{1,5})")`` finds "the nice little screen". White space and
    comments are ignored. Bound every repetition, so that the time stays linear in the length of a sentence.
    """
    return re.compile(_spelled(_COMMENT.sub("", template)))


def _spelled(template: str) -> str:
    def letters(name: re.Match[str]) -> str:
        part = _PARTS.get(name.group())
        return _spelled(part) if part else re.escape(WordClass[name.group()].value)

    return "".join(_NAME.sub(letters, template).split())


_CACHED_WORDS = 200_000


class PartOfSpeech(StrEnum):
    """The open classes, by the names that LemmInflect's table uses."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adj"
    ADVERB = "adv"


_OF_TAG = {
    "NN": PartOfSpeech.NOUN,
    "JJ": PartOfSpeech.ADJECTIVE,
    "RB": PartOfSpeech.ADVERB,
    "VB": PartOfSpeech.VERB,
}


@cache
def likeliest_tags() -> dict[str, str]:
    """Return the likeliest Penn tag of every word in Brill's lexicon."""
    found = {}
    for line in _packaged("textblob", "en/en-lexicon.txt").decode("utf-8").splitlines():
        word, _, tag = line.partition(" ")
        if tag and not line.startswith(";;;"):
            found[word] = tag.partition("|")[0]
    return found


@cache
def likeliest_part_of_speech(word: str) -> PartOfSpeech | None:
    """Return the part of speech of a word's likeliest tag, or None if it is not an open class."""
    return _OF_TAG.get(likeliest_tags().get(word, "")[:2])


@cache
def base_forms() -> dict[str, dict[str, str]]:
    """Return, for every form LemmInflect knows, its parts of speech and the base form in each."""
    found: dict[str, dict[str, str]] = {}
    text = gzip.decompress(_packaged("lemminflect", "resources/lemma_lu.csv.gz")).decode("utf-8")
    for form, part_of_speech, base in csv.reader(io.StringIO(text)):
        if form.islower():
            found.setdefault(form, {})[part_of_speech] = base.partition("/")[0]
    return found


def is_english(word: str) -> bool:
    """Whether either dictionary has this word."""
    return word in likeliest_tags() or word in base_forms() or word.capitalize() in likeliest_tags()


@lru_cache(_CACHED_WORDS)
def base_noun(word: str) -> str:
    """Return the singular of a noun; the word itself if it is not known as a noun."""
    return base_forms().get(word, {}).get(PartOfSpeech.NOUN, word)


@lru_cache(_CACHED_WORDS)
def base_verb(word: str) -> str:
    """Return the infinitive of a verb; the word itself if it is not known as a verb."""
    return base_forms().get(word, {}).get(PartOfSpeech.VERB, word)


@lru_cache(_CACHED_WORDS)
def base_adjective(word: str) -> str:
    """Return the adjective that a comparative or superlative comes from ("fresher": "fresh"), or the word itself."""
    return base_forms().get(word, {}).get(PartOfSpeech.ADJECTIVE, word)


def packaged_path(package: str, name: str) -> Path:
    """Return the path of a file inside an installed package, without importing the package."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed; install counterec with its dependencies")
    return Path(spec.submodule_search_locations[0]) / name


def _packaged(package: str, name: str) -> bytes:
    return packaged_path(package, name).read_bytes()


_WORDS = {
    WordClass.COPULA: """
        is are was were be been being am 're 'm isnt arent wasnt werent become becomes became remain remains remained
    """,
    WordClass.APOSTROPHE_S: "'s",
    WordClass.SENSE: """
        look looks looked feel feels felt sound sounds sounded taste tastes tasted smell smells smelled seem seems
        seemed appear appears appeared stay stays stayed get gets got gotten keep keeps kept turn turns turned come
        comes came prove proves proved run runs ran go goes went work works worked
    """,
    WordClass.LIKE: "like",
    WordClass.AUXILIARY: """
        will would can could should may might shall must 'll ca wo ai 'd 've do does did dont doesnt didnt cant
        couldnt wouldnt wont shouldnt cannot having has have had
    """,
    WordClass.NEGATION: "not n't never neither nor hardly barely scarcely seldom rarely nowhere",
    WordClass.TOO: "too overly excessively",
    WordClass.ADVERB: """
        very really so quite just also even still always most much super rather somewhat almost enough again already
        ever only here there now then as far away back up down out off over overall maybe perhaps soon often sometimes
        together else instead anyway either least anywhere everywhere somewhere forward ahead apart along around once
        twice later ago alone aside indeed tad bit kinda sorta both sure today tonight yesterday tomorrow online ultra
        upstairs downstairs nearby however as-well at-all kind-of sort-of a-lot not-only not-just no-doubt right-now
        of-course definitely certainly truly simply extremely incredibly absolutely totally completely especially
        particularly consistently pretty all way thus therefore otherwise besides basically actually exactly sooo soo
        itself himself herself themselves ourselves yourself myself
    """,
    WordClass.MORE: "more less",
    WordClass.DETERMINER: """
        the a an this these those my your his her its our their each every some any another whose no such both what
    """,
    WordClass.PRONOUN: """
        i you he she it we they me him us them mine yours hers ours theirs someone everyone somebody anybody everybody
        anyone nobody u
    """,
    WordClass.GENERAL_NOUN: "something anything everything nothing none",
    WordClass.RELATIVE: "that which who whom",
    WordClass.QUESTION_WORD: "whatever whoever when where why how",
    WordClass.PREPOSITION: """
        in on at for from into onto per than under above below between among against across behind beside beyond
        inside outside during toward towards upon within throughout via despite unlike minus versus vs thru till
        such-as out-of instead-of with by about of regarding concerning without after before through aside-from
        including
    """,
    WordClass.SENSE_ING: "looking sounding tasting performing smelling",
    WordClass.TO: "to",
    WordClass.AND: "and & + plus as-well-as or / n",
    WordClass.COMMA: ', "',
    WordClass.COLON: ": - -- – —",
    WordClass.BREAK: "but although though while whereas because except since if unless until whether ; [ ] * • yet",
    WordClass.OPEN: "(",
    WordClass.CLOSE: ")",
    WordClass.OTHER: "etc e.g. i.e. pm am yeah yes oh wow hey please thanks ok-then",
    WordClass.NOUN: "check-in check-out",
    WordClass.ADJECTIVE: """
        little new old other own same whole full single double different certain several many few various real actual
        main entire extra additional typical regular usual normal standard average basic general particular specific
        previous next final possible available ready able due first second third last ok okay favorite favourite only
        worth
    """,
}

_GENERAL = """
    one two three four five six seven eight nine ten couple dozen lot ton bunch number amount rest part side kind type
    sort thing ones time day night week month year hour minute moment morning evening afternoon weekend summer winter
    january february march april june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday dollar buck cent star percent inch foot mile pound person man woman guy girl kid
    child boy family friend husband wife son daughter mother father mom dad brother sister parent boyfriend girlfriend
    reason fact idea point example instance world end beginning opinion experience expectation review reviewer
    question answer word name sense mind hand eye job user chance luck birthday anniversary christmas gift vacation
    holiday trip god hell heck choice piece result solution difference lover condition option addition alternative bet
    advice try help need half favor impression way situation decision attempt matter truth thought gig state total
    stuff other right left high low buy duty player beginner musician group feat compliment date touch purchase
    product item change start research deal life occasion plenty combination slice bite fan advantage pair pick excuse
    level turnover standard people guest traveler traveller visitor tourist patron money unit device gadget model
    version stay visit story period request notice inspection
"""

_INTENSIFIERS = """
    pretty extremely incredibly absolutely totally completely truly really very definitely certainly simply super
    especially particularly consistently highly quite fairly rather seriously terribly awfully honestly sadly
    unfortunately sure surely well-known
"""

_NEGATING = """
    not n't no never neither nor without hardly barely scarcely seldom rarely nothing none nobody cannot cant dont
    doesnt didnt isnt wasnt arent wont couldnt wouldnt less nowhere
"""

CLASS_OF = {word: word_class for word_class, words in reversed(_WORDS.items()) for word in words.split()}
"""The class of every listed word; of a word listed twice, the first."""

GENERAL_NOUNS = frozenset(_GENERAL.split())
"""Nouns too general to be an aspect on their own: a nice *thing*, the best *part*."""

GENERAL_ADJECTIVES = frozenset(_WORDS[WordClass.ADJECTIVE].split())
"""Adjectives that are never part of a term: the *whole* experience."""

INTENSIFIERS = frozenset(_INTENSIFIERS.split())
"""Adverbs that only say how much, whatever else they may mean: *pretty* drafty, *awfully* good."""

NEGATIONS = frozenset(_NEGATING.split())
"""Words that turn the opinion after them, whatever their class."""


LEAST_LETTERS = 5
"""Shorter words are one letter away from too many others."""
MUCH_MORE = 10
"""A misspelling is at least this many times rarer than the word it stands for."""


def spelling_variants(nouns: Mapping[str, int]) -> dict[str, str]:
    """Return the variants among a corpus's nouns, counted in their base form, each with the noun it stands for."""
    found = _plurals(nouns)
    found |= {word: found.get(meant, meant) for word, meant in _other_spellings(nouns).items()}
    frequent = _frequent_by_deletion(nouns)
    for word in sorted(nouns):
        if word not in found and not is_english(word) and len(word) >= LEAST_LETTERS:
            meant = _meant(word, nouns, frequent)
            if meant:
                found[word] = found.get(meant, meant)
    return found


def deletions(word: str) -> Iterator[str]:
    """Yield the word without each of its letters in turn; words that share a result are one letter apart."""
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]


def _other_spellings(nouns: Mapping[str, int]) -> dict[str, str]:
    """Return "wi-fi" → "wifi" and "colour" → "color", towards the more frequent of the two."""
    groups: dict[str, list[str]] = defaultdict(list)
    for word in nouns:
        groups[_skeleton(word)].append(word)
    found = {}
    for group in groups.values():
        best = min(group, key=lambda word: (-nouns[word], word))
        found.update({word: best for word in group if word != best})
    return found


def _skeleton(word: str) -> str:
    plain = word.replace("-", "").replace("'", "")
    return plain[:-3] + "or" if plain.endswith("our") and len(plain) > 5 else plain


def _plurals(nouns: Mapping[str, int]) -> dict[str, str]:
    """Return the plurals that the dictionary does not list: "mics" → "mic"."""
    return {
        word: word[:-1]
        for word in nouns
        if word.endswith("s") and nouns[word] <= nouns.get(word[:-1], 0) and base_noun(word) == word
    }


def _meant(word: str, nouns: Mapping[str, int], frequent: Mapping[str, list[str]]) -> str | None:
    """Return the most frequent noun one letter away, if it is much more frequent."""
    near = {noun for form in (word, *deletions(word)) for noun in frequent.get(form, ())}
    near = {noun for noun in near if noun[0] == word[0] and nouns[noun] >= MUCH_MORE * nouns[word]}
    return min(near, key=lambda noun: (-nouns[noun], noun)) if near else None


def _frequent_by_deletion(nouns: Mapping[str, int]) -> dict[str, list[str]]:
    """Return, for each form, the frequent nouns that become it by dropping at most one letter."""
    found: dict[str, list[str]] = defaultdict(list)
    for noun, uses in nouns.items():
        if uses >= MUCH_MORE and len(noun) >= LEAST_LETTERS and noun.isalpha():
            for form in (noun, *deletions(noun)):
                found[form].append(noun)
    return found
