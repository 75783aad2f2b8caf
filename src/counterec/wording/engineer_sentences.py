"""The same for engineers: the numbers of a row in one sentence; what is not known is left out."""

from __future__ import annotations

from collections.abc import Sequence

from counterec.wording.change import Change, apart
from counterec.wording.message_catalogue import Catalogue, catalogue
from counterec.wording.record import Told, ToldAudience, ToldRanking

DIGITS = 4
"""So many digits are shown, or as many more as it takes to tell two numbers apart."""


def engineer_sentence(told: Told | ToldAudience | ToldRanking, language: str = "en") -> str:
    """“Phone A: battery 3.0000 → 2.1012; score 42.0000 → 37.4996, target 37.5000; …”"""
    words = catalogue(language)
    match told:
        case Told():
            facts = [
                *_outcome(words, told.status, told.changes),
                _scores(words, told.score_before, told.score_after, told.target),
                _positions(words, told.position_before, told.position_after, told.k),
                _verdicts(words, told),
                _search(words, told.goal, told.proof),
            ]
            head, versus = f"engineer.{told.question}", told.versus
        case ToldAudience():
            facts = [
                *_outcome(words, told.status, told.changes),
                _together(
                    words,
                    words.say("engineer.reached", entered=told.entered, asked=told.asked),
                    words.say("engineer.wanted", wanted=told.wanted),
                    words.say("engineer.had", had=told.had_it),
                    words.say("engineer.kept", kept=told.kept_it),
                ),
                _search(words, told.goal, told.proof),
            ]
            head, versus = "engineer.audience", None
        case ToldRanking():
            facts = [
                _changes(words, told.changes),
                _scores(words, told.score_before, told.score_after, None),
                _positions(words, told.position_before, told.position_after, told.k),
            ]
            head, versus = "engineer.what_if", None
    said = words.say("list.semicolon").join(fact for fact in facts if fact)
    if versus is None:
        return words.say(head, item=told.item, facts=said)
    return words.say(head, item=told.item, versus=versus, facts=said)


def _together(words: Catalogue, *facts: str) -> str:
    return words.say("list.comma").join(fact for fact in facts if fact)


def _outcome(words: Catalogue, status: str, changes: Sequence[Change]) -> list[str]:
    if status == "explained":
        return [_changes(words, changes)]
    missed = [words.say("engineer.miss", changes=_changes(words, changes))] if changes else []
    return [words.say("engineer.status", status=status), *missed]


def _changes(words: Catalogue, changes: Sequence[Change]) -> str:
    said = []
    for change in changes:
        before, after = (words.number(shown) for shown in change.shown(DIGITS))
        absent = words.say("engineer.absent") if change.added or change.removed else ""
        said.append(
            words.say(
                "engineer.change",
                aspect=change.aspect,
                before=absent if change.added else before,
                after=absent if change.removed else after,
            )
        )
    return words.listed(said)


def _scores(words: Catalogue, before: float | None, after: float | None, target: float | None) -> str:
    known = {
        name: value for name, value in (("before", before), ("after", after), ("target", target)) if value is not None
    }
    shown = {name: words.number(text) for name, text in zip(known, apart(*known.values(), digits=DIGITS), strict=True)}
    aim = words.say("engineer.target", target=shown.pop("target")) if "target" in shown else ""
    return _together(words, _before_and_after(words, "engineer.score", shown), aim)


def _positions(words: Catalogue, before: int | None, after: int | None, k: int) -> str:
    shown = {name: str(value) for name, value in (("before", before), ("after", after)) if value is not None}
    moved = _before_and_after(words, "engineer.position", shown)
    return _together(words, moved, words.say("engineer.k", k=k)) if moved else ""


def _before_and_after(words: Catalogue, key: str, shown: dict[str, str]) -> str:
    if not shown:
        return ""
    return words.say(key if len(shown) == 2 else f"{key}_{next(iter(shown))}", **shown)


def _verdicts(words: Catalogue, told: Told) -> str:
    judged = {"necessary": told.necessary, "sufficient": told.sufficient}
    known = [name if value else f"not_{name}" for name, value in judged.items() if value is not None]
    return _together(words, *(words.say(f"engineer.{name}") for name in known))


def _search(words: Catalogue, goal: str, proof: str | None) -> str:
    proven = words.say("engineer.proof", proof=proof) if proof not in (None, "none") else ""
    return _together(words, words.say("engineer.goal", goal=goal), proven)
