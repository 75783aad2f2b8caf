"""Catalogues: the same messages in every language, and each of them is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import cli
from counterec.core.explainers.answer_row import STATUSES
from counterec.errors import InvalidValueError, UsageError
from counterec.wording import (
    AnswerRecord,
    AudienceRecord,
    Catalogue,
    HistoryRecord,
    background,
    catalogue,
    engineer_sentence,
    languages,
    legend,
    marks,
    reason,
    sentence,
)
from counterec.wording.record_html import answer_html
from tests.wording.records import by_history_records, every_record

ENGLISH = catalogue("en")
PRINTED = ("heading.", "status.explained", "audience.left_out.", "what_if.nothing")
"""What is said by the commands themselves."""


def test_english_and_another_language() -> None:
    assert languages() == ("de", "en")


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_messages_of_english_with_the_same_placeholders(language: str) -> None:
    found = catalogue(language)
    assert found.language == language
    assert found.messages.keys() == ENGLISH.messages.keys()
    assert found.placeholders == ENGLISH.placeholders


@pytest.mark.parametrize("language", languages())
def test_a_sentence_ends_with_a_full_stop_in_every_language_or_in_none(language: str) -> None:
    found = catalogue(language)
    for key, template in ENGLISH.messages.items():
        if key != "numbers.decimal":
            assert found.messages[key].endswith(".") == template.endswith("."), key


def test_an_unknown_language_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="no language 'fr'; one of de, en"):
        catalogue("fr")
    with pytest.raises(UsageError, match=r"no language '\.\./en'"):
        catalogue("../en")


@pytest.mark.parametrize("language", languages())
def test_no_message_is_dead(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = set()
    say = Catalogue.say

    def noted(self: Catalogue, key: str, /, **values: str | int) -> str:
        said.add(key)
        return say(self, key, **values)

    monkeypatch.setattr(Catalogue, "say", noted)
    for record in (*every_record(), *by_history_records()):
        sentence(record, language)
        engineer_sentence(record, language)
        marks(record, language)
        if isinstance(record, AnswerRecord | HistoryRecord):
            reason(record, language)
        if isinstance(record, AnswerRecord):
            answer_html(record, language)
        if isinstance(record, AnswerRecord | AudienceRecord):
            background(record, language)
    legend(language)
    legend(language, facts=True)
    unsaid = ENGLISH.messages.keys() - said
    assert {key for key in unsaid if not key.startswith(PRINTED)} == set()
    commands = "".join(file.read_text() for file in Path(cli.__path__[0]).glob("*.py"))
    for key in unsaid:
        name = key.removesuffix(".one").removesuffix(".other")
        assert f'"{name}"' in commands or f'"{name.partition(".")[2]}"' in commands, key


def test_every_status_has_a_word_in_every_language() -> None:
    for language in languages():
        said = {status: catalogue(language).say(f"status.{status}") for status in STATUSES}
        assert len(set(said.values())) == len(STATUSES)
        assert not any("_" in word for word in said.values())


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ({"a": "{item}"}, "xx has no message b, but en does"),
        ({"a": "{item}", "b": "b", "c": "c"}, "xx has a message c, but en does not"),
        ({"a": "{name}", "b": "b"}, r"message a has placeholders \['name'\] in xx, expected \['item'\]"),
        ({"a": "item", "b": "b"}, r"message a has placeholders \[\] in xx, expected \['item'\]"),
    ],
)
def test_a_language_that_differs_is_refused(messages: dict[str, str], problem: str) -> None:
    reference = Catalogue("en", {"a": "The {item}.", "b": "b"})
    reference.require_same_as(Catalogue("xx", {"b": "B", "a": "{item}!"}))
    with pytest.raises(InvalidValueError, match=problem):
        Catalogue("xx", messages).require_same_as(reference)


@pytest.mark.parametrize("template", ["{item.name}", "{item[0]}", "{item:>9}", "{item!r}", "{}", "{0}", "{item", "}"])
def test_a_placeholder_is_a_bare_name(template: str) -> None:
    with pytest.raises(InvalidValueError, match=r"message a of xx may only have placeholders like \{item\}"):
        Catalogue("xx", {"a": template})


def test_a_message_is_text() -> None:
    with pytest.raises(InvalidValueError, match="message a of xx is 3; it must be text"):
        Catalogue("xx", {"a": 3})  # type: ignore[dict-item]


def test_the_values_are_exactly_those_a_message_needs() -> None:
    words = Catalogue("xx", {"a": "{item} and {versus}"})
    assert words.say("a", item="{versus}", versus=2) == "{versus} and 2"
    needed = r"message a has placeholders \['item', 'versus'\], but the values are "
    with pytest.raises(InvalidValueError, match=rf"{needed}\['item'\]"):
        words.say("a", item="A")
    with pytest.raises(InvalidValueError, match=rf"{needed}\['item', 'k', 'versus'\]"):
        words.say("a", item="A", versus="B", k=5)


def test_lists_and_numbers() -> None:
    assert [ENGLISH.listed(["a", "b", "c"][:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert ENGLISH.listed(["a", "b", "c"], "or") == "a, b or c"
    german = catalogue("de")
    assert german.listed(["a", "b", "c"], "or") == "a, b oder c"
    assert german.number("-3.25") == "-3,25"
    assert ENGLISH.number("-3.25") == "-3.25"
