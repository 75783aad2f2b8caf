"""The line format published with the FacT model, ``user,item,rating,aspect sentiment aspect sentiment …``."""

from __future__ import annotations

import re
from pathlib import Path

from counterec.data.readers.files import lines
from counterec.data.readers.problems import Tally
from counterec.data.readers.source import Records

FACT_LINE = re.compile(r"[^,]+,[^,]+,[^,]+,\s*\S+ +[+-]?1(\s+\S+ +[+-]?1)*\s*")


def fact_records(path: Path, tally: Tally) -> Records:
    """Yield each line as user, item, rating and the list of its (aspect, sentiment) pairs."""
    for number, line in lines(path, tally):
        if line.isspace():
            continue
        where = f"{path.name} line {number}"
        parts = line.split(",")
        words = parts[-1].split()
        if len(parts) == 4 and len(words) % 2 == 0:
            pairs = list(zip(words[::2], words[1::2], strict=True))
            yield where, {"user": parts[0], "item": parts[1], "rating": parts[2], "pairs": pairs}
        else:
            tally.add("not a line of user,item,rating,aspect sentiment …", where, line)
            yield where, None
