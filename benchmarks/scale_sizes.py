"""One world at several sizes, side by side: seconds and peak memory of each stage, taken from the measured page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.page_sections import sections_of

WORLD = "from text, net"
SHARES = {"⅛": "Yelp × 0.125", "¼": "Yelp × 0.25", "½": "Yelp × 0.5", "all": "Yelp"}
"""Shares of the users and items, and how the page's sections call them."""


def sizes_table(page: str) -> Iterator[str]:
    """Yield the table, one row per stage."""
    sections = sections_of(page)
    found = {share: _stages(sections[f"{name} {WORLD}"]) for share, name in SHARES.items()}
    yield f"| stage | {' | '.join(f'{share}: s, MiB' for share in found)} |"
    yield "|---" * (len(found) + 1) + "|"
    for stage in found["all"]:
        cells = (" ".join(found[share][stage]) for share in found)
        yield f"| {stage} | {' | '.join(cells)} |"


def _stages(section: str) -> dict[str, tuple[str, str]]:
    """The seconds and the peak memory of each stage, as they are printed."""
    rows = re.findall(r"^\| ([^|]+?) \| ([\d,.]+) \| ([\d,]+) \| [\d.]+ \|$", section, re.M)
    return {stage: (f"{seconds},", peak) for stage, seconds, peak in rows}
