"""Why an experiment came out as it did: what its lists hold, what F1 rewards and costs, what strength depends on.

    python -m benchmarks.causes NAME=RUN:MODEL/PROTOCOL …

Reads run folders that ``counterec experiment`` has finished, all seeds pooled. Models, X and Y are the experiment's. F1
stands twice: of the pairs that are explained, and of all, where one without an explanation counts 0. Each place has a
section of the page; those of others stay. What the page on all experiments needs is beside it, as data.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks import allowed_sets, claim_causes
from benchmarks.allowed_sets import Reachable, allowed_aspects, joined, reachable
from benchmarks.page_sections import page_of, with_section
from counterec import Run, open_run
from counterec.core.evaluation.judge_necessity import stays_without_aspects
from counterec.core.scorers.protocols import PairBatch
from counterec.experiment.plan import cell_config, cells_of
from counterec.pipeline import layout
from counterec.pipeline.experiment_settings import Protocol
from counterec.pipeline.files import write_json
from counterec.pipeline.folder import RunFolder
from counterec.report.evaluation_json import MASK_NAMES as MASKS
from counterec.report.load_experiment import load_experiment
from counterec.report.sweep_measures import along_lambda, with_free_strength

Cells = Mapping[int, RunFolder]
"""What an experiment measured, by seed."""
OUT = Path("benchmarks/results/experiment/causes.md")
HEADING = "# Causes\n\nMade by `python -m benchmarks.causes`, over all seeds.\n"
COUNTED = pl.col("in_test") & (pl.col("praised") > 0)
"""The pairs that F1 is of, explained or not."""
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
    options.out.parent.mkdir(parents=True, exist_ok=True)
    for given in options.runs:
        name, _, rest = given.partition("=")
        folder, _, place = rest.rpartition(":")
        lines, numbers = causes(Path(folder), place)
        page = with_section(HEADING, page_of(options.out), f"{name}, {place}", "\n".join(lines))
        options.out.write_text(page, encoding="utf-8")
        keep(options.out.with_suffix(".json"), f"{name}/{place}", numbers)


def keep(path: Path, place: str, numbers: Mapping[str, Any]) -> None:
    """Write the numbers of a place in place of those of before; those of other places stay."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    write_json(path, dict(sorted({**kept, place: numbers}.items())))


def causes(folder: Path, place: str) -> tuple[list[str], dict[str, Any]]:
    """Everything about one model and protocol, all seeds pooled; X, Y and held-out reviews are the same in all.

    As lines for people; and as data: how many items leave without aspects, for how many pairs some set of the allowed
    aspects is necessary and sufficient, of how many pairs; and what could have refuted the causes of failing claims.
    """
    found = load_experiment(folder / "experiment" / place)
    run = open_run(folder)
    cells = {seed: measured_in(run, place, seed) for seed in found.seeds}
    first = cells[found.seeds[0]]
    rows, swept = found.rows, found.sweep
    complete = {
        masked: found.rows_of("complete", "multi", masked).sort("seed", maintain_order=True) for masked in MASKS
    }
    stays = np.concatenate([staying(cell, of_seed(complete[False], seed)) for seed, cell in sorted(cells.items())])
    parts = [reachable_in(cell, of_seed(complete[True], seed)) for seed, cell in sorted(cells.items())]
    allowed, refutable = joined(parts), claim_causes.claim_causes(first.space, found)
    lines = [*lists(cells), *anyway(complete[False], stays), *mask(first, rows), allowed_sets.told(allowed)]
    lines += [*rewarded(first, rows), *walked(cells, rows), *positions(rows), *strength(swept), *sweep(swept)]
    lines.append(claim_causes.told(refutable))
    numbers = {
        "pairs": len(stays),
        "leave without aspects": int((~stays).sum()),
        "allowed sets": {"necessary": int(allowed.necessary.sum()), "sufficient": int(allowed.sufficient.sum())},
        "claims": {name: measure.as_dict() for name, measure in refutable.items()},
    }
    return lines, numbers


def of_seed(rows: pl.DataFrame, seed: int) -> pl.DataFrame:
    """The rows of one seed."""
    return rows.filter(pl.col("seed") == seed)


def measured_in(run: Run, place: str, seed: int | None = None) -> RunFolder:
    """What the experiment measured with a seed, by default its first: its own model and, where the run's X and Y are
    not by Eq. 1, its own of these."""
    model, _, given = place.partition("/")
    protocol: Protocol = "full" if given == "full" else "sampled"
    seeds = 1 + (0 if seed is None else seed - run.config.seed)
    settings = replace(run.config.experiment, models=(model,), protocols=(protocol,), seeds=seeds, users=0)
    config = run.config.model_copy(update={"experiment": settings})
    cell = cells_of(config)[-1]
    return RunFolder(run.path, run.manifest, config=cell_config(config, cell), place=cell.place)


