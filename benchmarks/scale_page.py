"""A page of results whose sections are measured one after another: each is replaced by its name, the others stay."""

from __future__ import annotations

from pathlib import Path

HEADING = """# The whole line, measured

By `python -m benchmarks.scale` ([how to run it again](../README.md)), on generated worlds of the sizes in the paper's
Table 1, on shares of one of them, and on a small one that is doubled. Each stage ran in a process of its own. Its
memory is the most that it and the processes it started had at one time, pages that they share counted once. Seconds
are those of the manifest.
"""
_SECTION = "\n## "


def page_of(path: Path) -> str:
    """Return the page as it is, or an empty one."""
    return path.read_text(encoding="utf-8") if path.exists() else HEADING


def sections_of(page: str) -> dict[str, str]:
    """Return the sections of a page by their names."""
    parts = page.split(_SECTION)[1:]
    return {name.strip(): body.strip() for name, _, body in (part.partition("\n") for part in parts)}


def with_section(page: str, name: str, body: str) -> str:
    """Return the page with this section new, in its place if it has one, and at the end otherwise."""
    sections = sections_of(page) | {name: body.strip()}
    return HEADING.rstrip() + "\n" + "".join(f"{_SECTION}{title}\n\n{text}\n" for title, text in sections.items())
