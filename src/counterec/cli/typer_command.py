"""What our commands add to Typer's: ``--force`` may lack its value, and an interrupted command says what is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text
from typer.core import TyperCommand

from counterec.cli.output import err

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it."""

EVERY_STAGE = "all"
IMPLIED = {"--force": EVERY_STAGE}
"""Option → its value where none is given. Typer itself knows options with a value and flags, and nothing between."""

SEVERAL = {"--models"}
"""Options that take several values; Typer itself wants the option before each of them."""


class Command(TyperCommand):
    """Completes the arguments before Typer parses them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Fill in implied values."""
        own = {name for param in self.params for name in param.opts}
        return super().parse_args(ctx, list(_with_implied_values(list(_repeated(args, own)), own)))

    def invoke(self, ctx: Any) -> Any:
        """Run the command; where it is interrupted, say what is kept and how to go on."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            said = getattr(error, "__notes__", None) or ["interrupted; nothing was written"]
            err.print(Text(f"\n{said[0]}"), soft_wrap=True)
            ctx.exit(INTERRUPTED)


def _with_implied_values(args: Sequence[str], own: set[str]) -> Iterator[str]:
    """Yield the arguments, with a value after each option of ``IMPLIED`` that has none.

    The next argument is its value unless it is an option or looks like a path, which no stage name does: in
    ``counterec run --force reviews.json`` the file is the source.
    """
    ended = False
    for word, following in zip(args, [*args[1:], "--"], strict=False):
        yield word
        ended = ended or word == "--"
        if not ended and word in own & IMPLIED.keys() and (following.startswith("-") or _looks_like_path(following)):
            yield IMPLIED[word]


def _repeated(args: Sequence[str], own: set[str]) -> Iterator[str]:
    """Yield the arguments, with an option of ``SEVERAL`` repeated before each of its further values.

    ``--models net hybrid RUN`` becomes ``--models net --models hybrid RUN``: only what can be a value is taken as one.
    """
    option, values = "", 0
    for word in args:
        if word.startswith("-"):
            option, values = word, 0
        else:
            values += 1
            if option in own & SEVERAL and values > 1:
                if _is_kind_of_model(word):
                    yield option
                else:
                    option = ""
        yield word


def _is_kind_of_model(word: str) -> bool:
    from counterec.pipeline.config import NET_AS_PUBLISHED
    from counterec.pipeline.models import model_names
    from counterec.references import is_reference

    return word in model_names() or word == NET_AS_PUBLISHED or is_reference(word)


def _looks_like_path(text: str) -> bool:
    return any(sign in text for sign in "./\\")
