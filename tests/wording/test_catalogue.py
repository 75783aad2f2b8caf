"""Catalogues: the same messages in every language, every one of them said somewhere."""

from __future__ import annotations

import pytest

from counterec.errors import InvalidValueError, UsageError
from counterec.wording import Catalogue, catalogue, engineer_sentence, languages, sentence
from tests.wording.rows import every_told

ENGLISH = catalogue("en")


def test_english_and_another_language() -> None:
    assert languages() == ("de", "en")


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_messages_of_english_with_the_same_places(language: str) -> None:
    found = catalogue(language)
    assert found.language == language
    assert found.messages.keys() == ENGLISH.messages.keys()
    assert found.places == ENGLISH.places


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
    for told in every_told():
        sentence(told, language)
        engineer_sentence(told, language)
    assert said == ENGLISH.messages.keys()


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ({"a": "{item}"}, "xx has no message b, but en does"),
        ({"a": "{item}", "b": "b", "c": "c"}, "xx has a message c, but en does not"),
        ({"a": "{name}", "b": "b"}, r"message a has places \['name'\] in xx, expected \['item'\]"),
        ({"a": "item", "b": "b"}, r"message a has places \[\] in xx, expected \['item'\]"),
    ],
)
def test_a_language_that_differs_is_refused(messages: dict[str, str], problem: str) -> None:
    measure = Catalogue("en", {"a": "The {item}.", "b": "b"})
    measure.require_same_as(Catalogue("xx", {"b": "B", "a": "{item}!"}))
    with pytest.raises(InvalidValueError, match=problem):
        Catalogue("xx", messages).require_same_as(measure)


@pytest.mark.parametrize("template", ["{item.name}", "{item[0]}", "{item:>9}", "{item!r}", "{}", "{0}", "{item", "}"])
def test_a_place_is_a_bare_name(template: str) -> None:
    with pytest.raises(InvalidValueError, match=r"message a of xx may only have places like \{item\}"):
        Catalogue("xx", {"a": template})


def test_a_message_is_text() -> None:
    with pytest.raises(InvalidValueError, match="message a of xx is 3; it must be text"):
        Catalogue("xx", {"a": 3})  # type: ignore[dict-item]


def test_all_places_are_filled_with_nothing_to_spare() -> None:
    words = Catalogue("xx", {"a": "{item} and {versus}"})
    assert words.say("a", item="{versus}", versus=2) == "{versus} and 2"
    with pytest.raises(InvalidValueError, match="message a has not the places"):
        words.say("a", item="A")
    with pytest.raises(InvalidValueError, match="message a has not the places"):
        words.say("a", item="A", versus="B", k=5)


def test_lists_and_numbers() -> None:
    assert [ENGLISH.listed(["a", "b", "c"][:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert ENGLISH.listed(["a", "b", "c"], "or") == "a, b or c"
    german = catalogue("de")
    assert german.listed(["a", "b", "c"], "or") == "a, b oder c"
    assert german.number("-3.25") == "-3,25"
    assert ENGLISH.number("-3.25") == "-3.25"
