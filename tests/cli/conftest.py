from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from tests import naive
from tests.cli.files import Outcome, counterec, write
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import contents

USER = "U0004"
"""The user of the tiny run whose list the questions are about."""

QUICK = """
[data]
sources = [{sources}]
[training]
hidden = [8, 4]
epochs = 1
[explain]
methods = ["single"]
"""


@pytest.fixture
def quickly(tmp_path: Path):
    """Run on sources as fast as possible, which needs a config file, into ``tmp_path / "run"``."""

    def quickly(*args: object, more: str = "") -> Outcome:
        sources = list(takewhile(lambda arg: isinstance(arg, Path), args))
        config = tmp_path / "quick.toml"
        config.write_text(QUICK.format(sources=", ".join(f"'{source}'" for source in sources)) + more)
        return counterec("run", config, *args[len(sources) :], "--out", tmp_path / "run")

    return quickly


@pytest.fixture
def plainly(tmp_path: Path):
    """Run on sources with nothing but options, into ``tmp_path / "run"``."""

    def plainly(*args: object) -> Outcome:
        return counterec("run", *args, "--model", "net", "--epochs", 1, "--out", tmp_path / "run")

    return plainly


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small file of reviews; to be read, not written."""
    return write(tmp_path_factory.mktemp("source"), "jsonl")


@pytest.fixture(scope="session")
def finished(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run on it, with names for some of the items."""
    folder = tmp_path_factory.mktemp("finished")
    names = folder / "names.csv"
    names.write_text("id,name\n" + "".join(f"i{number:02d},Phone [b]{number}[/b]\n" for number in range(0, 16, 2)))
    outcome = counterec(
        "run", source, "--items", names, "--model", "net", "--epochs", 1, "--out", folder / "run", "--quiet"
    )
    assert outcome.status == 0, outcome.err
    return folder / "run"


@pytest.fixture(scope="session")
def disk(tiny_run: Path) -> Disk:
    """The tiny run, read without counterec."""
    return Disk(tiny_run)


@pytest.fixture(scope="session")
def ranking(disk: Disk) -> list[str]:
    """All candidates of the user, best first."""
    return [disk.items[item] for item in naive.order(disk.scores[USER], disk.candidates[USER])]


@pytest.fixture
def explain(tiny_run: Path) -> Iterator[Callable[..., Outcome]]:
    """Call ``counterec explain`` on the tiny run, and check that no question leaves anything in its folder."""
    before, manifest = contents(tiny_run), (tiny_run / "manifest.json").read_bytes()

    def explain(*options: object) -> Outcome:
        return counterec("explain", tiny_run, *options)

    yield explain
    assert contents(tiny_run) == before
    assert (tiny_run / "manifest.json").read_bytes() == manifest
