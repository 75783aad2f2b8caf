"""The phrases of a sentence: values on their scales, changes, what they take in reviews, and facts about an item."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.core.attributes import Attribute
from counterec.wording.change import DEGREES, MOST_NAMED, Change, apart, choose_named, whole
from counterec.wording.messages import join_words, say, say_of


def capitalize(text: str) -> str:
    """The text as the beginning of a sentence; for text that begins with a word of the catalogue, not with a name."""
    return text[:1].upper() + text[1:]


def values(change: Change, *notes: str) -> str:
    """“4.5 → 2.1 of 5; 15 opinions so far”, with further notes before the opinions."""
    shown = "value.added" if change.added else "value.change"
    said = {"after": _show_after(change)} | ({} if change.added else {"before": _show_before(change)})
    return _add_notes(on_scale(change, say(shown, **said)), [*notes, *_count_opinions(change)])


def _show_now(change: Change) -> str:
    """“now 4.5 of 5 from 15 opinions”."""
    value = on_scale(change, _show_before(change))
    if change.opinions is None:
        return say("value.now", value=value)
    return say_of("opinions.behind", change.opinions, value=value, count=change.opinions)


def _count_opinions(change: Change) -> list[str]:
    """“15 opinions so far”, where they are counted."""
    if change.opinions is None:
        return []
    if change.opinions == 0:
        return [say("opinions.none")]
    return [say_of("opinions.so_far", change.opinions, count=change.opinions)]


def on_scale(change: Change, value: str) -> str:
    """“2.1 of 5”, where the scale is one of ratings; else “2.1 on a scale from 10 to 90”."""
    high = _show_end(change.high)
    if change.low_is_worse and 0 <= change.low <= 1:
        return say("scale.of", value=value, high=high)
    return say("scale.range", value=value, low=_show_end(change.low), high=high)


def _show_before(change: Change) -> str:
    """The value before, with enough digits."""
    return change.shown()[0]


def _show_after(change: Change) -> str:
    """The value after, with enough digits; off the scale, only the end that it lies beyond."""
    if not change.off_scale:
        return change.shown()[1]
    if change.after < change.low:
        return say("value.under", bound=whole(change.low))
    return say("value.over", bound=whole(change.high))


def state_condition(changes: Sequence[Change]) -> str:
    """Say what would have to be different, as a clause about the item."""
    parts, named = [], choose_named(changes)
    groups = [
        say("condition.group", degree=say(f"degree.{degree}"), aspects=_list_moved(group))
        for degree in DEGREES
        if (group := [change for change in named if change.moved and change.degree == degree])
    ]
    if groups:
        parts.append(say("condition.moved", groups=join_words(groups)))
    if added := [change for change in named if change.added]:
        rated = [say("aspect.added", aspect=change.aspect, after=_rate(change)) for change in added]
        parts.append(say("condition.added", aspects=join_words(rated)))
    if gone := [change for change in named if change.removed]:
        parts.append(say("condition.removed", aspects=_list_removed(gone)))
    return join_words(parts) + count_rest(changes)


def state_match(changes: Sequence[Change], versus: str) -> str:
    """Say the same where the item takes the values of another one."""
    parts, named = [], choose_named(changes)
    if kept := [change for change in named if not change.removed]:
        moved = [
            say("aspect.moved", aspect=change.aspect, values=values(change, *_note_reviews(change))) for change in kept
        ]
        parts.append(say("condition.matched", versus=versus, aspects=join_words(moved)))
    if gone := [change for change in named if change.removed]:
        parts.append(say("condition.matched_absent", versus=versus, aspects=_list_removed(gone)))
    return join_words(parts) + count_rest(changes)


def _list_moved(changes: Sequence[Change]) -> str:
    """“battery (3.0 → 2.1 of 5) and price (4.0 → 3.5 of 5)”."""
    return join_words([say("aspect.moved", aspect=change.aspect, values=values(change)) for change in changes])


def _list_removed(changes: Sequence[Change]) -> str:
    """“battery (now 3.0 of 5) or price (now 4.0 of 5)”."""
    return join_words([say("aspect.moved", aspect=change.aspect, values=_show_now(change)) for change in changes], "or")


def state_given(changes: Sequence[Change]) -> str:
    """Say what was changed, without a word about better or worse, and what that means in reviews."""
    parts, named = [], choose_named(changes)
    if kept := [change for change in named if change.moved]:
        parts.append(say("what_if.moved", aspects=join_words([_describe_given(change) for change in kept])))
    if added := [change for change in named if change.added]:
        rated = [say("aspect.moved", aspect=change.aspect, values=_rate(change, meaning(change))) for change in added]
        parts.append(say("what_if.added", aspects=join_words(rated)))
    if gone := [change for change in named if change.removed]:
        parts.append(say("what_if.removed", aspects=_list_removed(gone)))
    return capitalize(join_words(parts)) + count_rest(changes, "what_if.rest")


def count_rest(changes: Sequence[Change], key: str = "rest") -> str:
    """Return “, and 4 other aspects changed as in the table”; empty where the sentence names all."""
    rest = len(changes) - MOST_NAMED
    return say_of(key, rest, count=rest) if rest > 0 else ""


def meaning(change: Change) -> str:
    """What a given value means in reviews: “that is 3 more complaints”; empty where opinions are not counted."""
    if change.opinions is None:
        return ""
    if change.more is None:
        return say("meaning.nothing")
    if change.more == 0:
        return say("meaning.even")
    kind = "complaints" if change.more < 0 else "praises"
    return say_of(f"meaning.{'new_' if change.added else ''}{kind}", abs(change.more), count=abs(change.more))


def _note_reviews(change: Change) -> list[str]:
    """What the other item's value would take in reviews, where that is known."""
    return [meaning(change)] if change.more is not None else []


