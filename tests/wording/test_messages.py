"""Messages: each of them is used, and gets exactly the values it needs."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from counterec import cli
from counterec.errors import InvalidValueError
from counterec.wording import (
    AnswerRecord,
    AudienceRecord,
    HistoryRecord,
    background,
    legend,
    marks,
    messages,
    reason,
    sentence,
)
from counterec.wording.messages import say
from tests.wording.records import by_history_records, every_record

PRINTED = ("status.explained", "audience.left_out.")
"""Messages that the commands and the page use themselves."""


def test_no_message_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    said = set()
    templates = messages.messages()

    class Noted(dict[str, str]):
        def __getitem__(self, key: str) -> str:
            said.add(key)
            return super().__getitem__(key)

    noted = Noted(templates)
    monkeypatch.setattr(messages, "messages", lambda: noted)
    messages.placeholders.cache_clear()
    for record in (*every_record(), *by_history_records()):
        sentence(record)
        marks(record)
        if isinstance(record, AnswerRecord | HistoryRecord):
            reason(record)
        if isinstance(record, AnswerRecord | AudienceRecord):
            background(record)
    legend()
    legend(facts=True)
    unsaid = templates.keys() - said
    assert {key for key in unsaid if not key.startswith(PRINTED)} == set()
    assert any('"audience.left_out"' in path.read_text() for path in Path(cli.__path__[0]).glob("*.py"))


def test_every_placeholder_is_a_bare_name() -> None:
    for key, template in messages.messages().items():
        for _, name, form, kind in Formatter().parse(template):
            assert name is None or (name.isidentifier() and not form and not kind), key


@pytest.mark.parametrize("values", [{"versus": "B"}, {"item": "A", "versus": "B", "k": 5}])
def test_the_values_are_exactly_those_a_message_needs(values: dict[str, str | int]) -> None:
    assert say("hair.why_rather", item="{versus}", versus=2) == "{versus} is ahead of 2 only by a hair."
    problem = f"message hair.why_rather has placeholders ['item', 'versus'], but the values are {sorted(values)}"
    with pytest.raises(InvalidValueError, match=re.escape(problem)):
        say("hair.why_rather", **values)
