"""HTML from values: nothing from the data is ever read as HTML."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from counterec.wording.markup import Markup, element, isolated, together

NASTY = "<script>alert('x')</script> & \"quotes\" <img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """What a browser would make of it: tags, attributes and text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def read(markup: str) -> Reader:
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


def test_attributes() -> None:
    found = element("td", class_="a", aria_label='"quoted" & <tagged>', hidden=True, title=None, lang=False, colspan=2)
    expected = '<td class="a" aria-label="&quot;quoted&quot; &amp; &lt;tagged&gt;" hidden colspan="2"></td>'
    assert found == expected


@given(st.text())
def test_any_text_comes_out_as_it_was_and_brings_nothing_with_it(text: str) -> None:
    found = read(element("p", isolated(text), title=text))
    assert found.tags == ["p", "bdi"]
    assert [name for name, _ in found.attributes] == ["title"]
    clean = [character for character in text if character.isprintable()]
    assert [character for character in found.text if character.isprintable() and character != "\ufffd"] == [
        character for character in clean if character != "\ufffd"
    ]


def test_characters_that_no_document_may_hold_are_replaced() -> None:
    assert together("a\x00b\ud800c\x1bd\ne") == "a\ufffdb\ufffdc\ufffdd\ne"
    together("\udcff").encode("utf-8")


def test_markup_of_markup_is_not_escaped_twice() -> None:
    assert together(Markup("&amp;"), "&") == "&amp;&amp;"
