"""The application: its version, its help, its other way of being called, and shell completion."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version

import pytest
import typer

from counterec.cli.main import app
from tests.cli.files import counterec

pytestmark = pytest.mark.slow

COMMANDS = list(typer.main.get_command(app).commands)


def module(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m counterec``."""
    command, env = [sys.executable, "-m", "counterec", *args], {**os.environ, **environment}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)


def test_every_command_is_there() -> None:
    assert [
        *("demo", "check", "run", "merge", "serve", "show", "report", "explain", "whatif", "extract", "experiment")
    ] == COMMANDS


class TestVersion:
    def test_on_the_command_line(self) -> None:
        outcome = counterec("--version")
        assert (outcome.status, outcome.err) == (0, "")
        said = dict(line.split(" ", 1) for line in outcome.out.splitlines())
        assert list(said) == ["counterec", "Python", "platform", "numpy", "polars", "torch"]
        assert (said["counterec"], said["Python"]) == (version("counterec"), platform.python_version())


class TestHelp:
    @pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=" ".join)
    def test_by_both_names(self, command: list[str]) -> None:
        short, long = counterec(*command, "-h"), counterec(*command, "--help")
        assert (short.status, short.err) == (0, "")
        assert short.out.startswith(f"Usage: {' '.join(['counterec', *command])} ")
        assert "-h, --help" in short.out
        assert short == long

    def test_no_line_of_the_overview_is_cut_off(self) -> None:
        assert "..." not in counterec("-h").out.split("Commands:")[1]


class TestModule:
    def test_it_goes_by_its_name(self) -> None:
        assert module("show").stderr.startswith("Usage: counterec show ")


class TestCompletion:
    @pytest.mark.parametrize(
        ("words", "offers"),
        [
            ("counterec sh", {"show"}),
            ("counterec e", {"explain", "extract", "experiment"}),
            ("counterec explain --ma", {"--match-values"}),
            ("counterec explain runs/demo --ma", {"--match-values"}),
            ("counterec explain runs/demo --fix price --k", {"--keep"}),
            ("counterec whatif --fi", set()),
        ],
    )
    def test_in_bash(self, words: str, offers: set[str]) -> None:
        place = str(len(words.split()) - 1)
        ended = module(_COUNTEREC_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=place)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert set(ended.stdout.split()) == offers
