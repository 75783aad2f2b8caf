"""Whether a text is in English, by its small words.

Every language has a few dozen words that make up a third of any text: *the, and, of*; *der, und, ist*; *el, que, los*.
A text is in another language if that language's small words are clearly more frequent in it than the English ones, or
if most of its letters are not Latin. A text of a few words, or without small words, counts as English: a list of
keywords has none, and no review is lost by a guess.
"""

from __future__ import annotations

import re
from functools import lru_cache

from counterec.extraction.words import word_set

LEAST_WORDS = 8
"""Shorter texts show no language."""
LEAST_SHARE = 0.1
"""The small words of another language are at least this share of the words..."""
TIMES_ENGLISH = 2.0
"""...and this many times as frequent as the English ones."""
LEAST_LATIN = 0.5
"""At least this share of the letters of an English text is Latin."""

_CACHED_PARTS = 100_000
_BEYOND_LATIN = re.compile("[\u0250-\u1fff\u2070-\U0010ffff]")  # and what is between are no letters
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ENGLISH = word_set("""
    the a an and or but of to in on at for with from by as is are was were be been it its this that these those i you he
    she we they my your our their me us them have has had do does did not no if so very all there which who what when
    would will can could just than then too out up about it's i'm don't didn't
    """)
_OTHERS = {
    "German": "der die das den dem des und ist sind war waren ein eine einen einem einer nicht mit auf für von zu im "
    "ich wir sie es sehr auch aber wie bei nach noch nur wenn dass zum zur haben hat hatte wurde uns man",
    "French": "le la les un une des du de et est sont était à au aux dans pour pas que qui sur avec ce cette nous vous "
    "je il elle très mais plus par son sa ses ont été tout bien c'est d'un d'une l'hôtel n'est",
    "Spanish": "el la los las un una de del y es son era en para por con que no se lo su sus muy más pero como al está "
    "estaba me nos todo hay fue si este esta también cuando",
    "Italian": "il lo la gli le un una di del della dei e è sono era in per con che non si su molto ma come anche al "
    "alla nel nella ci da questo questa abbiamo più ho",
    "Portuguese": "o os as um uma de do da dos das e é são era em no na nos nas para por com que não se muito mais mas "
    "como ao foi está também quando este esta",
    "Dutch": "de het een en is zijn was waren van in op met voor niet dat die te aan er ik wij we ook maar zeer heel "
    "bij naar om als uit wel geen hebben heeft",
    "Swedish": "och att det som en ett är var på av för med inte den till vi jag men mycket om har hade från så",
}
_SMALL_WORDS = {language: word_set(words) - _ENGLISH for language, words in _OTHERS.items()}


_NOT_ENGLISH: frozenset[str] = frozenset().union(*_SMALL_WORDS.values())


def is_foreign(text: str) -> bool:
    """Whether a text is clearly in another language than English."""
    if _is_other_script(text):
        return True
    plain = text.lower().replace("’", "'")
    return not _is_plainly_english(plain) and _is_mostly_other(_WORDS.findall(plain))


def _is_plainly_english(plain: str) -> bool:
    """Whether the small words of all other languages together are too few beside the English ones: of any one, too.

    No word contains a blank, so a text is cut at its blanks, and what lies between two of them is looked up.
    """
    parts = plain.split()
    english = sum(map(_ENGLISH.__contains__, parts))  # not those beside a punctuation mark: there are no fewer
    return sum(map(_others_in, parts)) < TIMES_ENGLISH * english


@lru_cache(_CACHED_PARTS)
def _others_in(part: str) -> int:
    return sum(map(_NOT_ENGLISH.__contains__, _WORDS.findall(part)))


def _is_mostly_other(words: list[str]) -> bool:
    if len(words) < LEAST_WORDS:
        return False
    english = sum(map(_ENGLISH.__contains__, words))
    other = max(sum(map(small.__contains__, words)) for small in _SMALL_WORDS.values())
    return other >= LEAST_SHARE * len(words) and other >= TIMES_ENGLISH * english


def _is_other_script(text: str) -> bool:
    """Whether most letters are not Latin: Latin ones lie below U+0250."""
    if text.isascii() or not _BEYOND_LATIN.search(text):
        return False
    letters = [letter for letter in text if letter.isalpha()]
    return len(letters) >= LEAST_WORDS and sum(letter < "\u0250" for letter in letters) < LEAST_LATIN * len(letters)
