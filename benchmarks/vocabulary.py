"""Which aspects, and which rules for X and Y, make the better recommender: on the validation part only.

    python -m benchmarks.vocabulary NAME=RUN… --out benchmarks/results/vocabulary.md

The runs were made with ``aspects.everybody = true``, the default, so that they hold the reviews of everybody. For each
combination of rules X and Y are made anew and nets are trained. Measured is NDCG@20 of the validation item in the
catalogue without the user's training items, and for how many validation reviews the item's strongest aspect (the one
whose fall to the worst that is possible costs the item most) is one that the user praises there; beside it stands that
share for a random aspect of the item.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from counterec.core.candidates import catalogue_candidates
from counterec.core.evaluation.ranking import ranking_quality
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training import train
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.extraction.vocabulary.choice import NameChoice
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import (
    COLUMNS,
    PAIR,
    Learned,
    aspects_of,
    chosen_names,
    counted_once,
    kept_aspects,
)
from counterec.pipeline.aspect_names import renamed
from counterec.pipeline.config import AspectsConfig
from counterec.pipeline.saturation import rules_of
from counterec.pipeline.space_building import built_space
from counterec.run import Run, open_run

CUT_OFF = 20
BOUNDS: dict[str, dict[str, int | bool]] = {
    "chosen": {},
    "all": {"most": 0, "merge": False, "leave_out": False, "most_per_review": 0},
}
"""The aspects that carry most, or all that are frequent enough."""
RULES = ("eq1/eq1", "eq1/relative", "share/eq1", "share/relative")
"""Of quality and attention."""
COLUMN_NAMES = "data | aspects | quality | attention | Y from | kept | NDCG@20 | strongest praised | random | of"


def rows(name: str, run: Run, seeds: int, bounds: Sequence[str], rules: Sequence[str]) -> Iterator[str]:
    """One line per combination of rules."""
    for bounded in bounds:
        choices: dict[bool, NameChoice] = {}
        for everybody, rule in product((False, True), rules):
            quality, attention = rule.split("/")
            asked = {"quality": quality, "attention": attention, "everybody": everybody}
            settings = AspectsConfig.model_validate({**asked, **BOUNDS[bounded]})
            if everybody not in choices:
                choices[everybody] = _names(run, settings)
            space, choice = _space(run, settings, choices[everybody])
            whose = "everybody" if everybody else "users"
            said = f"{name} | {bounded} | {quality} | {attention} | {whose}"
            yield f"{said} | {measured(run, space, choice, seeds)}"


def _training(run: Run) -> pl.DataFrame:
    train_part = run.split.filter(pl.col("part") == "train")
    return run.table(layout.MENTIONS, COLUMNS).join(train_part, on=PAIR, how="semi", maintain_order="left")


def _names(run: Run, settings: AspectsConfig) -> NameChoice:
    sources = [Learned(_training(run), pl.scan_parquet(run.file(layout.REVIEWS)))]
    if settings.everybody:
        others = run.table(layout.OTHER_MENTIONS, COLUMNS)
        sources.append(Learned(others, pl.scan_parquet(run.file(layout.OTHER_REVIEWS))))
    return chosen_names(sources, run.item_names, merge=settings.merge, leave_out=settings.leave_out)


def _space(run: Run, settings: AspectsConfig, choice: NameChoice) -> tuple[AspectSpace, NameChoice]:
    most = settings.most_per_review or None
    tables = (_training(run), run.table(layout.OTHER_MENTIONS, COLUMNS))
    training, others = (counted_once(renamed(table, choice.merged), most) for table in tables)
    choice = kept_aspects(training, choice, settings.min_mentions, settings.most or None)
    vocabulary = aspects_of(training, choice, settings.min_mentions)
    return built_space(run.split, training, others, vocabulary, settings, rules_of(settings, 0.0)), choice


def measured(run: Run, space: AspectSpace, choice: NameChoice, seeds: int) -> str:
    """The figures of nets trained on these X and Y, averaged over seeds."""
    parts, figures = run.interactions, []
    for seed in range(seeds):
        net = AspectNet(train(space, parts["train"], parts["validation"], TrainingSettings(), seed).weights)
        lists = rank(net, space, catalogue_candidates(parts["train"]), CUT_OFF)
        ndcg = ranking_quality(lists, parts["validation"]).ndcg.value or 0.0
        figures.append((ndcg, *strongest_praised(run, space, choice, net)))
    ndcg, hit, chance, cases = np.mean(figures, axis=0)
    return f"{len(space.aspects)} | {ndcg:.4f} | {hit:.1%} | {chance:.1%} | {cases:.0f}"


def strongest_praised(run: Run, space: AspectSpace, choice: NameChoice, scorer: Scorer) -> tuple[float, float, int]:
    """How often the strongest aspect of a validation item was praised there, a random one, and the number of cases."""
    praised = _praised(run, space, choice)
    hits, chances = [], []
    for (user, item), aspects in sorted(praised.items()):
        present = np.flatnonzero(space.item_quality[item])
        if not len(present):
            continue
        changed = np.repeat(space.item_quality[[item]], len(present), axis=0)
        changed[np.arange(len(present)), present] = np.minimum(space.possible[0][present], changed[0, present])
        users, items = np.full(len(present), user), np.full(len(present), item)
        scores = scorer.score(PairBatch(users, items, space.user_attention[users], changed))
        hits.append(int(present[int(scores.argmin())]) in aspects)
        chances.append(len(aspects & set(present.tolist())) / len(present))
    return float(np.mean(hits)), float(np.mean(chances)), len(hits)


def _praised(run: Run, space: AspectSpace, choice: NameChoice) -> dict[tuple[int, int], set[int]]:
    """The aspects that each validation review praises; reviews that praise none are left out."""
    held = run.split.filter(pl.col("part") == "validation")
    found = renamed(run.table(layout.MENTIONS, COLUMNS), choice.merged).join(held, on=PAIR, how="semi")
    found = found.filter((pl.col("sentiment") > 0) & pl.col("aspect").is_in(list(space.aspects.texts)))
    result: dict[tuple[int, int], set[int]] = {}
    for user, item, aspect in found.select("user_id", "item_id", "aspect").iter_rows():
        pair = (space.users.number(user), space.items.number(item))
        result.setdefault(pair, set()).add(space.aspects.number(aspect))
    return result


HEAD = """# Which aspects and rules make the better recommender

Written by `benchmarks/vocabulary.py`, on the validation part alone: {seeds} nets per row, without a search.
*Kept*: how many aspects. *Strongest praised*: of the validation reviews that praise an aspect, in how many the
item's strongest one is praised; *random*: the same for a random aspect of the item.

| {columns} |
{rule}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--bounds", nargs="+", default=list(BOUNDS), choices=list(BOUNDS))
    parser.add_argument("--rules", nargs="+", default=list(RULES), choices=list(RULES), help="of quality/attention")
    parser.add_argument("--out", type=Path, help="the page to write")
    options = parser.parse_args()
    page = HEAD.format(seeds=options.seeds, columns=COLUMN_NAMES, rule="|---" * 10 + "|")
    print(page, end="")
    for text in options.runs:
        name, _, folder = text.partition("=")
        for line in rows(name, open_run(Path(folder)), options.seeds, options.bounds, options.rules):
            print(f"| {line} |", flush=True)
            page += f"| {line} |\n"
    if options.out:
        options.out.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
