"""The application ``counterec``. Exit status: 0 success, 1 the data or a file is at fault, 2 usage, 130 Ctrl-C."""

from __future__ import annotations

import io
import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer
from rich.text import Text

from counterec.cli.check import check
from counterec.cli.experiment import experiment
from counterec.cli.explain import explain
from counterec.cli.extract import extract
from counterec.cli.output import err, print_line
from counterec.cli.run import demo, merge, run
from counterec.cli.serve import serve
from counterec.cli.show import report, show
from counterec.cli.typer_command import Command
from counterec.cli.whatif import whatif
from counterec.errors import CounterecError, UsageError

FLAGS = ("help", "install_completion", "show_completion")
"""Typer's own flags. Their default is None, which Typer imports pydantic to convert; False starts twice as fast."""

app = typer.Typer(
    name="counterec",
    help="Why is this item in this user's list? The smallest worsening of its aspects that takes it off, verified.",
    context_settings={"help_option_names": ["-h", "--help"], "default_map": dict.fromkeys(FLAGS, False)},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = (demo, check, run, merge, serve, show, report, explain, whatif, extract, experiment)
"""In the order of the help page."""

for command in COMMANDS:
    app.command(cls=Command)(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_line("\n".join(f"{name} {value}" for name, value in _versions().items()))
        raise typer.Exit


def _versions() -> dict[str, str]:
    """Return what a bug report should name; packages that are not installed are left out."""
    from counterec import __version__

    found = {"counterec": __version__, "Python": platform.python_version(), "platform": platform.platform(terse=True)}
    for package in ("numpy", "polars", "torch"):
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


@app.callback()
def counterec(
    versions: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the versions and exit.")
    ] = False,
) -> None:
    """Declare the options of the application itself."""


def main() -> None:
    """Run the command line; every foreseen error is one line and an exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # arrows and names, in a terminal that cannot show them
    try:
        app(prog_name="counterec")
    except UsageError as error:
        _fail(error, 2)
    except CounterecError as error:
        _fail(error, 1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _fail(error: CounterecError, status: int) -> None:
    err.print(Text.assemble(("error:", "red"), " ", " ".join(str(error).split())), soft_wrap=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
