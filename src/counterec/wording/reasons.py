"""A record as a reason for the shopper: “Recommended mainly for its battery; if that were worse, …”.

It is the same verified answer as the sentence for everyone else, and claims no more. Aspects are given as the reason
only if the item is good on each of them, and not where it is ahead by a hair. The user's own past items are given
beside them, and first if more of the lead comes from there; a part that is little of the lead is not given at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from counterec.core.explainers.answer_row import ALREADY_TRUE, NO_TARGET
from counterec.wording.change import Change
from counterec.wording.messages import join_words, messages, say, say_of
from counterec.wording.phrases import facts, facts_now, if_facts
from counterec.wording.record import AnswerRecord, HistoryRecord
from counterec.wording.sentences import unknown

MOST_NAMED, NAMED_FIRST = 4, 3
"""A shopper reads so many aspects in one list; of a longer one the strongest are named, and the others counted."""

SINGULAR = ("ss", "us", "is", "canvas", "gas", "lens", "news", "gps")
"""Endings of English words that end in *s* and are no plurals."""


def reason(record: AnswerRecord | HistoryRecord) -> str:
    """“Recommended mainly for its battery; if that were worse, Kolvera Tide would be in your list instead.”"""
    if isinstance(record, HistoryRecord):
        return _give_history(record)
    return " ".join([_reason(record), *unknown(record, "reason.")])


def _reason(record: AnswerRecord) -> str:
    row = record.row
    if row.status in (ALREADY_TRUE, NO_TARGET) or (row.status == "failed" and row.question != "why"):
        return _say(record, row.status)
    if record.by_a_hair:
        return _say(record, "hair")
    if record.kept_by_history:
        return _for_history(record, "past_alone")
    if not row.explained or (row.lowers and not all(change.good for change in record.changes)):
        if record.for_history:
            return _for_history(record, "past_overall" if record.mostly_history else "past_among")
        return _say(record, "overall")
    return _lowered(record) if row.lowers else _raised(record)


def _say(record: AnswerRecord, name: str) -> str:
    """The message of this name; where the item below the list is not known, one that does without it."""
    if record.versus is not None:
        return say(f"reason.why_rather.{name}", versus=record.versus)
    key = f"reason.{record.row.question}.{name}"
    if record.row.question != "why" or name not in ("hair", "overall"):
        return say(key)
    return say(key, instead=record.instead) if record.instead else say(f"{key}_alone")


def _for_history(record: AnswerRecord, name: str) -> str:
    """The message of this name, which gives the user's past items as the reason, and no aspect."""
    if record.versus is not None:
        return say(f"reason.why_rather.{name}", versus=record.versus, past=_past(record))
    return say(f"reason.why.{name}", past=_past(record))


def _past(record: AnswerRecord) -> str:
    """“because you reviewed A and B”."""
    if not record.past:
        return say("reason.past")
    return say("reason.past_named", items=join_words(record.past))


def _lowered(record: AnswerRecord) -> str:
    if record.facts:
        return _for_facts(record)
    said = {"unless": _unless(record)}
    if record.for_aspects:
        said["aspects"] = _named(record.row.aspects)
    if record.for_history:
        said["past"] = _past(record)
    if record.versus is not None:
        return say(f"reason.why_rather.{_weight(record)}", versus=record.versus, **said)
    outcome = say("reason.gone")
    if record.instead is not None:
        outcome = say("reason.instead", instead=record.instead)
    return say(f"reason.why.{_weight(record)}", outcome=outcome, **said)


def _for_facts(record: AnswerRecord) -> str:
    """What is so now, and what would be otherwise; past items alone where more of the lead comes from there."""
    said = {"unless": if_facts(record.changes)}
    if record.versus is not None:
        question, said["versus"] = "why_rather", record.versus
    else:
        question = "why"
        outcome = {"instead": record.instead} if record.instead is not None else {}
        said["outcome"] = say("reason.instead" if outcome else "reason.gone", **outcome)
    if record.mostly_history or not record.for_aspects:
        return say(f"reason.{question}.past", past=_past(record), **said)
    weight = "mainly" if record.row.equal_sets == 0 and not record.for_history else "among"
    return say(f"fact.reason.{question}.{weight}", now=facts_now(record.changes), **said)