def _describe_given(change: Change) -> str:
    was = on_scale(change, _show_before(change))
    said = say("aspect.given", aspect=change.aspect, before=was, after=_show_after(change))
    notes = [note for note in (meaning(change), *_count_opinions(change)) if note]
    return say("aspect.moved", aspect=said, values=_add_notes(notes[0], notes[1:])) if notes else said


def _rate(change: Change, note: str = "") -> str:
    """“4.2 of 5”, of what nobody has reviewed yet."""
    return _add_notes(on_scale(change, _show_after(change)), [note] if note else [])


def _add_notes(text: str, notes: Sequence[str]) -> str:
    return "; ".join([text, *notes])


def _show_end(value: float) -> str:
    """An end of a scale: “5”, “0.5”."""
    return whole(value).removesuffix(".0")


# What a change takes in reviews.


def state_reviews(changes: Sequence[Change]) -> str:
    """Say the changes as reviews would bring them about; each must be counted."""
    named = choose_named(changes)
    kept, gone = ([change for change in named if change.removed is removed] for removed in (False, True))
    if len(changes) == 1 and changes[0].added:
        return _count_first(changes[0])
    unreviewed = join_words(
        [say("reviews.its", aspect=change.aspect, values=_show_now(change)) for change in gone], "or"
    )
    if not kept:
        return say("reviews.none", aspects=unreviewed) + count_rest(changes)
    parts = [_count_more(change, first=not place) for place, change in enumerate(kept)]
    if gone:
        parts.append(say("reviews.no", aspects=unreviewed))
    return say("reviews.with", parts=join_words(parts)) + count_rest(changes)


def _count_more(change: Change, *, first: bool) -> str:
    """“3 more complaints about its battery (…)”, and after the first one “2 more about its price (…)”."""
    count = abs(change.more or 0)
    kind = "complaints" if change.worse else "new_praises" if change.added else "praises"
    said: dict[str, str | int] = {"count": count, "aspect": change.aspect, "values": values(change)}
    return say_of(f"reviews.{kind}", count, **said) if first else say(f"reviews.{kind}.next", **said)


def _count_first(change: Change) -> str:
    shown = on_scale(change, say("value.added", after=_show_after(change)))
    count = change.more or 0
    return say_of("reviews.first_praises", count, count=count, aspect=change.aspect, values=shown)


# Facts about an item: what an attribute is decides the clause, and nobody has to review it.

PRICES = ("price", "cost", "costs")
"""Numbers with these names are what an item costs."""

ADJECTIVE, NOUN = "is ", "has "
"""What the name of an attribute that is yes or no may begin with: “is vegan”, “has wifi”."""

