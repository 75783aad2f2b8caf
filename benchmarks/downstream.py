"""What the extractor changes downstream: whole runs that differ only in its settings.

    python -m benchmarks.downstream --music reviews.json.gz --hotels reviews.jsonl.gz

Default settings (users with at least 10 reviews, protocol *full*, seed 0), explained by *minimal* and *relaxed*. Each
variant has its own aspects, and its own mentions are the ground truth of F1: one protocol, but not one scale.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from counterec.pipeline.config import make_config
from counterec.run import Run, make_run

VARIANTS: dict[str, dict[str, Any]] = {
    "grammar": {},
    "grammar, near-synonyms merged": {"near_synonyms": True},
}
METHODS = ("minimal", "relaxed")
COLUMNS = ("data", "extractor", "users", "items", "aspects", "density", "NDCG@5", *(f"F1 {name}" for name in METHODS))


def rows(data: str, path: Path) -> Iterator[str]:
    for name, aspects in VARIANTS.items():
        settings = {"data": {"sources": [str(path)]}, "aspects": aspects, "explain": {"methods": list(METHODS)}}
        with TemporaryDirectory() as folder:
            yield f"| {data} | {name} | {figures(make_run(make_config(settings, 'benchmark'), Path(folder) / 'run'))} |"


def figures(run: Run) -> str:
    counts, evaluation = run.statistics, run.evaluation
    ndcg = evaluation["ranking"]["recommender"]["ndcg"]
    scores = [evaluation["explanations"][method]["user"]["f1"] for method in METHODS]
    return " | ".join(
        (
            f"{counts['users']:,} | {counts['items']:,} | {counts['aspects']:,} | {counts['density']:.3%}",
            f"{ndcg['value']:.4f} [{ndcg['interval'][0]:.4f}, {ndcg['interval'][1]:.4f}]",
            *(f"{f1['value']:.3f} ({f1['cases']:,})" for f1 in scores),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--music", type=Path)
    parser.add_argument("--hotels", type=Path)
    options = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n" + "|---" * len(COLUMNS) + "|")
    for data, path in (("Musical Instruments", options.music), ("hotels", options.hotels)):
        for line in rows(data, path) if path else ():
            print(line, flush=True)


if __name__ == "__main__":
    main()
