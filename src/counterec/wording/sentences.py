"""A record as a sentence for people: the counterfactual, with its scale and what it takes in reviews.

The record decides every word. The shopper's own sentence is in ``reasons``.
"""

from __future__ import annotations

from collections.abc import Sequence

from counterec.core.explainers.answer_row import ALREADY_TRUE, NO_TARGET
from counterec.core.explainers.constraints import NEVER, Constraints
from counterec.wording.change import MOST_NAMED, Change
from counterec.wording.messages import join_words, messages, say, say_of
from counterec.wording.phrases import (
    attribute_name,
    capitalize,
    state_condition,
    state_facts,
    state_given,
    state_match,
    state_reviews,
    values,
)
from counterec.wording.record import MISSED, AnswerRecord, AudienceRecord, HistoryRecord, Record, RerankingRecord

Values = dict[str, str | int]


def sentence(record: Record) -> str:
    """“With 3 more complaints about its battery (4.5 → 2.1 of 5; 16 opinions so far), A would not be recommended.”"""
    match record:
        case AnswerRecord():
            return _tell_answer(record)
        case AudienceRecord():
            return _tell_audience(record)
        case RerankingRecord():
            return _tell_reranking(record)
        case HistoryRecord():
            return _tell_history(record)


def _tell_answer(record: AnswerRecord) -> str:
    row = record.row
    items: Values = {"item": record.item} if record.versus is None else {"item": record.item, "versus": record.versus}
    said = [_state_hair(record, items)]
    if not row.explained and not record.ended_early:
        missed = say(_choose_miss(row.question, row.goal, row.status, facts=record.facts), **items)
        said += [missed, _state_nearest(record), _state_kept(record), _advise(record)]
    else:
        said += [_state_breadth(record.changes, row.proof, rests=row.lowers), _state_counterfactual(record, items)]
    if record.ended_early:
        said.append(say("nearest.ended_early"))
    if row.goal == "complete":
        said.append(_state_verdicts(record))
    said += state_unknown(record)
    return " ".join(part for part in said if part)


def _state_counterfactual(record: AnswerRecord, items: Values) -> str:
    """Say what the changes of an answer do to the place of the item."""
    question, changes = record.row.question, record.changes
    if question != "why_rather_takes" or record.versus is None:
        return _fill_conditional(f"{question}.", changes, items)
    if record.facts:
        return say("why_rather_takes.given", given=say("fact.if", facts=state_facts(changes)), **items)
    return say("why_rather_takes.several", condition=state_match(changes, record.versus), **items)


def _state_breadth(changes: Sequence[Change], proof: str | None, *, rests: bool) -> str:
    """Say that an answer takes more aspects than its sentence names, and what is proven of fewer; else ""."""
    if len(changes) <= MOST_NAMED:
        return ""
    start = "many.rests" if rests else "many.takes"
    if proof == "smallest":  # every set of fewer aspects was tried, each as far as it may go
        return say("many.smallest", start=say(start, many=len(changes)))
    key = "irreducible" if proof == "irreducible" else "found"
    return say(f"many.{key}", start=say(start, many="many"), count=len(changes))


def _state_hair(record: AnswerRecord, items: Values) -> str:
    """Return a sentence noting a narrow margin, or "" if the margin is not narrow."""
    if not record.by_a_hair or record.row.status == ALREADY_TRUE:
        return ""
    if record.versus is not None:
        return say("hair.why_rather", **items)
    if record.instead is not None:
        return say("hair.why_instead", instead=record.instead, **items)
    return say(f"hair.{record.row.question}", **items)


def _tell_audience(record: AudienceRecord) -> str:
    def users(count: int) -> str:
        return say_of("audience.users", record.asked, count=count, asked=record.asked)

    said = []
    if not record.explained:
        missed: Values = {"item": record.item}
        if record.status != NO_TARGET:
            missed["users"] = users(record.had_it if record.status == ALREADY_TRUE else record.wanted)
        said.append(say(_choose_miss("audience", record.goal, record.status, facts=record.facts), **missed))
    if record.changes:
        if record.explained:
            said.append(_state_breadth(record.changes, record.proof, rests=False))
        reached: Values = {"item": record.item, "users": users(record.entered)}
        if record.entered < record.wanted:
            said.append(_fill_conditional("audience.short_", record.changes, reached | {"wanted": record.wanted}))
        else:
            said.append(_fill_conditional("audience.", record.changes, reached))
        if record.had_it:
            said.append(_state_kept_lists(record))
    said.append(_advise(record))
    return " ".join(part for part in said if part)


