"""The review sentences behind a value: who says what about an aspect of an item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterec.pipeline.evidence import OTHERS, evidence_of
from counterec.pipeline.layout import MENTIONS

if TYPE_CHECKING:
    from counterec.report.privacy import Privacy
    from counterec.run import Run


@dataclass(frozen=True)
class Quote:
    """One mention of an aspect."""

    praises: bool
    words: str | None
    """The sentence; None where the source has no text."""
    by: str
    """Who says so."""
    counted: bool
    """Whether it counts for the value; what is held out does not."""


def quotes(run: Run, item_id: str, aspect: str, privacy: Privacy) -> tuple[Quote, ...] | None:
    """What is said about an aspect of an item, what counts first; None where the run has no mentions, or no text may
    be shown."""
    if not run.has(MENTIONS) or not privacy.shows_text:
        return None
    found = [
        Quote(row["sentiment"] > 0, row["words"], privacy.user(row["user_id"]), row["part"] in ("train", OTHERS))
        for row in evidence_of(run, aspect, item_id=item_id).mentions
    ]
    return tuple(sorted(found, key=lambda quote: not quote.counted))
