"""The memory of learning and extracting, without the output: mentions are counted and discarded.

    python -m benchmarks.extraction_memory --hotels reviews.jsonl.gz --reviews 4596 [--times 4]

``--times`` repeats the same reviews: a longer corpus without a new word. Prints one row of a Markdown table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from counterec.data.readers import Source, Tally, read
from counterec.extraction.grammar.corpus_counts import merged_counts
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.pipeline.mention_extraction import TEXTS_AT_ONCE, extracted

COLUMNS = {"user": "user", "item": "item", "time": "date", "rating": "rating", "text": "text"}


def batches(path: Path, reviews: int, times: int) -> Iterator[pl.DataFrame]:
    for _ in range(times):
        left = reviews
        for chunk in read(Source(path, "jsonl", COLUMNS), Tally()):
            yield from chunk.head(left).iter_slices(TEXTS_AT_ONCE)
            left = max(0, left - len(chunk))


def mebibytes(field: str) -> int:
    """Return the memory of this process: VmRSS is its size now, VmHWM its peak."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(field))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hotels", type=Path, required=True)
    parser.add_argument("--reviews", type=int, required=True)
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    given = (options.hotels, options.reviews, options.times)
    GrammarExtractor().fitted(["The sound is great."])
    lexicons = mebibytes("VmRSS")
    counts = merged_counts(GrammarExtractor().counted(batch["text"], batch["rating"]) for batch in batches(*given))
    counted, words, keys = mebibytes("VmRSS"), len(counts.words), len(counts.terms) + len(counts.adjective_uses)
    learned = GrammarExtractor().concluded([counts])
    del counts
    mentions = sum(map(len, extracted(learned, lambda: batches(*given))))
    sizes = f"{words:,} | {keys:,} | {mentions:,}"
    print(f"| {options.reviews:,} × {options.times} | {sizes} | {lexicons} | {counted} | {mebibytes('VmHWM')} |")


if __name__ == "__main__":
    main()
