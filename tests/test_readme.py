"""What README and docs promise: commands parse, snippets run; settings, options, files and links are as they say."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from counterec import GOALS, Proof, Status, make_config, make_run, open_run
from counterec.cli.main import app
from counterec.core.attribution import ATTRIBUTIONS
from counterec.data.source import FORMATS
from tests.pipeline.tiny import SETTINGS, changed

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README, DATA, PYTHON, REFERENCE = ROOT / "README.md", DOCS / "data.md", DOCS / "python.md", DOCS / "reference.md"
PAGES = [README, *sorted(DOCS.glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
WITH_SNIPPETS = [README, *sorted(DOCS.glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTS = re.compile(r"^```python\n(.*?)^```$(\s*prints\s*^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"""(?:^\s*|['"])(counterec [a-z][^'"\n]*)""", re.MULTILINE)
"""A command in a recipe: on a line of its own, or in quotes."""
END = "--- end of a snippet ---"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in this language."""
    return [text for found, text in BLOCK.findall(text_of(page)) if found == language]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return BLOCK.sub("", text_of(page))


def section(page: Path, heading: str) -> str:
    """What is under a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", prose(page), re.MULTILINE | re.DOTALL)
    assert found, f"{page.name} has no heading {heading!r}"
    return found.group(1)


def rows(text: str) -> list[list[str]]:
    """The cells of every row of the tables in a text, without heads and rules."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rules = {number for number, line in enumerate(lines) if set(line) <= set("|- ")}
    kept = [line for number, line in enumerate(lines) if number not in rules and number + 1 not in rules]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in kept]


def codes(cell: str) -> list[str]:
    """What a cell has in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def first_codes(page: Path, heading: str) -> list[str]:
    """What the first column of a section's tables has in backticks."""
    return [code for row in rows(section(page, heading)) for code in codes(row[0])]


def commands(page: Path) -> list[str]:
    """The command lines of a page: those in its blocks, and those inside its sentences."""
    lines = [line.split(" #")[0].strip() for text in blocks(page, "sh") for line in text.splitlines()]
    inside = re.findall(r"`((?:counterec|make) [^`]+)`", prose(page))
    scripts = [text for language in ("bash", "yaml") for text in blocks(page, language)]
    quoted = [line for text in scripts for line in QUOTED.findall(text)]
    return [line for line in [*lines, *inside, *quoted] if line]


COMMANDS = sorted({line for page in PAGES for line in commands(page)})


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which ``runs/demo`` is a run of the default kind with the goals *minimal*, *complete* and others."""
    folder = tmp_path_factory.mktemp("reader")
    methods = [*SETTINGS["explain"]["methods"], "minimal", "complete"]
    hybrid = {"kind": "hybrid"}
    settings = changed(SETTINGS, model=hybrid, explain={"methods": methods})
    make_run(make_config(settings, "demo"), folder / "runs" / "demo")
    return folder


class TestCommands:
    @pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("counterec ")])
    def test_it_parses(self, line: str) -> None:
        _, name, *args = shlex.split(line)
        group = typer.main.get_command(app)
        if name.startswith("-"):
            assert name in {option for parameter in group.params for option in parameter.opts}
            return
        command = group.commands[name]
        missing_user = ["--user", "U0001"] if name == "whatif" and "--user" not in args else []
        needs_source = [] if args or name == "demo" else ["runs/demo"]
        if "--help" not in args:
            options = command.make_context(name, [*args, *needs_source, *missing_user]).params
            assert options.get("goal", GOALS[0]) in GOALS

    @pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("make ")])
    def test_there_is_such_a_target(self, line: str) -> None:
        makefile = text_of(ROOT / "Makefile")
        assert re.search(rf"^{line.removeprefix('make ')}:", makefile, re.MULTILINE)

    def test_the_reference_has_every_command(self) -> None:
        listed = [code.split()[1] for code in first_codes(REFERENCE, "Commands") if code.startswith("counterec ")]
        assert listed == list(typer.main.get_command(app).commands)

    def test_the_reference_has_every_option_of_every_command(self) -> None:
        listed = {
            (command, codes(row[0])[0])
            for row in rows(section(REFERENCE, "Commands"))
            if row[0].startswith("`--")
            for command in row[1].split(", ")
        }
        there_are = {
            (name, max(parameter.opts, key=len))
            for name, command in typer.main.get_command(app).commands.items()
            for parameter in command.params
            if parameter.opts[0].startswith("-") and "--help" not in parameter.opts
        }
        assert listed == there_are


class TestSnippets:
    @pytest.mark.parametrize("page", WITH_SNIPPETS, ids=lambda page: page.name)
    def test_they_run_one_after_another_and_print_what_the_page_says(
        self, page: Path, demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(demo)
        monkeypatch.syspath_prepend(demo)  # as a module, since a kind of model belongs into one
        snippets = PRINTS.findall(text_of(page))
        module = f"snippets_of_{page.stem.lower()}"
        Path(f"{module}.py").write_text(f"print({END!r})\n".join(code for code, *_ in snippets), encoding="utf-8")
        import_module(module)
        for (*_, promised), printed in zip(snippets, capsys.readouterr().out.split(f"{END}\n"), strict=bool(snippets)):
            assert not promised or printed == promised

    def test_that_which_checks_an_explanation_by_hand_agrees_with_the_run(
        self, demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(demo)
        (snippet,) = blocks(REFERENCE, "python")
        assert "counterec" not in snippet
        exec(snippet, {})
        assert capsys.readouterr().out.endswith(": True\n")


class TestSettings:
    def test_those_of_the_example_are_settings(self) -> None:
        (example,) = blocks(DATA, "toml")
        config = make_config(tomllib.loads(example), "data.md")
        assert (config.lists.k, config.explain.constraints.unreviewed_beyond) == (10, "never")

    def test_those_of_the_reference_are_the_defaults(self) -> None:
        (example,) = blocks(REFERENCE, "toml")
        written = tomllib.loads(example)
        sources = written["data"]["sources"]
        assert make_config(written, "reference") == make_config({"data": {"sources": sources}}, "reference")

    def test_the_reference_leaves_none_out(self) -> None:
        (example,) = blocks(REFERENCE, "toml")
        config = make_config({"data": {"world": {}}}, "reference").model_dump(mode="json")
        assert {name for name in _names(config) if not re.search(rf"\b{name}\b", example)} == set()


def _names(config: dict[str, Any]) -> set[str]:
    """The names of all settings, however deep."""
    return {*config, *(name for part in config.values() if isinstance(part, dict) for name in _names(part))}


class TestTables:
    def test_every_format_has_its_row(self) -> None:
        assert tuple(codes(row[0])[0] for row in rows(section(DATA, "Formats"))) == FORMATS

    def test_every_status_and_every_proof_has_its_row(self) -> None:
        assert set(first_codes(REFERENCE, "Statuses")) == {status.label for status in Status}
        assert set(first_codes(REFERENCE, "Proofs")) == {proof.label for proof in Proof if proof is not Proof.NONE}

    def test_every_goal_and_every_attribution_has_its_row(self) -> None:
        assert set(first_codes(DOCS / "questions.md", "The goals")) == set(GOALS)
        assert set(first_codes(PYTHON, "Attributions")) == set(ATTRIBUTIONS)

    def test_every_column_of_an_explanation_has_its_row(self, demo: Path) -> None:
        listed = first_codes(REFERENCE, "Columns of explanations")
        assert sorted(listed) == sorted(open_run(demo / "runs" / "demo").explanations_table("minimal").columns)

    def test_the_files_of_a_run_are_those_that_are_listed(self, demo: Path) -> None:
        (listed,) = [text for text in blocks(REFERENCE, "text") if text.startswith("runs/demo/")]
        names = {line.split()[0] for line in listed.splitlines()[1:]} - {"experiment/"}
        folder = demo / "runs" / "demo"
        files = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
        method = re.compile(r"^(explanations|elsewhere)/.*(?=\.)")
        found = {method.sub(r"\1/METHOD", file.as_posix()) for file in files if file.name != ".lock"}
        only_elsewhere = {"candidates.parquet", "aspects-choosing.safetensors"}  # protocol sampled; nothing held out
        assert names == found | only_elsewhere

    def test_every_stage_of_a_run_has_its_row(self, demo: Path) -> None:
        named = {row[0] for row in rows(section(REFERENCE, "Stages"))}
        stages = open_run(demo / "runs" / "demo").manifest.stages
        assert named == {re.sub(r"^(explain|transfer) .*", r"\1 METHOD", stage) for stage in stages} | {"candidates"}


class TestLinks:
    @pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
    def test_they_lead_somewhere(self, page: Path) -> None:
        for link in re.findall(r"\]\(([^)]+)\)", prose(page)):
            if link.startswith("https://"):
                continue
            file, _, heading = link.partition("#")
            target = (page.parent / file) if file else page
            assert target.exists(), link
            assert not heading or heading in anchors(target), link

    def test_the_readme_leads_to_every_page(self) -> None:
        linked = set(re.findall(r"\]\(docs/([\w-]+\.md)", text_of(README)))
        assert linked == {page.name for page in DOCS.glob("*.md")}


class TestNames:
    @pytest.mark.parametrize("page", PAGES[:-1], ids=lambda page: page.name)  # the changelog has old names, too
    def test_modules_are_there(self, page: Path) -> None:
        for code in codes(prose(page)):
            if re.fullmatch(r"counterec(\.\w+)+", code):
                assert _resolved(code) is not None, code

    def test_a_run_has_what_is_listed(self, demo: Path) -> None:
        run = open_run(demo / "runs" / "demo")
        for code in first_codes(PYTHON, "A run folder"):
            assert hasattr(run, code.split("(")[0]), code


def _resolved(name: str) -> Any:
    """A module, or a name inside one."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        return getattr(import_module(module), last, None)


def anchors(page: Path) -> set[str]:
    """The names by which the headings of a page are linked to."""
    lines = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}
