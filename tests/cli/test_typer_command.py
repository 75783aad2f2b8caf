"""What our commands add to Typer's: ``--force`` may lack its value."""

from __future__ import annotations

import pytest
import typer
from typer.testing import CliRunner

from counterec.cli.options import Force
from counterec.cli.typer_command import EVERY_STAGE, Command


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
