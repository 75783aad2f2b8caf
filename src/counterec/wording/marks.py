"""What is established about an answer, as marks: a few words each (“checked”, “nothing smaller works”) with a meaning.

Page, report and command line show the same marks, and the same meanings in their legends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from counterec.core.arrays import require
from counterec.core.explainers.answer_row import ALREADY_TRUE, PROOFS, STATUSES
from counterec.wording.messages import messages, say
from counterec.wording.record import AnswerRecord, AudienceRecord, HistoryRecord, Record

Tone = Literal["established", "note", "caution"]
"""What a mark does for the reader's trust: raises it, leaves it, or limits it."""

_TONES: dict[str, Tone] = {
    "checked": "established",
    "exact": "established",
    "smallest": "established",
    "irreducible": "established",
    "necessary": "established",
    "sufficient": "established",
    "nets": "note",
    "hair": "caution",
    "found": "caution",
    "unreviewed": "note",
    "continuous": "note",
    "ended_early": "caution",
    "history": "note",
    "new_user": "caution",
    "new_item": "caution",
}
"""The marks of answers in the order in which they are shown; a miss has a mark by the name of its status."""

_MISSES = tuple(status for status in STATUSES if status != "explained")
_EXAMPLE = {"hold": 2, "agree": 3, "nets": 3}
"""The counts by which a legend explains the mark of the nets."""


@dataclass(frozen=True)
class Mark:
    """One thing that is established about an answer."""

    name: str
    label: str
    """A few words, to show."""
    meaning: str
    """One sentence, for the legend and for whoever points at the mark."""
    tone: Tone

    def __post_init__(self) -> None:
        require(self.name in _TONES or self.name in _MISSES, f"unknown mark {self.name!r}")
        require(bool(self.label and self.meaning), f"the mark {self.name} says nothing")


def marks(record: Record) -> tuple[Mark, ...]:
    """The marks of an answer, in the order of the legend; a new ranking has none: it claims nothing but itself."""
    match record:
        case AnswerRecord():
            names = set(_answer(record))
        case AudienceRecord():
            names = set(_found(record.explained, record.status, record.proof))
        case HistoryRecord():
            row = record.row
            names = set(_found(row.explained, row.status, row.proof, ended_early=row.ended_early))
        case _:
            return ()
    counts = _nets(record) if isinstance(record, AnswerRecord) else {}
    listed = [*(name for name in _TONES if name in names), *(name for name in _MISSES if name in names)]
    own = "by_history." if isinstance(record, HistoryRecord) else "fact." if record.facts else ""
    return tuple(_mark(name, own, counts if name == "nets" else {}) for name in listed)


def legend(*, facts: bool = False) -> tuple[Mark, ...]:
    """Every mark that an answer can have; ``facts``: where aspects are attributes of a schema."""
    own = "fact." if facts else ""
    return tuple(_mark(name, own, _EXAMPLE if name == "nets" else {}) for name in (*_TONES, *_MISSES))


def _answer(record: AnswerRecord) -> Iterator[str]:
    row = record.row
    yield from _found(row.explained, row.status, row.proof, ended_early=record.ended_early)
    flips = row.explained or record.ended_early
    claims = {
        "necessary": bool(row.necessary),
        "sufficient": bool(row.sufficient),
        "nets": bool(_nets(record)),
        "hair": record.by_a_hair and row.status != ALREADY_TRUE,
        "unreviewed": flips and row.values == "unreviewed",
        "continuous": flips and row.values == "continuous",
        "history": record.kept_by_history,
        "new_user": record.new_user,
        "new_item": record.new_item,
    }
    yield from (name for name, claimed in claims.items() if claimed)


def _found(explained: bool, status: str, proof: str | None, *, ended_early: bool = False) -> Iterator[str]:
    """That a change was found and checked, and how small it is proven to be; or why there is none."""
    if ended_early:
        yield from ("checked", "ended_early")
    elif not explained:
        yield status
    else:
        yield "checked"
        if proof in PROOFS:
            yield proof


def _nets(record: AnswerRecord) -> dict[str, int]:
    """The counts of the mark of the nets; empty where there are no several nets to ask."""
    row = record.row
    if row.nets is None or row.nets == 1 or row.nets_agree is None or row.nets_hold is None:
        return {}
    return {"hold": row.nets_hold, "agree": row.nets_agree, "nets": row.nets}


def _mark(name: str, own: str, counts: dict[str, int]) -> Mark:
    if name in _MISSES:
        meaning = say(_key(f"mark.status.{name}", own))
        return Mark(name, say(f"status.{name}"), meaning, "note" if name == ALREADY_TRUE else "caution")
    meaning = say(_key(f"mark.{name}.meaning", own), **counts)
    if name == "nets":
        return Mark(name, _nets_label(**counts), meaning, _nets_tone(**counts))
    return Mark(name, say(_key(f"mark.{name}.label", own)), meaning, _TONES[name])


def _nets_label(hold: int, agree: int, nets: int) -> str:
    if not agree:
        return say("mark.nets.label.none")
    if hold == nets:
        return say("mark.nets.label.all", nets=nets)
    if agree == 1:
        return say(f"mark.nets.label.{'one_holds' if hold else 'one_fails'}")
    return say("mark.nets.label.some", hold=hold, agree=agree)


def _nets_tone(hold: int, agree: int, nets: int) -> Tone:
    """An answer that some net contradicts, or that no net confirms, is a matter of this one training."""
    if hold == nets:
        return "established"
    return "note" if agree and hold == agree else "caution"


def _key(key: str, own: str) -> str:
    """The message for facts, or for answers by history, where there is one of its own."""
    return f"{own}{key}" if f"{own}{key}" in messages() else key