SINGULAR = ("ss", "us", "is", "canvas", "gas", "lens", "news", "gps")
"""Endings of English words that end in *s* and are no plurals."""


def state_facts(changes: Sequence[Change], rest: str = "fact.rest") -> str:
    """“it had no wifi and it cost 187 € instead of 120 €”; ``rest`` is the message for those that are not named."""
    clauses = join_words([_state_fact(change, _require_attribute(change)) for change in choose_named(changes)])
    return clauses + count_rest(changes, rest)


def state_facts_now(changes: Sequence[Change]) -> str:
    """“it has wifi and it costs 120 €”."""
    return join_words([_state_fact_now(change, _require_attribute(change)) for change in choose_named(changes)])


def attribute_name(name: str) -> str:
    """The name of an attribute as it is spoken: “has_wifi” is “wifi”."""
    spoken = name.replace("_", " ").strip()
    for beginning in (ADJECTIVE, NOUN):
        spoken = spoken.removeprefix(beginning)
    return spoken or name


def shown_values(change: Change) -> tuple[str, str]:
    """Before and after, as the attribute says them; *unknown* where the item lacks it."""
    attribute = _require_attribute(change)
    before, after = (shown_value(attribute, code) for code in (change.before, change.after))
    if before == after:  # a value between two steps
        before, after = apart(change.before, change.after, digits=attribute.digits)
    return before, after


def _require_attribute(change: Change) -> Attribute:
    assert change.attribute is not None, change.aspect
    return change.attribute


def shown_value(attribute: Attribute, code: float) -> str:
    """A value as the attribute says it: “yes”, “drama”, “120 €”, “unknown”."""
    value = attribute.value(code)
    if value is None:
        return say("fact.unknown")
    if isinstance(value, bool):
        return say("fact.shown_yes" if value else "fact.shown_no")
    if isinstance(value, str):
        return value
    if attribute.format:
        return attribute.format.format(value)
    number = f"{value:z.{attribute.digits}f}"
    return f"{number} {attribute.unit}" if attribute.unit else number


def _is_adjective(attribute: Attribute) -> bool:
    return attribute.name.replace("_", " ").startswith(ADJECTIVE)


def _state_fact(change: Change, attribute: Attribute) -> str:
    name = attribute_name(attribute.name)
    before, after = shown_values(change)
    if attribute.kind == "quality":
        return _state_quality(change, name)
    if change.removed:
        return say("fact.removed", attribute=name, before=before)
    if attribute.kind == "yes_no":
        kind = ("is" if _is_adjective(attribute) else "has") + ("" if attribute.value(change.after) else "_not")
        return say(f"fact.{kind}", attribute=name)
    if change.added:
        return say("fact.added", attribute=name, after=after)
    if attribute.is_number and name.casefold() in PRICES:
        return say("fact.price", before=before, after=after)
    return say("fact.value", attribute=name, before=before, after=after)


def _state_quality(change: Change, name: str) -> str:
    """A quality that reviews tell, beside facts."""
    before, after = change.shown()
    high = _show_end(change.high)
    if change.removed:
        return say("fact.quality_removed", attribute=name, before=before, high=high)
    if change.added:
        return say("fact.quality_added", attribute=name, after=after, high=high)
    return say("fact.quality", attribute=name, before=before, after=after, high=high)


def _state_fact_now(change: Change, attribute: Attribute) -> str:
    name, (before, _) = attribute_name(attribute.name), shown_values(change)
    if attribute.kind == "yes_no":
        kind = ("is" if _is_adjective(attribute) else "has") + ("" if attribute.value(change.before) else "_not")
        return say(f"fact.now_{kind}", attribute=name)
    if attribute.is_number and name.casefold() in PRICES:
        return say("fact.now_price", before=before)
    return say_of("fact.now_value", 2 if sounds_plural(name) else 1, attribute=name, before=before)


def sounds_plural(name: str) -> bool:
    """Whether an English name takes *are* rather than *is*: “stars”, but not “service” or “bass”."""
    last = name.lower().split()[-1] if name.split() else ""
    return last.endswith("s") and not last.endswith(SINGULAR)
