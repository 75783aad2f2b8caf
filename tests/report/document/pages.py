"""A report as a reader finds it: its elements, its texts, and what it would fetch."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"br", "col", "hr", "img", "link", "meta", "wbr"}
FETCHING = {"src", "href", "srcset", "data", "action", "poster", "xlink:href", "background"}


class Page(HTMLParser):
    """The page, parsed; elements that are not closed in order are an error."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html, self.open, self.tags = html, list[str](), list[str]()
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)
            if self.headings and any(re.fullmatch("h[1-6]", tag) for tag in self.open):
                level, said = self.headings[-1]
                self.headings[-1] = (level, said + data)

    @property
    def text(self) -> str:
        """Everything that can be read, with every run of spaces as one."""
        return " ".join("".join(self.texts).split())

    def values(self, name: str) -> list[str]:
        """The values of an attribute, of all elements."""
        return [value for _, found, value in self.attributes if found == name]

    @property
    def fetched(self) -> list[str]:
        """The addresses that a browser would go to, or that a click leads to outside the page."""
        named = [value for _, name, value in self.attributes if name in FETCHING and not value.startswith("#")]
        return named + re.findall(r"url\((?!#)[^)]*\)|@import[^;]*", self.html)
