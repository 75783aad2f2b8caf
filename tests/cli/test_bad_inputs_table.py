"""The table of bad inputs in ``docs/data.md`` is what happens, and nothing that happens is a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.bad_inputs import BEGIN, END, PAGE, lines

pytestmark = pytest.mark.slow


def test_the_table_in_the_docs_is_what_happens(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    written = page.split(BEGIN)[1].split(END)[0].strip().splitlines()
    assert written == list(lines(tmp_path)), "run: PYTHONPATH=src python -m tests.cli.bad_inputs"
