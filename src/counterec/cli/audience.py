"""``counterec explain --audience``: what brings an item into the lists of enough users."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.text import Text

from counterec.cli.streams import out, print_json
from counterec.cli.tables import changes_table
from counterec.errors import ReadError, UnknownIdError, UsageError

if TYPE_CHECKING:
    from counterec.cli.explain import Request
    from counterec.run import Run
    from counterec.wording import AudienceRecord


def explain_to_audience(run: Run, request: Request, file: Path, at_least: int) -> None:
    """Print the fewest improvements with which an item enters the lists of enough users in the file."""
    from counterec.wording import audience_record, background, sentence
    from counterec.wording.messages import say_of

    item = _checked_item(request, at_least)
    user_ids = _users_in(file, run)
    answer = run.why_not_for_all(item, user_ids, at_least, constraints=request.constraints)
    left_out = len(set(user_ids)) - len(answer.users)
    robustness = run.audience_robustness(answer, constraints=request.constraints)
    record = audience_record(run.space, answer, run.item_names, request.constraints, robustness)
    text = sentence(record)
    if request.quiet:
        return
    if request.as_json:
        entered = [run.space.users.texts[user] for user in answer.users[answer.entered]]
        print_json(_as_json(item, record, entered, left_out, text))
        return
    out.print(Text(text))
    if record.changes:
        out.print(Padding(changes_table(record.changes), (0, 0, 0, 3)))
    if beside := background(record):
        out.print(Text(beside))
    if left_out:
        said = say_of("audience.left_out", left_out, count=f"{left_out:,}", item=record.item)
        out.print(Text(said, style="dim"))


def _checked_item(request: Request, at_least: int) -> str:
    """Return the item of a request that can be asked about an audience."""
    if request.item is None:
        raise UsageError("--audience needs --item, the item that should enter their lists")
    if request.question != "why_not" or request.goal != "minimal":
        raise UsageError("--audience needs --question why_not and --goal minimal; no other question is for many users")
    if at_least < 1:
        raise UsageError(f"--at-least {at_least}: must be 1 or more")
    for option, value in (("--user", request.user), ("--versus", request.versus), ("--out", request.out_file)):
        if value is not None:
            raise UsageError(f"{option} cannot be combined with --audience, which is about one item and many users")
    return request.item


def _as_json(item: str, record: AudienceRecord, entered: list[str], left_out: int, text: str) -> dict[str, Any]:
    return {
        "item_id": item,
        "status": record.status,
        "asked": record.asked,
        "left_out": left_out,
        "wanted": record.wanted,
        "entered": entered,
        "had_it": record.had_it,
        "kept_it": record.kept_it,
        "nets": record.nets,
        "nets_hold": record.nets_hold,
        "changes": {change.aspect: [change.before, change.after] for change in record.changes},
        "proof": record.proof,
        "sentence": text,
    }


def _users_in(path: Path, run: Run) -> list[str]:
    """Read user ids, one per line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ReadError(f"{path}: cannot be read ({error.strerror}); name a file of user ids, one per line") from None
    except UnicodeDecodeError:
        raise ReadError(f"{path}: not UTF-8 text; name a file of user ids, one per line") from None
    users = []
    for number, line in enumerate(lines, start=1):
        if user := line.strip():
            try:
                run.space.users.number(user)
            except UnknownIdError as error:
                raise UnknownIdError(f"{path}, line {number}: {error}") from None
            users.append(user)
    if not users:
        raise ReadError(f"{path}: holds no user id; write one per line")
    return users
