"""The architecture page: every file and function that it names exists, and each walk goes one way."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "counterec"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
STEP = re.compile(r"`((?:[a-z_]+/)*[a-z_]+\.py):([A-Za-z_.]+)`")
PLACE = re.compile(r"`((?:[a-z_]+/)*[a-z_]+(?:\.py|/))`")


def walks() -> dict[str, list[tuple[str, str]]]:
    """The steps of each walk, in order, by its heading."""
    parts = re.split(r"^### (.+)$", PAGE.split("## Three walks")[1].split("\n## ")[0], flags=re.MULTILINE)[1:]
    return {heading: STEP.findall(text) for heading, text in zip(parts[::2], parts[1::2], strict=True)}


def definitions(path: Path) -> set[str]:
    """The functions, classes and methods of a file."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return found


@pytest.mark.parametrize(("file", "function"), sorted({step for steps in walks().values() for step in steps}))
def test_every_step_exists(file: str, function: str) -> None:
    assert function in definitions(PACKAGE / file)


@pytest.mark.parametrize("place", sorted(set(PLACE.findall(PAGE))))
def test_every_place_exists(place: str) -> None:
    assert (PACKAGE / place).exists() or (ROOT / place).exists()


def test_every_package_is_on_the_page() -> None:
    for path in PACKAGE.iterdir():
        if path.is_dir() and path.name != "__pycache__":
            assert f"`{path.name}/`" in PAGE, path.name