def lists(cells: Cells) -> Iterator[str]:
    """How many different items the lists hold, and how far apart their scores are."""
    table = pl.concat(cell.table(layout.RECOMMENDATIONS) for cell in cells.values())
    k = int(table["position"].max() or 0) - 1  # type: ignore[arg-type]
    shown = table.filter(pl.col("position") <= k)["item_id"].value_counts()
    first, below = (table.filter(pl.col("position") == place)["score"].to_numpy() for place in (1, k + 1))
    most = shown["count"].to_numpy().max()
    yield f"- {len(first):,} lists, {len(cells)} seeds: {len(shown):,} different items, the most frequent in {most:,}"
    top, next_below = (1 / (1 + np.exp(-np.median(scores))) for scores in (first, below))
    yield f"- median score as a probability: {top:.3f} at position 1, {next_below:.3f} at {k + 1}"


def anyway(complete: pl.DataFrame, stays: np.ndarray) -> Iterator[str]:
    """How many items would be in their list if no item had any aspect, and how *complete* does for the others.

    Of the first, no aspects are the reason, so none count as sufficient: PS of any method is at most the others' share.
    If its low PS had another cause, that of *complete* would be low for the others, too.
    """
    for what, pairs in (("stay with no aspect at all", stays), ("leave without aspects", ~stays)):
        part = complete.filter(pairs)
        if not len(part):
            yield f"- items that {what}: 0 of {len(complete):,} pairs"
            continue
        pn, ps = (np.mean(part[name].fill_null(value=False).to_numpy()) for name in ("necessary", "sufficient"))
        f_ns = 2 * pn * ps / (pn + ps) if pn + ps else 0.0
        judged = f"complete has PN {pn:.3f}, PS {ps:.3f}, F_NS {f_ns:.3f}"
        yield f"- items that {what}: {len(part):,} of {len(complete):,} pairs; {judged}"


def staying(cell: RunFolder, pairs: pl.DataFrame) -> np.ndarray:
    """Which of the pairs of one seed are in their list whatever the aspects."""
    users, items = cell.space.users.numbers(pairs["user_id"]), cell.space.items.numbers(pairs["item_id"])
    return stays_without_aspects(cell.scorer, cell.space, cell.candidates, cell.config.lists.k, users, items)


def mask(run: RunFolder, rows: pl.DataFrame) -> Iterator[str]:
    """How many aspects the mask leaves."""
    pairs = rows.filter(pl.col("method") == "relaxed", "masked")
    users, items = run.space.users.numbers(pairs["user_id"]), run.space.items.numbers(pairs["item_id"])
    cares, has = run.space.user_attention[users] != 0, run.space.item_quality[items] != 0
    both = allowed_aspects(run.space, users, items).sum(axis=1)
    yield (
        f"- aspects a recommended item has: {has.sum(axis=1).mean():.1f}; that its user has mentioned: "
        f"{cares.sum(axis=1).mean():.1f}; both: {both.mean():.1f}, none for {np.mean(both == 0):.1%} of the pairs"
    )


def reachable_in(cell: RunFolder, pairs: pl.DataFrame) -> Reachable:
    """For which pairs of one seed any set of allowed aspects would do, given the verdicts on *complete*'s answers.

    If *complete* with the mask missed aspects that it could have named, these would be far more than those it has.
    """
    users, items = cell.space.users.numbers(pairs["user_id"]), cell.space.items.numbers(pairs["item_id"])
    known = (pairs[name].fill_null(value=False).to_numpy() for name in ("necessary", "sufficient"))
    return reachable(cell.scorer, cell.space, cell.candidates, cell.config.lists.k, users, items, *known)


