"""``counterec check``: what a run will find in your files, before any work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from counterec.cli.options import (
    Columns,
    Dates,
    Format,
    Items,
    Json,
    MinItemReviews,
    MinUserReviews,
    Sources,
    source_settings,
)
from counterec.cli.output import err, out, print_json
from counterec.cli.tables import table_of_texts
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.pipeline.check import CheckedFile, SourceReport
    from counterec.pipeline.config import RunConfig


def check(
    sources: Sources,
    format_: Format = None,
    columns: Columns = None,
    dates: Dates = None,
    items: Items = None,
    min_user_reviews: MinUserReviews = None,
    min_item_reviews: MinItemReviews = None,
    as_json: Json = False,
) -> None:
    """Check files before a run: what is read, left out and kept."""
    from counterec.cli.run import config_from
    from counterec.pipeline.check import check_files, check_settings

    config = config_from(sources, source_settings(format_, columns, dates, items, min_user_reviews, min_item_reviews))
    check_files(config)
    if config.data.world is not None:
        raise UsageError("the built-in world has no files to check; name files, or a config file with data.sources")
    report = checked_sources(config, as_json)
    if as_json:
        print_json(report_json(report))
    else:
        _print(report)
    check_settings(config, report)  # last, since the table shows why


def checked_sources(config: RunConfig, quiet: bool) -> SourceReport:
    """Look at the sources, showing how far it is; nothing is written."""
    from counterec.cli.progress import TerminalReporter
    from counterec.pipeline.check import check_sources

    with TerminalReporter(err, quiet, keeps_stages=False) as reporter:
        reporter.begin("check")
        reporter.total(0, "rows")
        return check_sources(config, reporter.advance)


def summary(report: SourceReport) -> str:
    """Return a report in one line."""
    from counterec.pipeline.check import in_words

    stay = f"{report.users:,} users, {report.items:,} items and {report.reviews:,} reviews stay"
    return f"{report.kept:,} of {report.rows:,} rows kept: {stay}; {in_words(report.seconds)} (an estimate)"


def report_json(report: SourceReport) -> dict[str, Any]:
    """Return a report as values for JSON."""
    files = [
        {
            "path": str(file.path),
            "format": file.format,
            "encoding": file.encoding,
            "line_ends": file.look.line_ends,
            "columns": dict(file.look.columns),
            "dates": list(file.look.dates),
            "rows": file.rows,
        }
        for file in report.files
    ]
    names = ("rows", "kept", "users", "items", "reviews", "texts_judged", "not_english")
    return {
        "files": files,
        **{name: getattr(report, name) for name in names},
        "dropped": dict(report.dropped),
        "problems": dict(report.problems),
        "warnings": [*report.warnings, *report.cautions],
        "estimated_seconds": round(report.seconds),
    }


def _print(report: SourceReport) -> None:
    for file in report.files:
        out.print(_file_table(file))
    out.print(_rows_table(report))
    for warning in (*report.warnings, *report.cautions):
        err.print(Text.assemble(("warning:", "yellow"), " ", warning), soft_wrap=True)
    out.print(Text(f"\n{summary(report)}"), soft_wrap=True)


def _file_table(file: CheckedFile) -> Table:
    """What a file is."""
    table = table_of_texts("", "", title=Text(str(file.path)), title_justify="left", show_header=False)
    columns = ", ".join(name if ours == name else f"{ours} = {name}" for ours, name in file.look.columns.items())
    facts = {
        "format": file.format,
        "encoding": file.encoding,
        "line ends": file.look.line_ends,
        "columns": columns,
        "not found": _not_found(file),
        "times": ", ".join(file.look.dates) or "none",
        "rows": f"{file.rows:,}",
    }
    for name, fact in facts.items():
        if fact:
            table.add_row(name, Text(fact))
    return table


def _not_found(file: CheckedFile) -> str:
    """The columns that the file does not have under any name that is known, where they could be named."""
    from counterec.data.source import MENTION_COLUMNS, REVIEW_COLUMNS, is_mentions

    ours = MENTION_COLUMNS if is_mentions(file.format) else REVIEW_COLUMNS
    missing = [column for column in ours if column not in file.look.columns]
    if not missing or file.format == "fact":
        return ""
    return f"{', '.join(missing)}: if it has them, --columns {','.join(f'{column}=NAME' for column in missing)}"


def _rows_table(report: SourceReport) -> Table:
    """Rows read, left out by reason, and kept: it adds up; below, what the kept rows lack."""
    table = Table(title="Rows", title_justify="left", show_header=False)
    table.add_column(overflow="fold")
    table.add_column(justify="right")
    table.add_row("read", f"{report.rows:,}", end_section=True)
    for reason, count in report.dropped.items():
        table.add_row(Text(f"− {reason}"), f"{count:,}")
    table.add_section()
    table.add_row("kept", f"{report.kept:,}", style="bold", end_section=True)
    for problem, count in sorted(report.problems.items()):
        table.add_row(Text(f"with a gap or mended: {problem}"), f"{count:,}", style="dim")
    if report.not_english:
        judged = f"not in English, of {report.texts_judged:,} texts (left out of extraction)"
        table.add_row(judged, f"{report.not_english:,}", style="dim")
    return table