def _state_kept_lists(record: AudienceRecord) -> str:
    """Say what becomes of the lists that hold the item already."""
    had, kept = record.had_it, record.kept_it
    if kept in (0, had):
        return say_of("audience.all_keep" if kept else "audience.all_lose", had, had=had, item=record.item)
    return say("audience.some_keep", had=had, kept=kept, lost=had - kept, item=record.item)


def _tell_reranking(record: RerankingRecord) -> str:
    before, after, k = record.position_before, record.position_after, record.k
    changed = _state_if_facts(record.changes) if _are_facts(record.changes) else state_given(record.changes)
    said: Values = {"given": changed, "item": record.item, "before": before, "k": k}
    if before == after:
        return say("what_if.stays_within" if after <= k else "what_if.stays_below", **said)
    match before <= k, after <= k:
        case True, False:
            key = "leaves"
        case False, True:
            key = "enters"
        case True, True:
            key = "moves_within"
        case _:
            key = "moves_below"
    return say(f"what_if.{key}", after=after, **said)


def _are_facts(changes: Sequence[Change]) -> bool:
    return all(change.attribute is not None for change in changes)


def _state_if_facts(changes: Sequence[Change]) -> str:
    return capitalize(say("fact.if", facts=state_facts(changes)))


def _fill_conditional(key: str, changes: Sequence[Change], said: Values) -> str:
    """Return a question's sentence: in reviews where they are counted, else in the paper's form."""
    (change, *others) = changes
    if _are_facts(changes):
        return say(f"{key}given", given=_state_if_facts(changes), **said)
    if all(change.counted for change in changes):
        return say(f"{key}given", given=capitalize(state_reviews(changes)), **said)
    if others or not change.moved:
        return say(f"{key}several", condition=state_condition(changes), **said)
    degree = say(f"degree.{change.degree}")
    return say(f"{key}one", aspect=change.aspect, degree=degree, values=values(change), **said)


def _state_verdicts(record: AnswerRecord) -> str:
    """Say what the aspects are necessary and sufficient for, or are not; "" if neither is known."""
    row = record.row
    items: dict[str, str | int] = {"item": record.item}
    if record.versus is not None:
        items["versus"] = record.versus
    key = "verdict.why_rather" if row.compares else "verdict.why"
    names, these = list(row.aspects), "verdict.these"
    if record.facts:
        key, names, these = f"fact.{key}", [attribute_name(name) for name in names], "fact.verdict.these"
    many = say(these, count=len(names)) if len(names) > MOST_NAMED else ""
    claims = []
    if row.necessary is not None:
        name = "necessary" if row.necessary else "not_necessary"
        claims.append(say(f"{key}.{name}", aspects=many or join_words(names, "and" if record.facts else "or"), **items))
    if row.sufficient is not None:
        name = "sufficient" if row.sufficient else "not_sufficient"
        if claims:
            claims.append(say(f"{key}.then_{name}", **items))
        else:
            claims.append(say(f"{key}.alone_{name}", aspects=many or join_words(names), **items))
    return f"{capitalize('; '.join(claims))}." if claims else ""


def _tell_history(record: HistoryRecord) -> str:
    """“If this user had not reviewed A and B, C would not be recommended.”"""
    row = record.row
    if row.leaves:
        said = [say("by_history.explained", reviews=join_words(record.reviews), item=record.item)]
        if row.ended_early:
            said.append(say("by_history.ended_early"))
        return " ".join(said)
    key = f"by_history.{row.status}"
    said = [say(key if key in messages() else f"why.{row.status}", item=record.item)]
    if record.reviews:
        said.append(
            say("by_history.nearest", reviews=join_words(record.reviews), outcome=_state_history_outcome(record))
        )
    return " ".join(said)


