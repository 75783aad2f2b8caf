"""Names that are no aspects in this corpus: what the items are, and words that merely stand beside an opinion.

An aspect is something that an item *has*, and that people judge when they speak of it. So a name is left out if

- it names a *kind* of item: people say "this capo" and hardly more often "the capo", and other reviews of the same item
  speak of it, too; or it stands in the names of most items that it is said of;
- it is *no noun*: the dictionary knows its last word, but not as a noun ("kept", "in-room"), or it is a letter;
- it is *not had*: hardly ever "the …", "its …" or "… is" ("easy to use", "a nice surprise", "'em");
- it is *seldom judged*: most sentences that hold it are about something else ("to the airport").

What is known by the verb that names it (it *sounds* good) is an aspect whatever stands around it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from counterec.extraction.grammar.dictionary import PartOfSpeech, base_forms, base_noun, likeliest_tags
from counterec.extraction.grammar.opinion_link import ASPECT_OF_VERB
from counterec.extraction.vocabulary.name_uses import CorpusUses, NameUses, words_of

KIND, NO_NOUN = "names a kind of item", "is no noun"
NOT_HAD, SELDOM_JUDGED = "is not something an item has", "is seldom judged"

ALWAYS_ASPECTS = frozenset(ASPECT_OF_VERB.values()) - {"use"} | {"value", "quality", "size", "design"}
"""What every item has, in any domain, also where it is said by a verb."""


@dataclass(frozen=True)
class NoAspectRules:
    """How much evidence it takes before a name is left out."""

    least_uses: int = 10
    """A name with fewer uses in the training texts is not judged by them."""
    least_this: int = 3
    """A kind follows *this* at least this often..."""
    this_share: float = 0.04
    """...in at least this share of its uses..."""
    this_of_had: float = 0.14
    """...and in at least this share of those as something that an item has..."""
    crowding: float = 2.0
    """...and is said this many times as often as by chance of items of which it was said before."""
    named_share: float = 0.5
    """A kind stands in the names of at least this share of the items that it is said of."""
    had_share: float = 0.1
    """An aspect is something that an item has in at least this share of its uses..."""
    is_a_of_had: float = 0.6
    """...and is what something is in less than this share of these."""
    judged_share: float = 0.1
    """An aspect is judged in at least this share of its uses."""


def no_aspects(
    mentions: Mapping[str, int], uses: CorpusUses, item_names: Mapping[str, str], rules: NoAspectRules
) -> dict[str, str]:
    """The names that are no aspects, each with the reason; ``mentions`` is how often each was judged."""
    kinds = {name for name in mentions if _is_kind(uses, name, rules)} | set(_in_item_names(uses, item_names, rules))
    kinds -= ALWAYS_ASPECTS
    found = dict.fromkeys((name for name in mentions if name in kinds or _head(name) in kinds), KIND)
    for name, judged in mentions.items():
        used = uses.of[name]
        if name in found or name in ALWAYS_ASPECTS:
            continue
        if _is_no_noun(name):
            found[name] = NO_NOUN
        if name in found or used.uses < rules.least_uses:
            continue
        if used.had < rules.had_share * used.uses or used.is_a > rules.is_a_of_had * used.had:
            found[name] = NOT_HAD
        elif judged < rules.judged_share * used.uses:
            found[name] = SELDOM_JUDGED
    return found


def _head(name: str) -> str:
    """The last word: a "tube amp" is an amp."""
    return name.split()[-1]


def _is_no_noun(name: str) -> bool:
    last = _head(name)
    forms, tag = base_forms().get(last, {}), likeliest_tags().get(last)
    known = (bool(forms) or tag is not None) and not last.endswith("ing")  # "tuning" is a noun where it is judged
    is_other = known and PartOfSpeech.NOUN not in forms and not (tag or "").startswith("NN")
    return is_other or any(len(word) == 1 for word in name.split())


def _is_kind(uses: CorpusUses, name: str, rules: NoAspectRules) -> bool:
    used = uses.of[name]
    least = max(rules.least_this, rules.this_share * used.uses, rules.this_of_had * used.had)
    return used.uses >= rules.least_uses and used.this >= least and uses.crowding(name) >= rules.crowding


def _in_item_names(uses: CorpusUses, item_names: Mapping[str, str], rules: NoAspectRules) -> Iterator[str]:
    """The names that stand in the names of most items that they are said of."""
    words = {item: frozenset(map(base_noun, words_of(name))) for item, name in item_names.items()}
    for name, used in uses.of.items():
        said_of = [words[item] for item in used.reviews if item in words]
        named = sum(map(frozenset(name.split()).issubset, said_of))
        if _enough(used, said_of, rules) and named >= rules.named_share * len(said_of):
            yield name


def _enough(used: NameUses, said_of: Collection[frozenset[str]], rules: NoAspectRules) -> bool:
    return used.uses >= rules.least_uses and len(said_of) >= rules.least_this
