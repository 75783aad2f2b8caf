"""Why an experiment came out as it did: what its lists hold, what F1 rewards and costs, what strength depends on.

    python -m benchmarks.causes NAME=RUN:MODEL/PROTOCOL …

Reads run folders that ``counterec experiment`` has finished (its first seed). The model, X and Y are the experiment's.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from counterec import Run, open_run
from counterec.core.scorers.protocols import PairBatch
from counterec.experiment.plan import cell_config, cells_of
from counterec.pipeline.experiment_settings import Protocol
from counterec.pipeline.folder import RunFolder

OUT = Path("benchmarks/results/experiment/causes.md")
METHODS = (
    "relaxed",
    "complete",
    "gradient",
    "shapley",
    "lime",
    "alignment",
    "frequency",
    "efm",
    "mter",
    "a2cf",
    "random",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN:MODEL/PROTOCOL")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    lines = ["# Causes", "", "Made by `python -m benchmarks.causes`."]
    for given in options.runs:
        name, _, rest = given.partition("=")
        folder, _, place = rest.rpartition(":")
        run = measured_in(open_run(folder), place)
        cell = Path(folder) / "experiment" / place / str(run.config.seed)
        rows = pl.read_parquet(cell / "rows.parquet")
        lines += ["", f"## {name}, {place}", "", *lists(cell), *mask(run, rows), *rewarded(run, rows)]
        lines += [*walked(run, cell, rows), *positions(rows), *strength(rows), *sweep(cell)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measured_in(run: Run, place: str) -> RunFolder:
    """What the experiment measured: its own model and, where the run's X and Y are not by Eq. 1, its own of these."""
    model, _, given = place.partition("/")
    protocol: Protocol = "full" if given == "full" else "sampled"
    settings = replace(run.config.experiment, models=(model,), protocols=(protocol,), users=0)
    config = run.config.model_copy(update={"experiment": settings})
    cell = cells_of(config)[0]
    return RunFolder(run.path, run.manifest, config=cell_config(config, cell), place=cell.place)


def lists(cell: Path) -> Iterator[str]:
    """How many different items the lists hold, and how far apart their scores are."""
    table = pl.read_parquet(cell / "recommendations.parquet")
    k = int(table["position"].max() or 0) - 1  # type: ignore[arg-type]
    shown = table.filter(pl.col("position") <= k)["item_id"].value_counts()
    users, most = table["user_id"].n_unique(), shown["count"].to_numpy().max()
    yield f"- lists of {users:,} users: {len(shown):,} different items, the most frequent in {most:,}"
    median = {place: table.filter(pl.col("position") == place)["score"].to_numpy() for place in (1, k + 1)}
    first, below = (1 / (1 + np.exp(-np.median(scores))) for scores in median.values())
    yield f"- median score as a probability: {first:.3f} at position 1, {below:.3f} at {k + 1}"


def mask(run: RunFolder, rows: pl.DataFrame) -> Iterator[str]:
    """How many aspects the mask leaves."""
    pairs = rows.filter(pl.col("method") == "relaxed", "masked")
    users, items = run.space.users.numbers(pairs["user_id"]), run.space.items.numbers(pairs["item_id"])
    cares, has = run.space.user_attention[users] != 0, run.space.item_quality[items] != 0
    both = (cares & has).sum(axis=1)
    yield (
        f"- aspects a recommended item has: {has.sum(axis=1).mean():.1f}; that its user has mentioned: "
        f"{cares.sum(axis=1).mean():.1f}; both: {both.mean():.1f}, none for {np.mean(both == 0):.1%} of the pairs"
    )


def rewarded(run: RunFolder, rows: pl.DataFrame) -> Iterator[str]:
    """Masked F1 of simple rules without a model that name as many aspects, and how common the named aspects are."""
    space, number = run.space, run.space.aspects.number
    train, truth = mentioned(run, "train"), praised(run)
    common = np.zeros(len(space.aspects))
    of_item = np.zeros((len(space.items), len(space.aspects)))
    for item, aspect, count in train.group_by("item_id", "aspect").len().rows():
        common[number(aspect)] += count
        of_item[space.items.number(item), number(aspect)] += count
    counted = rows.filter(pl.col("method") == "relaxed", "masked", pl.col("f1").is_not_null())
    found: dict[str, list[float]] = {}
    for row in counted.iter_rows(named=True):
        user, item = space.users.number(row["user_id"]), space.items.number(row["item_id"])
        attention = space.user_attention[user]
        rules = {
            "most mentioned in the item's reviews": of_item[item],
            "X · Y": attention * space.item_quality[item],
            "the user's attention": attention,
            "most mentioned of all": common,
        }
        for rule, weight in rules.items():
            order = np.argsort(-np.where(attention != 0, weight + 1e-6 * common, -1), kind="stable")
            named = set(order[: len(row["aspects"])].tolist())
            found.setdefault(rule, []).append(f1(named, truth[row["user_id"], row["item_id"]]))
        found.setdefault("relaxed", []).append(row["f1"])
    values = ", ".join(f"{rule} {np.mean(scores):.3f}" for rule, scores in found.items())
    yield f"- masked F1 over {len(counted):,} pairs, among the user's aspects: {values}"
    place = 1 + np.argsort(np.argsort(-common, kind="stable"))
    explained = rows.filter(pl.col("shape") == "multi", "masked", "explained").explode("aspects")
    means = {
        method: np.mean([place[number(aspect)] for aspect in part["aspects"]])
        for method in METHODS
        if len(part := explained.filter(pl.col("method") == method))
    }
    yield "- mean rank by frequency of the aspects named, masked: " + ", ".join(
        f"{m} {v:.1f}" for m, v in means.items()
    )


