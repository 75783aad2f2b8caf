"""What sentences are made of: changes, put into words and grouped."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.wording.change import DEGREES, Change, whole
from counterec.wording.message_catalogue import Catalogue
from counterec.wording.record import Told


def capital(text: str) -> str:
    """The text as the beginning of a sentence; only for text that begins with a word of the catalogue."""
    return text[:1].upper() + text[1:]


def values(words: Catalogue, change: Change) -> str:
    """“3.0 → 2.1”."""
    return words.say("value.change", before=before(words, change), after=after(words, change))


def before(words: Catalogue, change: Change) -> str:
    """The value before, with enough digits."""
    return words.number(change.shown()[0])


def after(words: Catalogue, change: Change) -> str:
    """The value after, with enough digits; or beyond which end of the scale it lies."""
    if not change.off_scale:
        return words.number(change.shown()[1])
    if change.after < change.low:
        return words.say("value.under", bound=words.number(whole(change.low)))
    return words.say("value.over", bound=words.number(whole(change.high)))


def condition(words: Catalogue, told: Sequence[Change]) -> str:
    """What would have to be different, as a clause with the item for its subject."""
    parts = []
    groups = [
        words.say_of("condition.group", len(group), degree=words.say(f"degree.{degree}"), aspects=moved(words, group))
        for degree in DEGREES
        if (group := [change for change in told if change.moved and change.degree == degree])
    ]
    if groups:
        parts.append(words.say("condition.moved", groups=words.listed(groups)))
    if added := [change for change in told if change.added]:
        named = [words.say("aspect.added", aspect=change.aspect, after=after(words, change)) for change in added]
        parts.append(words.say_of("condition.added", len(added), aspects=words.listed(named)))
    if gone := [change for change in told if change.removed]:
        parts.append(words.say("condition.removed", aspects=removed(words, gone)))
    return words.listed(parts)


def taking(words: Catalogue, told: Sequence[Change], versus: str) -> str:
    """The same where the item takes the values of another one."""
    parts = []
    if kept := [change for change in told if not change.removed]:
        parts.append(words.say("condition.taken", versus=versus, aspects=moved(words, kept)))
    if gone := [change for change in told if change.removed]:
        parts.append(words.say("condition.taken_absent", versus=versus, aspects=removed(words, gone)))
    return words.listed(parts)


def given(words: Catalogue, told: Sequence[Change]) -> str:
    """What was changed, where nobody asks for it to be better or worse."""
    parts = []
    if kept := [change for change in told if change.moved]:
        named = [
            words.say("aspect.given", aspect=change.aspect, before=before(words, change), after=after(words, change))
            for change in kept
        ]
        parts.append(words.say("what_if.moved", aspects=words.listed(named)))
    if added := [change for change in told if change.added]:
        named = [words.say("aspect.given_added", aspect=change.aspect, after=after(words, change)) for change in added]
        parts.append(words.say("what_if.added", aspects=words.listed(named)))
    if gone := [change for change in told if change.removed]:
        parts.append(words.say("what_if.removed", aspects=removed(words, gone)))
    return capital(words.listed(parts))


def moved(words: Catalogue, told: Sequence[Change]) -> str:
    """“battery (3.0 → 2.1) and price (4.0 → 3.5)”."""
    return words.listed(
        [words.say("aspect.moved", aspect=change.aspect, values=values(words, change)) for change in told]
    )


def removed(words: Catalogue, told: Sequence[Change]) -> str:
    """“battery (now 3.0) or price (now 4.0)”."""
    named = [words.say("aspect.removed", aspect=change.aspect, before=before(words, change)) for change in told]
    return words.listed(named, "or")


def verdicts(words: Catalogue, told: Told) -> str:
    """Of which the explanation is necessary and sufficient, or is not, as a sentence; empty where neither is known."""
    who: dict[str, str | int] = {"item": told.item}
    if told.versus is not None:
        who["versus"] = told.versus
    key, aspects = "verdict.why_rather" if told.compares else "verdict.why", [c.aspect for c in told.changes]
    claims = []
    if told.necessary is not None:
        name = "necessary" if told.necessary else "not_necessary"
        claims.append(words.say(f"{key}.{name}", aspects=words.listed(aspects, "or"), **who))
    if told.sufficient is not None:
        name = "sufficient" if told.sufficient else "not_sufficient"
        if claims:
            claims.append(words.say(f"{key}.then_{name}", **who))
        else:
            claims.append(words.say(f"{key}.alone_{name}", aspects=words.listed(aspects), **who))
    return f"{capital(words.say('list.semicolon').join(claims))}." if claims else ""