def _state_history_outcome(record: HistoryRecord) -> str:
    if record.too_close:
        return say("nearest.too_close")
    if record.row.position_after is None:
        return say("nearest.listed")
    return say("nearest.listed_at", position=record.row.position_after)


# Where there is no explanation: why, what came nearest, and what may help.


def _choose_miss(question: str, goal: str, status: str, *, facts: bool) -> str:
    """Return the key of the message that says why there is no explanation.

    What was proven of single aspects is claimed of single aspects only. Facts have messages without reviews.
    """
    key = f"{question}.{'cannot_flip_single' if goal == 'single' and status == 'cannot_flip' else status}"
    return f"fact.{key}" if facts and f"fact.{key}" in messages() else key


def _state_nearest(record: AnswerRecord) -> str:
    """Say what came nearest, and where the item would still be; "" if nothing did."""
    if not record.changes:
        return ""
    outcome = _state_outcome(record)
    if record.facts:
        return say("nearest.given", given=say("fact.if", facts=state_facts(record.changes)), outcome=outcome)
    if record.row.question == "why_rather_takes" and record.versus is not None:
        matched = state_match(record.changes, record.versus)
        return say("nearest.condition", item=record.item, condition=matched, outcome=outcome)
    if all(change.counted for change in record.changes):
        return say("nearest.given", given=state_reviews(record.changes), outcome=outcome)
    changed = state_condition(record.changes)
    return say("nearest.condition", item=record.item, condition=changed, outcome=outcome)


def _state_outcome(record: AnswerRecord) -> str:
    if record.too_close:
        return say("nearest.too_close")
    if record.versus is not None:
        return say("nearest.ahead", versus=record.versus)
    side = "listed" if record.row.lowers else "below"
    if record.position_after is None:
        return say(f"nearest.{side}")
    return say(f"nearest.{side}_at", position=record.position_after)


def _advise(record: AnswerRecord | AudienceRecord) -> str:
    """Say which settings may help: those that restricted the search; "" if none did."""
    ways = _list_helpful_settings(record)
    if not ways or record.constraints is None:
        return ""
    if isinstance(record, AudienceRecord):
        ways = ["masked_audience" if way == "masked" else way for way in ways]
    said = [_name_way(record.constraints, way, facts=record.facts) for way in ways]
    return say("help.intro", ways="; ".join(said))


def _list_helpful_settings(record: AnswerRecord | AudienceRecord) -> list[str]:
    """Return the names of the settings that restricted the search.

    None if an explanation was found, none is possible, or the item would stay without any aspects.
    """
    status = record.row.status if isinstance(record, AnswerRecord) else record.status
    limits = record.constraints
    if limits is None or status not in MISSED or (isinstance(record, AnswerRecord) and record.kept_by_history):
        return []
    question = record.row.question if isinstance(record, AnswerRecord) else "audience"
    goal = record.row.goal if isinstance(record, AnswerRecord) else record.goal
    reachable, worsens = limits.values == "reachable", question not in ("why_not", "audience")
    applies = {
        "values": reachable and question != "why_rather_takes" and not record.facts,
        "unreviewed_beyond": reachable and worsens and limits.unreviewed_beyond == NEVER and _may_be_unknown(record),
        "masked": limits.masked,
        "keep": bool(limits.keep),
        "bounds": bool(limits.lowest or limits.highest),
        "most": limits.most is not None,
        "goal": goal == "single" and limits.most != 1,
        "relaxed": goal == "relaxed" and record.facts,
    }
    return [name for name, helps in applies.items() if helps]


def _may_be_unknown(record: AnswerRecord | AudienceRecord) -> bool:
    return isinstance(record, AnswerRecord) and record.may_be_unknown