def rewarded(run: RunFolder, rows: pl.DataFrame) -> Iterator[str]:
    """Masked F1 of simple rules without a model that name as many aspects, and how common the named aspects are.

    Where *relaxed* explains nothing, they name as many as it usually does with that seed.
    """
    space, number = run.space, run.space.aspects.number
    train, truth = mentioned(run, "train"), praised(run)
    common = np.zeros(len(space.aspects))
    of_item = np.zeros((len(space.items), len(space.aspects)))
    for item, aspect, count in train.group_by("item_id", "aspect").len().rows():
        common[number(aspect)] += count
        of_item[space.items.number(item), number(aspect)] += count
    relaxed = rows.filter(pl.col("method") == "relaxed", "masked")
    sizes = relaxed.filter("explained").group_by("seed").agg(pl.col("aspects").list.len().mean())
    usual = {seed: max(1, round(size)) for seed, size in sizes.rows()}
    counted = relaxed.filter(COUNTED)
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
            named = set(order[: len(row["aspects"]) or usual.get(row["seed"], 1)].tolist())
            found.setdefault(rule, []).append(f1(named, truth[row["user_id"], row["item_id"]]))
        found.setdefault("relaxed", []).append(row["f1"] or 0.0)
    explained = counted["explained"].to_numpy()
    for which, pairs in (("explained", explained), ("all", np.ones(len(counted), dtype=bool))):
        values = ", ".join(f"{rule} {mean_of(np.array(scores)[pairs])}" for rule, scores in found.items())
        yield f"- masked F1 of {pairs.sum():,} pairs ({which}), among the user's aspects: {values}"
    place = 1 + np.argsort(np.argsort(-common, kind="stable"))
    named_ones = rows.filter(pl.col("shape") == "multi", "masked", "explained").explode("aspects")
    means = {
        method: np.mean([place[number(aspect)] for aspect in part["aspects"]])
        for method in METHODS
        if len(part := named_ones.filter(pl.col("method") == method))
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


def mean_of(values: np.ndarray) -> str:
    return f"{values.mean():.3f}" if len(values) else "–"


def f1(named: set[int], truth: set[int]) -> float:
    return 2 * len(named & truth) / (len(named) + len(truth)) if named else 0.0


def walked(cells: Cells, rows: pl.DataFrame) -> Iterator[str]:
    """The price of a high F1: remove the user's aspects from the item, largest X · Y first, until it leaves the list.

    Then put back, smallest X · Y first, each aspect that need not be removed: what is left names reasons only.
    """
    counted = rows.filter(pl.col("method") == "relaxed", "masked", COUNTED).sort("seed", maintain_order=True)
    parts = [leaving_sets(cell, counted.filter(pl.col("seed") == seed)) for seed, cell in sorted(cells.items())]
    left, removed, needed = (np.concatenate(part) for part in zip(*parts, strict=True))
    pairs, truth = counted.select("user_id", "item_id").rows(), praised(next(iter(cells.values())))
    for name, sets in (("removed by X · Y", removed), ("of these, reasons only", needed)):
        values = [f1(set(np.flatnonzero(one).tolist()), truth[pair]) for one, pair in zip(sets, pairs, strict=True)]
        scores, sizes = np.array(values), sets.sum(axis=1)
        leave = f"{left.sum():,} of {len(pairs):,} pairs leave, by {mean_of(sizes[left])} aspects"
        yield f"- {name}: {leave}; F1 {mean_of(scores[left])}, of all pairs {mean_of(scores * left)}"


def leaving_sets(cell: RunFolder, counted: pl.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which of the pairs of one seed leave, the aspects removed until then, and those of them that had to be."""
    table = cell.table(layout.RECOMMENDATIONS)
    below = dict(table.filter(pl.col("position") == table["position"].max()).select("user_id", "score").rows())
    users, items = cell.space.users.numbers(counted["user_id"]), cell.space.items.numbers(counted["item_id"])
    batch, target = PairBatch.of(cell.space, users, items), np.array([below[user] for user in counted["user_id"]])
    weight = batch.user_attention * batch.item_quality
    order, length = np.argsort(-weight, axis=1, kind="stable"), (weight > 0).sum(axis=1)

    def leaves(gone: np.ndarray) -> np.ndarray:
        return cell.scorer.score(batch.with_quality(np.where(gone, 0, batch.item_quality))) < target

    gone = np.zeros(weight.shape, dtype=bool)
    left, every = np.zeros(len(counted), dtype=bool), np.arange(len(counted))
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
    return left, gone, kept


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


def strength(swept: pl.DataFrame) -> Iterator[str]:
    """Strength, and the share of answers that are both necessary and sufficient, across and within positions.

    Of answers whose strength α leaves free: with α = 0, as in the tables, an answer is as strong as the lead is large.
    """
    rows, what = with_free_strength(swept)
    answers = rows.filter("explained").with_columns((pl.col("necessary") & pl.col("sufficient")).alias("both"))
    if not len(answers):
        yield f"- strength: {what}"
        return
    by_place = answers.group_by("position").agg(pl.col("strength_sigmoid", "both").mean()).sort("position")
    shown = "; ".join(f"{place}: {strong:.3f}, {share:.1%}" for place, strong, share in by_place.rows())
    yield (
        f"- {len(answers):,} answers {what}: strength by probabilities, and share both necessary and sufficient, by "
        f"position: {shown}"
    )
    stronger = pl.col("strength_sigmoid") > pl.col("strength_sigmoid").median().over("position")
    halves = dict(answers.group_by(stronger.alias("stronger")).agg(pl.col("both").mean()).rows())
    if len(halves) == 2:
        shares = f"{halves[True]:.1%} in the stronger half, {halves[False]:.1%} in the other"
        yield f"- both necessary and sufficient, within positions: {shares}"


def sweep(swept: pl.DataFrame) -> Iterator[str]:
    """The share that flips for each λ, with the settings as published; and by our own way, which has no λ."""
    table = pl.concat([swept.filter(pl.col("lambda").is_null()), along_lambda(swept)])
    size = pl.col("aspects").list.len().filter(pl.col("explained")).mean().alias("size")
    for lam, share, aspects in table.group_by("lambda").agg(pl.col("explained").mean(), size).sort("lambda").rows():
        way = "adaptive" if lam is None else f"λ = {lam:g}, α = 0.2"
        yield f"- {way}: {share:.1%} flip" + (f", {aspects:.1f} aspects" if aspects else "")


if __name__ == "__main__":
    main()
