"""Nothing on the page is made of HTML or Markdown that could come from the data: text is only ever text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import counterec.service.page as page

FILES = sorted(file for file in Path(page.__file__).parent.iterdir() if file.suffix in (".py", ".js"))
MAKES_HTML = re.compile(
    r"ui\.(html|markdown|restructured_text|mermaid|interactive_image|chat_message)\b|v-html|innerHTML"
)
LEAVES = re.compile(r"https?://|//cdn|@import|@font-face")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_element_takes_html(file: Path) -> None:
    assert MAKES_HTML.search(file.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize("file", sorted(Path(page.__file__).parent.glob("*.*s*")), ids=lambda file: file.name)
def test_nothing_is_fetched_from_elsewhere(file: Path) -> None:
    assert LEAVES.search(file.read_text(encoding="utf-8")) is None


def test_heads_hold_only_our_own_style() -> None:
    """What is put into the head is not escaped: it may be the style sheets, and nothing else."""
    used = [
        line.strip() for file in FILES for line in file.read_text(encoding="utf-8").splitlines() if "_html(" in line
    ]
    assert used == ['ui.add_head_html(f"<style>{style}</style>")']
