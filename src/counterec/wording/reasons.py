"""A record as a reason for the shopper: “Recommended mainly for its battery; if that were worse, …”.

It is the same verified answer as the sentence for everyone else, and claims no more. Aspects are given as the reason
only if the item is good on each of them, and not where it is ahead by a hair. The user's own past items are given
beside them, and first if more of the lead comes from there; a part that is little of the lead is not given at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from counterec.core.explainers.answer_row import ALREADY_TRUE, NO_TARGET
from counterec.wording.change import MOST_NAMED, Change, choose_named
from counterec.wording.messages import join_words, messages, say, say_of
from counterec.wording.phrases import count_rest, state_facts, state_facts_now
from counterec.wording.record import AnswerRecord, HistoryRecord
from counterec.wording.sentences import state_unknown


def reason(record: AnswerRecord | HistoryRecord) -> str:
    """“Recommended mainly for its battery; if that were worse, Kolvera Tide would be in your list instead.”"""
    if isinstance(record, HistoryRecord):
        return _give_history(record)
    return " ".join([_give_reason(record), *state_unknown(record, "reason.")])


def _give_reason(record: AnswerRecord) -> str:
    row = record.row
    if row.status in (ALREADY_TRUE, NO_TARGET) or (row.status == "failed" and row.question != "why"):
        return _say(record, row.status)
    if record.by_a_hair:
        return _say(record, "hair")
    if record.kept_by_history:
        return _give_past(record, "past_alone")
    if not row.explained or (row.lowers and not all(change.good for change in record.changes)):
        if record.for_history:
            return _give_past(record, "past_overall" if record.mostly_history else "past_among")
        return _say(record, "overall")
    return _explain_lowered(record) if row.lowers else _explain_raised(record)


def _say(record: AnswerRecord, name: str) -> str:
    """Return the message of this name, or its variant for an unknown item below the list."""
    if record.versus is not None:
        return say(f"reason.why_rather.{name}", versus=record.versus)
    key = f"reason.{record.row.question}.{name}"
    if record.row.question != "why" or name not in ("hair", "overall"):
        return say(key)
    return say(key, instead=record.instead) if record.instead else say(f"{key}_alone")


def _give_past(record: AnswerRecord, name: str) -> str:
    """Return the message of this name, which gives the user's past items as the reason, and no aspect."""
    if record.versus is not None:
        return say(f"reason.why_rather.{name}", versus=record.versus, past=_name_past(record))
    return say(f"reason.why.{name}", past=_name_past(record))


def _name_past(record: AnswerRecord) -> str:
    """“because you reviewed A and B”."""
    if not record.past:
        return say("reason.past")
    return say("reason.past_named", items=join_words(record.past))


def _explain_lowered(record: AnswerRecord) -> str:
    if record.facts:
        return _give_facts(record)
    said = {"unless": _state_unless(record)}
    if record.for_aspects:
        said["aspects"] = _name_aspects(record.changes)
    if record.for_history:
        said["past"] = _name_past(record)
    if record.versus is not None:
        return say(f"reason.why_rather.{_choose_weight(record)}", versus=record.versus, **said)
    outcome = say("reason.gone")
    if record.instead is not None:
        outcome = say("reason.instead", instead=record.instead)
    return say(f"reason.why.{_choose_weight(record)}", outcome=outcome, **said)


def _give_facts(record: AnswerRecord) -> str:
    """Say what is so now, and what would be otherwise; past items alone if more of the lead comes from them."""
    said = {"unless": say("fact.if", facts=state_facts(record.changes, "fact.reason.rest"))}
    if record.versus is not None:
        question, said["versus"] = "why_rather", record.versus
    else:
        question = "why"
        outcome = {"instead": record.instead} if record.instead is not None else {}
        said["outcome"] = say("reason.instead" if outcome else "reason.gone", **outcome)
    if record.mostly_history or not record.for_aspects:
        return say(f"reason.{question}.past", past=_name_past(record), **said)
    weight = "mainly" if record.row.equal_sets == 0 and not record.for_history else "among"
    return say(f"fact.reason.{question}.{weight}", now=state_facts_now(record.changes), **said)


def _choose_weight(record: AnswerRecord) -> str:
    """Return which of aspects and history are given, and which first."""
    if not record.for_aspects:
        return "past"
    if record.for_history and record.mostly_history:
        return "past_mainly"
    mainly = "mainly" if record.row.equal_sets == 0 else "among"
    return f"{mainly}_past" if record.for_history else mainly


def _state_unless(record: AnswerRecord) -> str:
    """Say what would have to be different, of *those* where the aspects were named just before."""
    changes = record.changes
    worse, gone = ([change for change in changes if change.removed is removed] for removed in (False, True))
    degree = say("degree.slightly_worse" if all(change.slight for change in worse) else "degree.worse")
    if record.row.question == "why_rather_takes" and record.versus is not None:
        degree = say("degree.matched", versus=record.versus)
    kind = "mixed" if worse and gone else "worse" if worse else "without"
    said = {"degree": degree} if worse else {}
    if len(changes) > MOST_NAMED and record.for_aspects:
        return say(f"reason.{kind}_all", **said)
    if kind != "mixed" and len(changes) > 1 and record.for_aspects and not record.for_history:
        return say(f"reason.{kind}_those", **said)
    if kind == "mixed" and len(changes) > MOST_NAMED:
        return say("reason.mixed_many", aspects=_name_aspects(changes), **said)
    if kind == "mixed":
        return say("reason.mixed", aspects=_name_aspects(worse), others=_name_aspects(gone, "or"), **said)
    return say(f"reason.{kind}", aspects=_name_aspects(changes, "or" if gone else "and"), **said)


def _explain_raised(record: AnswerRecord) -> str:
    if record.facts:
        return say("reason.why_not.would", conditions=state_facts(record.changes, "fact.reason.rest"))
    parts, named = [], choose_named(record.changes)
    if better := [change for change in named if change.moved]:
        degree = say("degree.slightly_better" if all(change.slight for change in better) else "degree.better")
        parts.append(say("reason.better", aspects=_name_aspects(better), degree=degree))
    if added := [change for change in named if change.added]:
        parts.append(say("reason.praised", aspects=_name_aspects(added)))
    return say("reason.why_not.would", conditions=join_words(parts) + count_rest(record.changes, "reason.rest"))


def _name_aspects(changes: Sequence[Change], word: Literal["and", "or"] = "and") -> str:
    """“room, bed and staff”; of many “room, bed, staff and 6 other aspects”."""
    named = [change.aspect for change in choose_named(changes)]
    rest = len(changes) - len(named)
    return join_words([*named, say_of("reason.others", rest, count=rest)] if rest else named, word)


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