def mentioned(run: RunFolder, part: str) -> pl.DataFrame:
    """The mentions in one part of the split."""
    known = run.aspect_mentions.filter(pl.col("aspect").is_in(list(run.space.aspects.texts)))
    return known.join(run.split.filter(pl.col("part") == part), on=["user_id", "item_id"], how="semi")


def praised(run: RunFolder) -> dict[tuple[str, str], set[int]]:
    """The aspects that each user praised in the held-out review of each item."""
    found: dict[tuple[str, str], set[int]] = {}
    good = mentioned(run, "test").filter(pl.col("sentiment") > 0)
    for user, item, aspect in good.select("user_id", "item_id", "aspect").rows():
        found.setdefault((user, item), set()).add(run.space.aspects.number(aspect))
    return found


def f1(named: set[int], truth: set[int]) -> float:
    return 2 * len(named & truth) / (len(named) + len(truth)) if named else 0.0


def walked(run: RunFolder, cell: Path, rows: pl.DataFrame) -> Iterator[str]:
    """The price of a high F1: remove the user's aspects from the item, largest X · Y first, until it leaves the list.

    Then put back, smallest X · Y first, each aspect that need not be removed: what is left names reasons only.
    """
    table = pl.read_parquet(cell / "recommendations.parquet")
    below = dict(table.filter(pl.col("position") == table["position"].max()).select("user_id", "score").rows())
    counted = rows.filter(pl.col("method") == "relaxed", "masked", "explained", pl.col("f1").is_not_null())
    pairs = list(counted.select("user_id", "item_id").rows())
    users, items = run.space.users.numbers(counted["user_id"]), run.space.items.numbers(counted["item_id"])
    batch, target = PairBatch.of(run.space, users, items), np.array([below[user] for user, _ in pairs])
    weight = batch.user_attention * batch.item_quality
    order, length = np.argsort(-weight, axis=1, kind="stable"), (weight > 0).sum(axis=1)

    def leaves(gone: np.ndarray) -> np.ndarray:
        return run.scorer.score(batch.with_quality(np.where(gone, 0, batch.item_quality))) < target

    gone = np.zeros(weight.shape, dtype=bool)
    left, every = np.zeros(len(pairs), dtype=bool), np.arange(len(pairs))
    for step in range(length.max(initial=0)):
        going = every[~left & (length > step)]
        gone[going, order[going, step]] = True
        left = leaves(gone)
    kept = gone.copy()
    for step in reversed(range(length.max(initial=0))):
        without = kept.copy()
        without[every, order[:, step]] = False
        back = leaves(without) & without.any(axis=1)
        kept[back] = without[back]
    truth = praised(run)
    for name, sets in (("removed by X · Y", gone), ("of these, reasons only", kept)):
        values = [f1(set(np.flatnonzero(one).tolist()), truth[pair]) for one, pair in zip(sets, pairs, strict=True)]
        found, size = np.array(values)[left].mean(), sets[left].sum(axis=1).mean()
        yield f"- {name}: F1 {found:.3f} with {size:.1f} aspects; {left.mean():.1%} of the pairs leave"


def positions(rows: pl.DataFrame) -> Iterator[str]:
    """How many aspects the answers name at each position, and how many different items are there."""
    answers = rows.filter(pl.col("method").is_in(["relaxed", "minimal"]), ~pl.col("masked"), "explained")
    size, items = pl.col("aspects").list.len().mean(), pl.col("item_id").n_unique()
    table = answers.group_by("position", "method").agg(size, items).pivot("method", index="position").sort("position")
    columns = ("position", "item_id_relaxed", "aspects_relaxed", "aspects_minimal")
    shown = "; ".join(
        f"{place}: {n:,}, {ours:.1f}, {fewest:.1f}" for place, n, ours, fewest in table.select(columns).rows()
    )
    yield f"- different items, aspects of relaxed and of minimal, by position: {shown}"


def strength(rows: pl.DataFrame) -> Iterator[str]:
    """Strength, and the share of answers that are both necessary and sufficient, across and within positions."""
    both = (pl.col("necessary") & pl.col("sufficient")).alias("both")
    answers = rows.filter(pl.col("method") == "relaxed", ~pl.col("masked"), "explained").with_columns(both)
    by_place = answers.group_by("position").agg(pl.col("strength_sigmoid", "both").mean()).sort("position")
    shown = "; ".join(f"{place}: {strong:.3f}, {share:.1%}" for place, strong, share in by_place.rows())
    yield f"- strength by probabilities, and share both necessary and sufficient, by position: {shown}"
    stronger = pl.col("strength_sigmoid") > pl.col("strength_sigmoid").median().over("position")
    halves = dict(answers.group_by(stronger.alias("stronger")).agg(pl.col("both").mean()).rows())
    shares = f"{halves[True]:.1%} in the stronger half, {halves[False]:.1%} in the other"
    yield f"- both necessary and sufficient, within positions: {shares}"


def sweep(cell: Path) -> Iterator[str]:
    """The share that flips for each λ, with the settings as published."""
    table = pl.read_parquet(cell / "sweep.parquet").filter(pl.col("alpha").is_null() | (pl.col("alpha") == 0.2))
    size = pl.col("aspects").list.len().filter(pl.col("explained")).mean().alias("size")
    for lam, share, aspects in table.group_by("lambda").agg(pl.col("explained").mean(), size).sort("lambda").rows():
        way = "adaptive" if lam is None else f"λ = {lam:g}, α = 0.2"
        yield f"- {way}: {share:.1%} flip" + (f", {aspects:.1f} aspects" if aspects else "")


if __name__ == "__main__":
    main()
