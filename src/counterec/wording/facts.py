"""Facts about an item in words: “it had no wifi”, “it cost 187 € instead of 120 €”, “its genre were comedy”.

What an attribute is decides the clause; nobody has to review a fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from counterec.core.attributes import Attribute
from counterec.wording.change import Change, apart, whole
from counterec.wording.message_catalogue import Catalogue

PRICES = ("price", "cost", "costs", "preis", "kosten")
"""Numbers with these names are what an item costs."""

ADJECTIVE, NOUN = "is ", "has "
"""What the name of an attribute that is yes or no may begin with: “is vegan”, “has wifi”."""

NUMBER = re.compile(r"\d[\d.,]*\d|\d")


def if_facts(words: Catalogue, changes: Sequence[Change]) -> str:
    """“if it had no wifi and it cost 187 € instead of 120 €”."""
    return words.say("fact.if", facts=facts(words, changes))


def facts(words: Catalogue, changes: Sequence[Change]) -> str:
    """“it had no wifi and it cost 187 € instead of 120 €”."""
    return words.listed([_clause(words, change, _of(change)) for change in changes])


def facts_now(words: Catalogue, changes: Sequence[Change]) -> str:
    """“it has wifi and it costs 120 €”."""
    return words.listed([_clause_now(words, change, _of(change)) for change in changes])


def attribute_name(name: str) -> str:
    """The name of an attribute as it is spoken: “has_wifi” is “wifi”."""
    spoken = name.replace("_", " ").strip()
    for beginning in (ADJECTIVE, NOUN):
        spoken = spoken.removeprefix(beginning)
    return spoken or name


def shown_values(words: Catalogue, change: Change) -> tuple[str, str]:
    """Before and after, as the attribute says them; *unknown* where the item lacks it."""
    attribute = _of(change)
    before, after = (shown_value(words, attribute, code) for code in (change.before, change.after))
    if before == after:  # a value between two steps
        before, after = (words.number(text) for text in apart(change.before, change.after, digits=attribute.digits))
    return before, after


def _of(change: Change) -> Attribute:
    assert change.attribute is not None, change.aspect
    return change.attribute


def shown_value(words: Catalogue, attribute: Attribute, code: float) -> str:
    """A value as the attribute says it: “yes”, “drama”, “120 €”, “unknown”."""
    value = attribute.value(code)
    if value is None:
        return words.say("fact.unknown")
    if isinstance(value, bool):
        return words.say("fact.shown_yes" if value else "fact.shown_no")
    if isinstance(value, str):
        return value
    if attribute.format:
        return NUMBER.sub(lambda found: _localised(words, found.group()), attribute.format.format(value))
    number = words.number(f"{value:z.{attribute.digits}f}")
    return f"{number} {attribute.unit}" if attribute.unit else number


def _localised(words: Catalogue, number: str) -> str:
    """A number with a decimal point, and perhaps commas, as this language writes it."""
    point = words.say("numbers.decimal")
    return number if point == "." else number.translate(str.maketrans(".,", f"{point}."))


def _is(attribute: Attribute) -> bool:
    return attribute.name.replace("_", " ").startswith(ADJECTIVE)


def _clause(words: Catalogue, change: Change, attribute: Attribute) -> str:
    name = attribute_name(attribute.name)
    before, after = shown_values(words, change)
    if attribute.kind == "quality":
        return _quality(words, change, name)
    if change.removed:
        return words.say("fact.removed", attribute=name, before=before)
    if attribute.kind == "yes_no":
        kind = ("is" if _is(attribute) else "has") + ("" if attribute.value(change.after) else "_not")
        return words.say(f"fact.{kind}", attribute=name)
    if change.added:
        return words.say("fact.added", attribute=name, after=after)
    if attribute.kind == "category":
        return words.say("fact.category", attribute=name, before=before, after=after)
    if name.casefold() in PRICES:
        return words.say("fact.price", before=before, after=after)
    return words.say("fact.number", attribute=name, before=before, after=after)


def _quality(words: Catalogue, change: Change, name: str) -> str:
    """A quality that reviews tell, beside facts."""
    before, after = (words.number(shown) for shown in change.shown())
    high = words.number(whole(change.high).removesuffix(".0"))
    if change.removed:
        return words.say("fact.quality_removed", attribute=name, before=before, high=high)
    if change.added:
        return words.say("fact.quality_added", attribute=name, after=after, high=high)
    return words.say("fact.quality", attribute=name, before=before, after=after, high=high)


def _clause_now(words: Catalogue, change: Change, attribute: Attribute) -> str:
    name, (before, _) = attribute_name(attribute.name), shown_values(words, change)
    if attribute.kind == "yes_no":
        kind = ("is" if _is(attribute) else "has") + ("" if attribute.value(change.before) else "_not")
        return words.say(f"fact.now_{kind}", attribute=name)
    if attribute.kind == "category":
        return words.say("fact.now_category", attribute=name, before=before)
    if name.casefold() in PRICES:
        return words.say("fact.now_price", before=before)
    return words.say("fact.now_number", attribute=name, before=before)
