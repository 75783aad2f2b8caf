"""How good the recommender of finished runs is, how many short reasons it has, and how alike two seeds are.

    python -m benchmarks.recommender instruments=RUN0,RUN1,RUN2 hotels=RUN0,RUN1,RUN2

The runs of one data set differ by their seed. Everything is read from the run folders; only EASE, the collaborative
part as a recommender of its own, is fitted here, with λ chosen on validation.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counterec.core.arrays import FloatVector
from counterec.core.evaluation.quality import ranking_quality
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.ease import fit_chosen
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.validation import CatalogueValidation
from counterec.run import Run, open_run

SHOWN = 40
"""Aspects listed by name."""
PAIR = ["user_id", "item_id"]


@dataclass(frozen=True)
class CollaborativeAlone:
    """The collaborative part as a recommender."""

    part: Collaborative
    aspects_only: bool = False

    def score(self, pairs: PairBatch) -> FloatVector:
        """Score by relatedness to what the user has touched."""
        return self.part.offset(pairs.users, pairs.items)


def fit_ease(run: Run) -> float:
    """Return NDCG@K of EASE on the test part."""
    parts = run.interactions
    check = CatalogueValidation(parts["train"], parts["validation"])
    related = fit_chosen(parts["train"], check).related
    lists = rank(CollaborativeAlone(related), run.space, run.candidates, run.config.lists.k)
    value = ranking_quality(lists, parts["test"]).ndcg.value
    assert value is not None
    return value


def summarize(values: Sequence[float | None], form: str = "{:.4f}") -> str:
    """Return mean ± standard deviation over the seeds."""
    known = np.array([value for value in values if value is not None])
    if not len(known):
        return "–"
    spread = f" ± {form.format(known.std(ddof=1))}" if len(known) > 1 else ""
    return form.format(known.mean()) + spread


def describe(name: str, runs: Sequence[Run]) -> Iterator[str]:
    """Yield the lines of one data set."""
    counts = [run.manifest.stages["build"].counts for run in runs]
    fits = [run.manifest.stages["fit"].counts for run in runs]
    found, first = [run.evaluation for run in runs], counts[0]
    ranking, lists = ([one[part] for one in found] for part in ("ranking", "lists"))
    minimal, k = [one["explanations"]["minimal"] for one in found], found[0]["k"]

    def over(table: Sequence[dict[str, Any]], *path: str, form: str = "{:.3f}") -> str:
        return summarize([_dig(one, path) for one in table], form)

    yield f"## {name}\n"
    yield (
        f"{first['users']:,} users, {first['items']:,} items, {first['reviews']:,} reviews; "
        f"{first['aspects']} aspects, values by {first['quality']}.\n"
    )
    yield f"The first {SHOWN}: {', '.join(first['aspects_by_use'][:SHOWN])}.\n"
    rows: list[tuple[str, str]] = [
        (f"NDCG@{k} of popularity", over(ranking, "popularity", "ndcg", "value", form="{:.4f}")),
        (f"NDCG@{k} of EASE", f"{fit_ease(runs[0]):.4f}"),
        (f"NDCG@{k} of the recommender", over(ranking, "recommender", "ndcg", "value", form="{:.4f}")),
        *((f"short reasons, at most {n}", over(lists, "short_reasons", str(n), "value")) for n in (1, 2, 3)),
        ("fidelity of *minimal*", over(minimal, "counterfactual", "fidelity", "value")),
        ("aspects named", over(minimal, "counterfactual", "aspects", "value", form="{:.2f}")),
        ("pairs led by history", over(lists, "led_by_history", "value")),
        ("F1 against aspects praised in the test part", over(minimal, "user", "f1", "value")),
        ("different items recommended", over(lists, "different_items", form="{:.0f}")),
        ("recommended items with one opinion per aspect", over(lists, "single_opinions", "value")),
        ("list entries shared by two seeds", summarize(_compare(runs, _shared_entries), "{:.3f}")),
        ("aspects shared on these entries (Jaccard)", summarize(_compare(runs, _shared_aspects), "{:.3f}")),
        ("weight of the collaborative part", ", ".join(f"{fit['weight']:g}" for fit in fits)),
    ]
    yield "| | |"
    yield "|---|---|"
    yield from (f"| {title} | {value} |" for title, value in rows)
    yield ""


def _dig(table: dict[str, Any], path: Sequence[str]) -> float | None:
    """Follow a path into nested values; None where it ends early."""
    value: Any = table
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return None if value is None else float(value)


def _compare(runs: Sequence[Run], measure: Callable[[pl.DataFrame], float]) -> list[float]:
    """Measure every two seeds on the answers of *minimal* to both."""
    tables = [run.explanations_table("minimal").select(*PAIR, "aspects") for run in runs]
    return [measure(one.join(other, on=PAIR, how="full")) for one, other in combinations(tables, 2)]


def _shared_entries(both: pl.DataFrame) -> float:
    """Return the share of list entries that are in both runs."""
    shared = len(_in_both(both))
    return 2 * shared / (len(both) + shared)


def _shared_aspects(both: pl.DataFrame) -> float:
    """Return the mean Jaccard index of the aspects named for shared entries."""
    pairs = _in_both(both).select("aspects", "aspects_right").iter_rows()
    found = [len({*one} & {*other}) / len({*one} | {*other}) for one, other in pairs if one or other]
    return float(np.mean(found))


def _in_both(both: pl.DataFrame) -> pl.DataFrame:
    return both.drop_nulls(["user_id", "user_id_right"])


HEADING = """# The recommender

Written by `benchmarks/recommender.py` from runs with default settings, which differ by their seed. Mean ± standard
deviation over the seeds {seeds}. A *short reason*: the item leaves its list with at most this many aspects at values
that reviews can give. All choices were made on validation. The seed also draws the built-in world and the split of data
without times (phones): there, entries shared by two seeds say little about how stable a training is.
"""


def main() -> None:
    """Measure the runs and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN,RUN,…")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/recommender.md"))
    options = parser.parse_args()
    lines: list[str] = []
    seeds: set[int] = set()
    for text in options.runs:
        name, _, folders = text.partition("=")
        runs = [open_run(Path(folder)) for folder in folders.split(",")]
        seeds |= {run.config.seed for run in runs}
        lines += describe(name, runs)
    page = "\n".join([HEADING.format(seeds=", ".join(map(str, sorted(seeds)))), *lines])
    options.out.write_text(page.rstrip() + "\n", encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
