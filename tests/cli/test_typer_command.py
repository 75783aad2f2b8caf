"""What our commands add to Typer's: old spellings name the new ones, and ``--force`` may lack its value."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from counterec.cli.options import Force
from counterec.cli.typer_command import EVERY_STAGE, RENAMED, Command
from tests.cli.files import counterec


class TestOldSpellings:
    @pytest.mark.parametrize(
        ("args", "says"),
        [
            (["explain", "run", "--takes"], "--takes is now --match-values"),
            (["explain", "run", "--user", "u", "--fix", "price"], "--fix is now --keep"),
            (["explain", "run", "--fix=price"], "--fix is now --keep"),
            (["explain", "--mask", "run"], "--mask is now --only-mentioned"),
            (["whatif", "run", "--user", "u", "--fix", "price"], "--fix is now --keep"),
            (["whatif", "run", "--user", "u", "--mask"], "--mask is now --only-mentioned"),
            (["run", "r.json", "--protocol", "paper"], "--protocol paper is now --protocol full"),
            (["run", "r.json", "--protocol=paper", "--quiet"], "--protocol paper is now --protocol full"),
            (["experiment", "run", "--protocol", "paper"], "--protocol paper is now --protocol full"),
        ],
    )
    def test_name_the_new_one(self, args: list[str], says: str) -> None:
        outcome = counterec(*args)
        assert outcome.status == 2
        assert outcome.error == says

    def test_are_those_of_no_option(self) -> None:
        for command in ("explain", "whatif", "run", "experiment"):
            page = counterec(command, "--help").out
            assert not [old for old in RENAMED if f" {old} " in page]

    @pytest.mark.parametrize("args", [["stats", "run", "--mask"], ["run", "r.json", "--takes"]])
    def test_of_another_command_are_unknown_options(self, args: list[str]) -> None:
        outcome = counterec(*args)
        assert outcome.status == 2
        assert f"No such option: {args[-1]}" in outcome.err

    def test_after_two_dashes_are_arguments(self) -> None:
        outcome = counterec("run", "--", "--fix", "--protocol", "paper")
        assert outcome.status == 1
        assert outcome.error.startswith("--fix does not exist")

    def test_of_a_value_are_values_of_that_option_alone(self) -> None:
        outcome = counterec("run", "r.json", "--format", "paper")
        assert "unknown format 'paper'" in outcome.error


class TestForce:
    """In an application of its own: ``tool [SOURCE] [--force [STAGE]] [--quiet]``."""

    @pytest.fixture
    def parsed(self):
        app = typer.Typer()
        seen: list[tuple[object, ...]] = []

        @app.command(cls=Command)
        def tool(source: str = typer.Argument(""), force: Force = [], quiet: bool = False) -> None:  # noqa: B006
            seen.append((source, tuple(force), quiet))

        def parsed(*args: str) -> tuple[object, ...]:
            result = CliRunner().invoke(app, args)
            assert result.exit_code == 0, result.output
            return seen.pop()

        return parsed

    @pytest.mark.parametrize(
        ("args", "means"),
        [
            ("", ("", (), False)),
            ("data", ("data", (), False)),
            ("--force", ("", (EVERY_STAGE,), False)),
            ("data --force", ("data", (EVERY_STAGE,), False)),
            ("data --force --quiet", ("data", (EVERY_STAGE,), True)),
            ("data --force fit", ("data", ("fit",), False)),
            ("data --force=fit --quiet", ("data", ("fit",), True)),
            ("--force fit data", ("data", ("fit",), False)),
            ("--force -- data", ("data", (EVERY_STAGE,), False)),
            ("-- --force", ("--force", (), False)),
            ("data --force fit --force rank", ("data", ("fit", "rank"), False)),
            ("data --force fit --force", ("data", ("fit", EVERY_STAGE), False)),
            ("--force data.json", ("data.json", (EVERY_STAGE,), False)),
            ("--force runs/demo", ("runs/demo", (EVERY_STAGE,), False)),
        ],
    )
    def test_with_a_stage_and_without(self, parsed, args: str, means: tuple[object, ...]) -> None:
        assert parsed(*args.split()) == means

    def test_a_stage_of_several_words(self, parsed) -> None:
        assert parsed("data", "--force", "explain minimal") == ("data", ("explain minimal",), False)