def _name_way(limits: Constraints, way: str, *, facts: bool) -> str:
    if facts and f"fact.help.{way}" in messages():
        return say(f"fact.help.{way}")
    if way == "most" and limits.most is not None:
        return say_of("help.most", limits.most, count=limits.most)
    bounded = {*limits.lowest, *limits.highest}
    if way not in ("keep", "bounds") or len(bounded | set(limits.keep)) > MOST_NAMED:
        return say(f"help.{way}")
    return say(f"help.{way}_named", aspects=join_words(limits.keep if way == "keep" else sorted(bounded)))


# What stands behind an answer.


def background(record: AnswerRecord | AudienceRecord) -> str:
    """Say where the item's lead comes from, and in how many nets the answer holds; "" if neither is known.

    It is shown beside the sentence: inside it, readers took it for a part of the reason, or for a retraction.
    """
    if isinstance(record, AudienceRecord):
        return _count_nets_for_audience(record)
    return " ".join(part for part in (state_lead(record), _count_nets(record)) if part)


def state_lead(record: AnswerRecord) -> str:
    """“Of its lead over B, 70% comes from its aspects and 30% from what the user reviewed before (…).”

    If the parts have different signs, the one that counts against the whole is named as such. Return "" if the parts
    are unknown, or history is less than half a percent of the whole.
    """
    aspects, history = record.row.lead_aspects, record.row.lead_history
    if aspects is None or not history:
        return ""
    items = {"other": _name_other(record), "past": _name_past(record)}
    whole = aspects + history
    key = "lead.ahead" if whole >= 0 else "lead.behind"
    share = round(100 * history / whole) if whole else -1
    if 0 <= share <= 100:
        return say(key, aspects=100 - share, history=share, **items) if share else ""
    return say(f"{key}_only_{'history' if (history > 0) == (whole >= 0) else 'aspects'}", **items)


def _state_kept(record: AnswerRecord) -> str:
    """Say that only the user's history keeps the item where it is; "" otherwise."""
    if not record.kept_by_history:
        return ""
    if record.versus is not None:
        return say("kept.why_rather", versus=record.versus, past=_name_past(record))
    return say("kept.why", past=_name_past(record))


def _count_nets(record: AnswerRecord) -> str:
    """“This holds in 2 of the 2 nets, of 3, that agree with the list.” "" without several nets."""
    row = record.row
    if row.nets is None or row.nets == 1 or row.nets_agree is None or row.nets_hold is None:
        return ""
    key = f"holds.{'order' if row.compares else 'list'}"
    if not row.nets_agree:
        return say(f"{key}.none", nets=row.nets)
    if row.nets_agree == 1:
        return say(f"{key}.one_holds" if row.nets_hold else f"{key}.one_fails", nets=row.nets)
    if row.nets_agree == row.nets:
        return say(f"{key}.all", hold=row.nets_hold, nets=row.nets)
    return say(f"{key}.some", hold=row.nets_hold, agree=row.nets_agree, nets=row.nets)


def _count_nets_for_audience(record: AudienceRecord) -> str:
    """“In 2 of the 3 nets, whose mean decides, it would enter at least 10 of these lists.” "" if unknown."""
    if record.nets is None or record.nets == 1 or record.nets_hold is None or not record.explained:
        return ""
    key = {0: "none", record.nets: "all"}.get(record.nets_hold, "some")
    said = {"nets": record.nets, "wanted": record.wanted}
    some = {"hold": record.nets_hold} if key == "some" else {}
    return say(f"holds.audience.{key}", **said, **some)


def state_unknown(record: AnswerRecord, prefix: str = "") -> list[str]:
    """Say that nothing is known of the user, or of the item: one part each. ``prefix`` begins the messages' keys."""
    user = [say(f"{prefix}unknown.user")] if record.new_user else []
    return user + ([say(f"{prefix}unknown.item", item=record.item)] if record.new_item else [])


def _name_past(record: AnswerRecord) -> str:
    """“what the user reviewed before (above all A and B)”."""
    if not record.past:
        return say("lead.past")
    return say("lead.past_named", items=join_words(record.past))


def _name_other(record: AnswerRecord) -> str:
    """Return the item that the lead is over."""
    known = record.versus or record.instead
    return known or say("lead.first_below" if record.row.lowers else "lead.last_listed")
