"""Render a table as text, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
import textwrap

from counterec.report.tables.table import Column, Table, TableCell

NONE = "–"
"""A number that is missing."""
WIDTH = 110
"""The width of the notes below a text table."""
_SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "λ": "$\\lambda$",
    "α": "$\\alpha$",
    "Δ": "$\\Delta$",
    "‖": "$\\|$",
    "₁": "$_1$",
    "₂": "$_2$",
    "†": "$\\dagger$",
    "≤": "$\\leq$",
}


def text(table: Table) -> str:
    """The table in columns of fixed width, its notes below."""
    heads = [*table.words, *(column.heading for column in table.columns)]
    lines = [[*words, *_shown(table, cells)] for words, cells in table.rows]
    widths = [max(len(line[place]) for line in [heads, *lines]) for place in range(len(heads))]
    rule = "  ".join("-" * width for width in widths)
    body = [_aligned(line, widths, len(table.words)) for line in lines]
    notes = [textwrap.fill(note, WIDTH, initial_indent="* ", subsequent_indent="  ") for note in table.notes]
    return (
        "\n".join([table.title, "", _aligned(heads, widths, len(table.words)), rule, *body, "", *notes]).rstrip() + "\n"
    )


def _aligned(line: list[str], widths: list[int], words: int) -> str:
    sides = ["<" if place < words else ">" for place in range(len(widths))]
    cells = zip(line, widths, sides, strict=True)
    return "  ".join(f"{cell:{side}{width}}" for cell, width, side in cells).rstrip()


def _shown(table: Table, cells: tuple[TableCell, ...]) -> list[str]:
    return [shown(cell, column) for cell, column in zip(cells, table.columns, strict=True)]


def shown(cell: TableCell, column: Column) -> str:
    """A cell as text: the number, its interval in parentheses, its mark."""
    if cell.value is None:
        return f"{NONE} {cell.mark}".rstrip()
    form = f",.{column.digits}f"
    interval = ""
    if column.interval and cell.interval is not None:
        low, high = cell.interval
        interval = f" ({low:{form}} to {high:{form}})"
    return f"{cell.value:{form}}{interval} {cell.mark}".rstrip()


def comma_separated(table: Table) -> str:
    """The table as CSV: each number is followed by its interval, its cases and its mark, in columns of their own."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    used = [_parts_used([cells[place] for _, cells in table.rows]) for place in range(len(table.columns))]
    heads = [f"{column.heading}{part}" for column, parts in zip(table.columns, used, strict=True) for part in parts]
    writer.writerow([*table.words, *heads])
    for words, cells in table.rows:
        entries = [_entries(cell)[part] for cell, parts in zip(cells, used, strict=True) for part in parts]
        writer.writerow([*words, *entries])
    return buffer.getvalue()


def _parts_used(cells: list[TableCell]) -> list[str]:
    """The parts that any cell of the column has; the number itself always."""
    every = [_entries(cell) for cell in cells]
    return ["", *(part for part in (" low", " high", " cases", " mark") if any(entries[part] for entries in every))]


def _entries(cell: TableCell) -> dict[str, str]:
    low, high = cell.interval or (None, None)
    numbers = {"": cell.value, " low": low, " high": high, " cases": cell.cases}
    return {**{part: "" if n is None else f"{n:.10g}" for part, n in numbers.items()}, " mark": cell.mark}


_FITTED = r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\box0}\else\box0\fi"


def latex(table: Table) -> str:
    """The table as a LaTeX float with a plain ``tabular``, across both columns of a two-column page.

    A table wider than the page is scaled down; for that the document must load ``graphicx``.
    """
    layout = "l" * len(table.words) + "r" * len(table.columns)
    heads = [*table.words, *(column.heading for column in table.columns)]
    lines = [heads, *([*words, *_shown(table, cells)] for words, cells in table.rows)]
    head, *body = [" & ".join(escaped(cell) for cell in line) + r" \\" for line in lines]
    notes = [rf"\par\footnotesize {escaped(note)}" for note in table.notes]
    caption = table.title.partition(". ")[2] or table.title  # LaTeX numbers tables itself
    begin = [r"\begin{table*}", rf"\caption{{{escaped(caption)}}}", rf"\label{{tab:{table.name}}}", r"\centering"]
    begin += [r"\scriptsize", r"\setlength{\tabcolsep}{3pt}"]
    rows = [rf"\begin{{tabular}}{{{layout}}}", r"\hline", head, r"\hline", *body, r"\hline", r"\end{tabular}"]
    boxed = [r"\setbox0=\hbox{%", *rows[:-1], rows[-1] + "}%", _FITTED]
    return "\n".join([*begin, *boxed, *notes, r"\end{table*}"]) + "\n"


def escaped(plain: str) -> str:
    """Text for LaTeX: characters that it reads as commands, or does not have, are replaced by what prints them."""
    return "".join(_SPECIAL.get(character, character) for character in plain)


RENDERINGS = {"txt": text, "csv": comma_separated, "tex": latex}
"""The renderings, by the ending of the file."""
