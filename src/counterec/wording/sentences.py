"""A record as a sentence for people: the counterfactual, with its scale and what it takes in reviews.

The record decides every word. The shopper's own sentence is in ``reasons``.
"""

from __future__ import annotations

from collections.abc import Sequence

from counterec.core.explainers.answer_row import ALREADY_TRUE, NO_TARGET
from counterec.wording.background import kept, unknown
from counterec.wording.change import Change
from counterec.wording.facts import if_facts
from counterec.wording.history_record import HistoryRecord
from counterec.wording.history_sentences import history_sentence
from counterec.wording.message_catalogue import Catalogue, catalogue
from counterec.wording.misses import advice, miss_key, nearest
from counterec.wording.phrases import capital, condition, given, matching, now, values, verdicts
from counterec.wording.record import AnswerRecord, AudienceRecord, Record, RerankingRecord
from counterec.wording.review_phrases import in_reviews, spoken_of

Values = dict[str, str | int]


def sentence(record: Record, language: str = "en") -> str:
    """“With 3 more complaints about its battery (4.5 → 2.1 of 5; 16 opinions so far), A would not be recommended.”"""
    words = catalogue(language)
    match record:
        case AnswerRecord():
            return _answer(words, record)
        case AudienceRecord():
            return _audience(words, record)
        case RerankingRecord():
            return _reranking(words, record)
        case HistoryRecord():
            return history_sentence(record, language)


def _answer(words: Catalogue, record: AnswerRecord) -> str:
    row = record.row
    items: Values = {"item": record.item} if record.versus is None else {"item": record.item, "versus": record.versus}
    said = [_hair(words, record, items)]
    if not row.explained and not record.ended_early:
        missed = words.say(miss_key(words, row.question, row.goal, row.status, facts=record.facts), **items)
        said += [missed, nearest(words, record), kept(words, record), advice(words, record)]
    elif record.facts and row.question == "why_rather_takes":
        said.append(words.say("why_rather_takes.given", given=if_facts(words, record.changes), **items))
    elif record.versus is not None and row.question == "why_rather_takes":
        matched = matching(words, record.changes, record.versus)
        said.append(words.say("why_rather_takes.several", condition=matched, **items))
    else:
        said.append(_conditional(words, f"{row.question}.", record.changes, items))
    if record.ended_early:
        said.append(words.say("nearest.ended_early"))
    if row.goal == "complete":
        said.append(verdicts(words, record))
    said += unknown(words, record)
    return " ".join(part for part in said if part)


def _hair(words: Catalogue, record: AnswerRecord, items: Values) -> str:
    """That the item is where it is by a hair, where it is."""
    if not record.by_a_hair or record.row.status == ALREADY_TRUE:
        return ""
    if record.versus is not None:
        return words.say("hair.why_rather", **items)
    if record.instead is not None:
        return words.say("hair.why_instead", instead=record.instead, **items)
    return words.say(f"hair.{record.row.question}", **items)


def _audience(words: Catalogue, record: AudienceRecord) -> str:
    def users(count: int) -> str:
        return words.say_of("audience.users", record.asked, count=count, asked=record.asked)

    said = []
    if not record.explained:
        missed: Values = {"item": record.item}
        if record.status != NO_TARGET:
            missed["users"] = users(record.had_it if record.status == ALREADY_TRUE else record.wanted)
        said.append(words.say(miss_key(words, "audience", record.goal, record.status, facts=record.facts), **missed))
    if record.changes:
        reached: Values = {"item": record.item, "users": users(record.entered)}
        if record.entered < record.wanted:
            said.append(_conditional(words, "audience.short_", record.changes, reached | {"wanted": record.wanted}))
        else:
            said.append(_conditional(words, "audience.", record.changes, reached))
        if record.had_it:
            said.append(_kept(words, record))
    said.append(advice(words, record))
    return " ".join(part for part in said if part)


def _kept(words: Catalogue, record: AudienceRecord) -> str:
    """What becomes of the lists that hold the item already."""
    had, kept = record.had_it, record.kept_it
    if kept in (0, had):
        return words.say_of("audience.all_keep" if kept else "audience.all_lose", had, had=had, item=record.item)
    return words.say("audience.some_keep", had=had, kept=kept, lost=had - kept, item=record.item)


def _reranking(words: Catalogue, record: RerankingRecord) -> str:
    before, after, k = record.position_before, record.position_after, record.k
    changed = capital(if_facts(words, record.changes)) if _are_facts(record.changes) else given(words, record.changes)
    said: Values = {"given": changed, "item": record.item, "before": before, "k": k}
    if before == after:
        return words.say("what_if.stays_within" if after <= k else "what_if.stays_below", **said)
    match before <= k, after <= k:
        case True, False:
            key = "leaves"
        case False, True:
            key = "enters"
        case True, True:
            key = "moves_within"
        case _:
            key = "moves_below"
    return words.say(f"what_if.{key}", after=after, **said)


def _are_facts(changes: Sequence[Change]) -> bool:
    return all(change.attribute is not None for change in changes)


def _conditional(words: Catalogue, key: str, changes: Sequence[Change], said: Values) -> str:
    """A question's sentence: in reviews where they are counted, else in the paper's form."""
    (change, *others) = changes
    if _are_facts(changes):
        return words.say(f"{key}given", given=capital(if_facts(words, changes)), **said)
    if all(change.counted for change in changes):
        if not all(change.removed for change in changes):
            return words.say(f"{key}given", given=capital(in_reviews(words, changes)), **said)
        if not others:
            return words.say(f"{key}unreviewed", aspect=change.aspect, now=now(words, change), **said)
        return words.say(f"{key}unreviewed_several", aspects=spoken_of(words, changes), **said)
    if others or not change.moved:
        return words.say(f"{key}several", condition=condition(words, changes), **said)
    degree = words.say(f"degree.{change.degree}")
    return words.say(f"{key}one", aspect=change.aspect, degree=degree, values=values(words, change), **said)
