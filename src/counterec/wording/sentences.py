"""An answer as a sentence for the one it is about, in the paper's form; every word of it is decided by the row."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.wording.change import Change
from counterec.wording.message_catalogue import Catalogue, catalogue
from counterec.wording.phrases import condition, given, taking, values, verdicts
from counterec.wording.record import ALREADY_TRUE, NO_TARGET, Told, ToldAudience, ToldRanking

Values = dict[str, str | int]


def sentence(told: Told | ToldAudience | ToldRanking, language: str = "en") -> str:
    """“If the battery of Phone A had been slightly worse (3.0 → 2.1), it would not be recommended.”"""
    words = catalogue(language)
    match told:
        case Told():
            return _of_one(words, told)
        case ToldAudience():
            return _of_audience(words, told)
        case ToldRanking():
            return _of_ranking(words, told)


def _of_one(words: Catalogue, told: Told) -> str:
    who: Values = {"item": told.item} if told.versus is None else {"item": told.item, "versus": told.versus}
    if not told.explained:
        return words.say(f"{told.question}.{_reason(told)}", **who)
    if told.versus is not None and told.question == "why_rather_takes":
        said = words.say("why_rather_takes.several", condition=taking(words, told.changes, told.versus), **who)
    else:
        said = _conditional(words, f"{told.question}.", told.changes, who)
    judged = verdicts(words, told) if told.goal == "complete" else ""
    return f"{said} {judged}" if judged else said


def _of_audience(words: Catalogue, told: ToldAudience) -> str:
    def users(count: int) -> str:
        return words.say_of("audience.users", told.asked, count=count, asked=told.asked)

    said = []
    if not told.explained:
        who: Values = {"item": told.item}
        if told.status != NO_TARGET:
            who["users"] = users(told.had_it if told.status == ALREADY_TRUE else told.wanted)
        said.append(words.say(f"audience.{_reason(told)}", **who))
    if told.changes:
        reached: Values = {"item": told.item, "users": users(told.entered)}
        if told.entered < told.wanted:
            said.append(_conditional(words, "audience.short_", told.changes, reached | {"wanted": told.wanted}))
        else:
            said.append(_conditional(words, "audience.", told.changes, reached))
        if told.had_it:
            said.append(_kept(words, told))
    return " ".join(said)


def _kept(words: Catalogue, told: ToldAudience) -> str:
    """What becomes of the users who have the item as it is."""
    had, kept = told.had_it, told.kept_it
    if kept in (0, had):
        return words.say_of("audience.all_keep" if kept else "audience.all_lose", had, had=had, item=told.item)
    return words.say("audience.some_keep", had=had, kept=kept, lost=had - kept, item=told.item)


def _of_ranking(words: Catalogue, told: ToldRanking) -> str:
    before, after, k = told.position_before, told.position_after, told.k
    said: Values = {"given": given(words, told.changes), "item": told.item, "before": before, "k": k}
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


def _conditional(words: Catalogue, key: str, changes: Sequence[Change], said: Values) -> str:
    """A question's sentence: for one aspect that gets better or worse, or for anything else."""
    (change, *others) = changes
    if others or not change.moved:
        return words.say(f"{key}several", condition=condition(words, changes), **said)
    degree = words.say(f"degree.{change.degree}")
    return words.say(f"{key}one", aspect=change.aspect, degree=degree, values=values(words, change), **said)


def _reason(told: Told | ToldAudience) -> str:
    """Why there is no explanation. What is proven of a single aspect is said of a single aspect."""
    return "cannot_flip_single" if told.goal == "single" and told.status == "cannot_flip" else told.status
