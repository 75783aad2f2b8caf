"""What the README and the guide promise: snippets run, commands parse, settings and files are those there are."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
import typer

from counterec import make_config, open_run
from counterec.cli.main import app
from counterec.core.explainers.goals import GOALS
from counterec.data.readers import FORMATS

ROOT = Path(__file__).parent.parent
README, GUIDE = ROOT / "README.md", ROOT / "docs" / "guide.md"
PAGES = [README, GUIDE, ROOT / "docs" / "deviations.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in this language."""
    return [text for found, text in BLOCK.findall(page.read_text(encoding="utf-8")) if found == language]


def commands(page: Path) -> list[str]:
    """The command lines of a page: those in its blocks, and those inside its sentences."""
    lines = [line.split(" #")[0].strip() for text in blocks(page, "sh") for line in text.splitlines()]
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    inside = re.findall(r"`((?:counterec|make) [^`]+)`", prose)
    return [line for line in [*lines, *inside] if line]


COMMANDS = sorted({line for page in PAGES for line in commands(page)})


@pytest.fixture(scope="module")
def demo(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which ``runs/demo`` is a run with the goal *minimal*, as the demo's has."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(tiny_run, folder / "runs" / "demo")
    open_run(folder / "runs" / "demo").with_method("minimal")
    return folder


class TestCommands:
    def test_there_are_some(self) -> None:
        assert {"make demo", "make test", "counterec stats runs/demo"} <= set(COMMANDS)

    @pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("counterec ")])
    def test_it_parses(self, line: str) -> None:
        _, name, *args = shlex.split(line)
        command = typer.main.get_command(app).commands[name]
        if "--help" not in args:
            options = command.make_context(name, args).params
            assert options.get("goal", GOALS[0]) in GOALS

    @pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("make ")])
    def test_there_is_such_a_target(self, line: str) -> None:
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{line.removeprefix('make ')}:", makefile, re.MULTILINE)


class TestSnippets:
    def test_those_of_the_readme_print_what_it_says(
        self, demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(demo)
        first, second = blocks(README, "python")
        exec(first, {})
        assert capsys.readouterr().out in blocks(README, "text")
        exec(second, {})
        assert "'users': 30" in capsys.readouterr().out

    def test_that_of_the_guide_agrees_with_the_run(
        self, demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(demo)
        (snippet,) = blocks(GUIDE, "python")
        exec(snippet, {})
        assert capsys.readouterr().out.endswith(": True\n")


class TestSettings:
    def test_those_of_the_readme_are_settings(self) -> None:
        (example,) = blocks(README, "toml")
        assert make_config(tomllib.loads(example), "README").lists.k == 10

    def test_those_of_the_guide_are_the_defaults(self) -> None:
        (example,) = blocks(GUIDE, "toml")
        written = tomllib.loads(example)
        assert make_config(written, "guide") == make_config({"data": {"sources": written["data"]["sources"]}}, "guide")

    def test_the_guide_leaves_none_out(self) -> None:
        (example,) = blocks(GUIDE, "toml")
        config = make_config({"data": {"world": {}}}, "guide").model_dump(mode="json")
        names = {*config, *(name for part in config.values() if isinstance(part, dict) for name in part)}
        names |= {name for goal in GOALS for name in config["explain"][goal]} | {*config["data"]["world"]}
        assert {name for name in names if not re.search(rf"\b{name}\b", example)} == set()


class TestWords:
    def test_every_format_has_its_row(self) -> None:
        rows = re.findall(
            r"^\| `(\w+)` \|.*\| (?:possible|no)\b[^|]*\|$", README.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert tuple(rows) == FORMATS

    def test_every_file_of_a_run_is_listed(self, demo: Path) -> None:
        folder = demo / "runs" / "demo"
        (listed,) = [text for text in blocks(README, "text") if text.startswith("runs/demo/")]
        files = {path.name for path in folder.iterdir() if path.is_file()}
        assert {name for name in files if name not in listed} == set()

    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
    def test_links_lead_somewhere(self, page: Path) -> None:
        for link in re.findall(r"\]\(([^)]+)\)", BLOCK.sub("", page.read_text(encoding="utf-8"))):
            if link.startswith("https://"):
                continue
            file, _, heading = link.partition("#")
            target = (page.parent / file) if file else page
            assert target.exists(), link
            assert not heading or heading in headings(target), link


def headings(page: Path) -> set[str]:
    """The names by which the headings of a page are linked to."""
    lines = re.findall(r"^#+ (.+)$", BLOCK.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}
