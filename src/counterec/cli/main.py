"""``counterec``: the commands. Exit status 0 done, 1 the data or a file is at fault, 2 usage."""

from __future__ import annotations

import io
import sys

import typer
from rich.text import Text

from counterec.cli.commands.asking import explain, whatif
from counterec.cli.commands.looking import aspects, bundle, evidence, show, stats
from counterec.cli.commands.making import demo, experiment, extract, run
from counterec.cli.terminal import err
from counterec.errors import CounterecError, UsageError

app = typer.Typer(
    name="counterec",
    help="Why is this item in this user's list? The smallest worsening of its aspects that takes it off, verified.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (demo, run, stats, show, explain, whatif, extract, evidence, aspects, bundle, experiment):
    app.command()(command)  # in the order that the help lists them in


def main() -> None:
    """Run the command line; every foreseen error is one line and an exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that knows no arrows gets them spelled out
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
