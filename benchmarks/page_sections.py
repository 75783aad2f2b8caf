"""A page of results whose sections are measured one after another: each is replaced by its name, the others stay."""

from __future__ import annotations

from pathlib import Path

_SECTION = "\n## "


def page_of(path: Path) -> str:
    """Return the page as it is; empty if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def sections_of(page: str) -> dict[str, str]:
    """Return the sections of a page by their names."""
    parts = page.split(_SECTION)[1:]
    return {name.strip(): body.strip() for name, _, body in (part.partition("\n") for part in parts)}


def with_section(heading: str, page: str, name: str, body: str) -> str:
    """Return the page with this section new, in its place if it has one, and at the end otherwise."""
    sections = sections_of(page) | {name: body.strip()}
    return heading.rstrip() + "\n" + "".join(f"{_SECTION}{title}\n\n{text}\n" for title, text in sections.items())
