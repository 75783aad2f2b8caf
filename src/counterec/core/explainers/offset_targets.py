"""Offsets in targets: where one item moves, its offset does not, and the target takes it up.

f(X, Y) + offset < target holds exactly if f(X, Y) < target − offset. So a search looks at the aspect part alone, which
may have layers to follow. What it finds is confirmed by whole scores.
"""

from __future__ import annotations

from dataclasses import replace

from counterec.core.explainers.question import Question
from counterec.core.scorers.base import Scorer, has_offset, offsets_of


def for_aspect_part(scorer: Scorer, question: Question) -> Question:
    """The same question about the aspect part of the scorer: every target less the offset of its pair."""
    if not has_offset(scorer):
        return question
    return replace(question, target=question.target - offsets_of(scorer, question.users, question.items))