def _weight(record: AnswerRecord) -> str:
    """Which of aspects and history are given, and which first."""
    if not record.for_aspects:
        return "past"
    if record.for_history and record.mostly_history:
        return "past_mainly"
    mainly = "mainly" if record.row.equal_sets == 0 else "among"
    return f"{mainly}_past" if record.for_history else mainly


def _unless(record: AnswerRecord) -> str:
    """What would have to be different; where past items are named as well, it is said of what."""
    worse, gone = ([change for change in record.changes if change.removed is removed] for removed in (False, True))
    degree = say("degree.slightly_worse" if all(change.slight for change in worse) else "degree.worse")
    if record.row.question == "why_rather_takes" and record.versus is not None:
        degree = say("degree.matched", versus=record.versus)
    named = [change.aspect for change in record.changes]
    if record.for_history:
        return _unless_named(worse, gone, degree)
    count = 1 if len(named) == 1 and not sounds_plural(named[0]) else 2
    if not gone:
        return say_of("reason.worse", count, degree=degree)
    if not worse:
        return say_of("reason.without", count)
    listed = {"aspects": _named(_aspects(worse)), "others": _named(_aspects(gone), "or")}
    return say("reason.mixed", degree=degree, **listed)


def _unless_named(worse: Sequence[Change], gone: Sequence[Change], degree: str) -> str:
    said: dict[str, str] = {}
    if worse:
        said |= {"aspects": _named(_aspects(worse)), "degree": degree}
    if gone:
        said["others"] = _named(_aspects(gone), "or")
    return say(f"reason.named_{'mixed' if worse and gone else 'worse' if worse else 'without'}", **said)


def _raised(record: AnswerRecord) -> str:
    if record.facts:
        return say("reason.why_not.would", conditions=facts(record.changes))
    parts = []
    if better := [change for change in record.changes if change.moved]:
        degree = say("degree.slightly_better" if all(change.slight for change in better) else "degree.better")
        parts.append(say("reason.better", aspects=_named(_aspects(better)), degree=degree))
    if added := [change for change in record.changes if change.added]:
        parts.append(say("reason.praised", aspects=_named(_aspects(added))))
    return say("reason.why_not.would", conditions=join_words(parts))


def _aspects(changes: Sequence[Change]) -> list[str]:
    return [change.aspect for change in changes]


def _named(aspects: Sequence[str], word: Literal["and", "or"] = "and") -> str:
    """“room, bed and staff”; of many “room, bed, staff and 6 other aspects”. The sentence beside it names them all."""
    if len(aspects) <= MOST_NAMED:
        return join_words(aspects, word)
    others = say("reason.others", count=len(aspects) - NAMED_FIRST)
    return join_words([*aspects[:NAMED_FIRST], others], word)


def sounds_plural(aspect: str) -> bool:
    """Whether an English aspect takes *those* rather than *that*: “strings”, but not “service” or “bass”."""
    last = aspect.lower().split()[-1] if aspect.split() else ""
    return last.endswith("s") and not last.endswith(SINGULAR)


def _give_history(record: HistoryRecord) -> str:
    """“Recommended because of your past reviews: if you had not reviewed A and B, C would be in your list instead.”"""
    status = record.row.status
    if record.row.leaves:
        outcome = say("reason.gone")
        if record.instead is not None:
            outcome = say("reason.instead", instead=record.instead)
        return say("by_history.reason.explained", reviews=join_words(record.reviews), outcome=outcome)
    if status in ("no_target", "already_true"):
        return say(f"reason.why.{status}")
    key = f"by_history.reason.{status}"
    return say(key if key in messages() else "by_history.reason.not_found")
