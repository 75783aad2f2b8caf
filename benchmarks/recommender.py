"""How good the recommenders are, how much of their lists aspects explain, and how alike two trainings are.

    python -m benchmarks.recommender demo=RUN instruments=RUN phones=RUN hotels=RUN [--keep FOLDER] [--without mter]

A RUN is a finished run: its aspect space and its split are used as they are. Sections of other data that the page has
are kept, so that data sets can be measured one after another. With ``--keep`` every training is kept, too, and a
sitting that was cut off goes on with the next one; empty the folder when the code of a model has changed. Every model
is trained anew with each seed (``--seeds``, 0 1 2) and chooses its settings on the validation part alone. Popularity
and EASE have no seed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.fitted_model import fitted
from benchmarks.measured_training import MeasuredTraining, shares_of
from counterec.baselines import BASELINES
from counterec.core.arrays import FloatVector
from counterec.core.candidates import Candidates, catalogue_candidates, sampled_candidates
from counterec.core.evaluation.intervals import mean, paired
from counterec.core.evaluation.quality import NOWHERE, rows_of_pairs, user_quality
from counterec.core.explainers.answer import NamedAspects
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.catalogue_validation import CatalogueValidation
from counterec.core.scorers.collaborative import Collaborative
from counterec.core.scorers.collaborative_fit import fit_chosen
from counterec.core.scorers.hybrid_settings import HybridSettings
from counterec.core.scorers.protocols import PairBatch, Scorer
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.training_settings import RECORDED, TrainingSettings
from counterec.core.scorers.trivial import PopularityScorer
from counterec.core.space import AspectSpace
from counterec.errors import BaselineUnavailableError
from counterec.experiment.fitted_baselines import baseline_data
from counterec.pipeline import layout
from counterec.pipeline.config import ModelConfig
from counterec.pipeline.folder import RunFolder
from counterec.run import open_run

K = 5
NEGATIVES = 100
"""Items drawn per user by protocol *sampled*."""
PROTOCOLS = ("full", "sampled")


@dataclass(frozen=True)
class Data:
    """One data set: its space, its parts, and who competes under each protocol."""

    name: str
    folder: RunFolder
    candidates: dict[str, Candidates]

    @classmethod
    def of(cls, name: str, folder: RunFolder, seed: int = 0) -> Data:
        """The whole catalogue without what a user has touched; or the held-out items and some drawn ones."""
        full = catalogue_candidates(folder.known_items)
        users = folder.space.users.texts
        drawn = sampled_candidates(folder.interactions["test"], folder.known_items, users, seed, NEGATIVES)
        return cls(name, folder, {"full": full, "sampled": drawn})

    @property
    def space(self) -> AspectSpace:
        return self.folder.space

    def trained_as(self, name: str, settings: TrainingSettings, seed: int) -> bool:
        """Whether the run's own model is what such a training gives: the same kind, settings and seed."""
        config = self.folder.config
        same = name == config.model.kind and not settings.as_published and seed == config.seed
        return self._plain and same and self.folder.has(layout.MODEL)

    @property
    def _plain(self) -> bool:
        """Whether the run's model was trained with the settings that are the default."""
        return self.folder.config.training == TrainingSettings() and self.folder.config.model == ModelConfig()

    @property
    def _fit(self) -> dict[str, Any]:
        return dict(self.folder.manifest.stages["fit"].counts)

    @property
    def chosen_for_its_model(self) -> dict[str, Any]:
        """What was chosen on validation when the run's own model was trained."""
        epochs = int(np.median([net["best_epoch"] for net in self._fit["nets"]]))
        settings = {name: self._fit["nets"][0]["settings"][name] for name in RECORDED}
        return {
            **settings,
            "epochs": epochs,
            **{name: self._fit[name] for name in ("weight", "regularisation", "kept")},
        }


Fit = Callable[[Data, int], tuple[Scorer, AspectSpace, dict[str, Any]]]


def popularity(data: Data, seed: int) -> tuple[Scorer, AspectSpace, dict[str, Any]]:
    del seed
    return PopularityScorer(data.folder.interactions["train"].items, len(data.space.items)), data.space, {}


@dataclass(frozen=True)
class OffsetsAlone:
    """The collaborative part as a recommender of its own."""

    part: Collaborative
    aspects_only: bool = False

    def score(self, pairs: PairBatch) -> FloatVector:
        return self.part.offset(pairs.users, pairs.items)


def ease(data: Data, seed: int) -> tuple[Scorer, AspectSpace, dict[str, Any]]:
    """The collaborative part alone, its λ chosen on validation."""
    del seed
    parts = data.folder.interactions
    check = CatalogueValidation(parts["train"], parts["validation"])
    found = fit_chosen(parts["train"], check, HybridSettings())
    return OffsetsAlone(found.related), data.space, {"λ": found.regularisation, "entries": found.kept}


def kind(name: str, settings: TrainingSettings) -> Fit:
    """A model of our own."""

    def fit(data: Data, seed: int) -> tuple[Scorer, AspectSpace, dict[str, Any]]:
        if data.trained_as(name, settings, seed):
            return data.folder.scorer, data.space, data.chosen_for_its_model
        found = fitted(name, data.space, data.folder.interactions, settings, seed)
        return found.scorer, data.space, chosen(found.outcome.chosen)

    return fit


def chosen(found: Any) -> dict[str, Any]:
    training = dict(found.get("training", {}))
    rest = {name: value for name, value in found.items() if name != "training"}
    return {**training, **rest}


def baseline(name: str) -> Fit:
    """A method of others."""

    def fit(data: Data, seed: int) -> tuple[Scorer, AspectSpace, dict[str, Any]]:
        fitted = BASELINES[name]().fitted(baseline_data(data.folder), seed)
        return fitted.scorer, fitted.space, {}

    return fit


MODELS: dict[str, Fit] = {
    "popularity": popularity,
    "EASE": ease,
    "net, as published": kind("net", TrainingSettings.published()),
    "net": kind("net", TrainingSettings()),
    "hybrid": kind("hybrid", TrainingSettings()),
    "efm": baseline("efm"),
    "mter": baseline("mter"),
    "a2cf": baseline("a2cf"),
}
OURS = ("net, as published", "net", "hybrid")
SEEDLESS = ("popularity", "EASE")


def main() -> None:
    options = parse()
    torch.set_num_threads(1)
    for text in options.runs:
        name, _, folder = text.partition("=")
        measured_section = "\n".join(section(Data.of(name, open_run(Path(folder))), options))
        options.out.write_text(with_section(options.out, heading(options.seeds), measured_section), encoding="utf-8")


def with_section(page: Path, top: str, new: str) -> str:
    """The page with this section in place of the one on the same data; sections under another heading are dropped."""
    before = page.read_text(encoding="utf-8") if page.exists() else ""
    old = before.removeprefix(top).strip().split("\n## ") if before.startswith(top) else []
    sections = {part.split("\n", 1)[0].removeprefix("## "): part.removeprefix("## ").strip() for part in old if part}
    title, _, body = new.removeprefix("## ").partition("\n")
    sections[title] = f"{title}\n{body}".strip()
    return "\n\n".join([top, *(f"## {part}" for part in sections.values())]) + "\n"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=RUN")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--without", nargs="*", default=[], metavar="MODEL", help="models to leave out")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep every training here; those that stand are taken"
    )
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/recommender.md"))
    return parser.parse_args()


def heading(seeds: Sequence[int]) -> str:
    numbers = ", ".join(map(str, seeds))
    return f"""# The recommenders

Written by `benchmarks/recommender.py`. Mean over the seeds {numbers} ± their standard deviation; in brackets the 95%
interval of a bootstrap over users, of each user's mean over the seeds. All settings, epochs and weights were chosen on
the validation part, by NDCG@20 in the whole catalogue. *Items*: how many different items all lists hold. Of the
recommended items, *absent* leave the list when all their aspects are absent, *lowest* when all are at the lowest value
that an item can have, *short* have an answer of at most three aspects at values that reviews can give."""


def section(data: Data, options: argparse.Namespace) -> Iterator[str]:
    trained, missing = dict[str, list[MeasuredTraining]](), dict[str, str]()
    for name in (name for name in MODELS if name not in options.without):
        seeds = options.seeds[:1] if name in SEEDLESS else options.seeds
        try:
            trained[name] = [kept(data, name, seed, options.keep) for seed in seeds]
        except BaselineUnavailableError as error:
            missing[name] = str(error)
            continue
        report(data.name, name, trained[name])
    space, parts = data.space, data.folder.interactions
    yield f"## {data.name}"
    yield ""
    yield (
        f"{len(space.users):,} users, {len(space.items):,} items, {len(space.aspects):,} aspects, "
        f"{len(parts['train']):,} training interactions; aspect space sha256 {digest(space)}."
    )
    yield ""
    yield from quality_table(trained)
    yield ""
    yield from sampled_table(trained)
    yield ""
    yield from stability_table(trained)
    yield ""
    yield from chosen_list(trained)
    for name, why_missing in missing.items():
        yield f"- {name} is missing: {why_missing}"


def kept(data: Data, name: str, seed: int, folder: Path | None) -> MeasuredTraining:
    """One training, measured; taken from the folder of an earlier sitting if it is there."""
    if folder is None:
        return measured(data, MODELS[name], seed, name in OURS)
    path = folder / f"{data.name}-{digest(data.space)}" / f"{name}-{seed}.npz"
    if not path.exists():
        measured(data, MODELS[name], seed, name in OURS).save(path)
    return MeasuredTraining.load(path)


def measured(data: Data, fit: Fit, seed: int, ours: bool) -> MeasuredTraining:
    started = time.perf_counter()
    scorer, space, found = fit(data, seed)
    seconds = time.perf_counter() - started
    lists = {name: rank(scorer, space, data.candidates[name], K) for name in PROTOCOLS}
    test, full = data.folder.interactions["test"], lists["full"]
    quality = {name: user_quality(lists[name], test) for name in PROTOCOLS}
    outcome = MeasuredTraining(full.users, full.items[:, :K], quality, seconds, found)
    if not ours:
        return outcome
    question = why(space, full)
    named = CountER(scorer).explain(question).named()
    return replace(outcome, shares=shares_of(scorer, question), named=named)


def report(data: str, name: str, runs: list[MeasuredTraining]) -> None:
    ndcg = [float(run.quality["full"].ndcg.mean()) for run in runs]
    print(data, name, json.dumps({"ndcg": ndcg, "seconds": [round(run.seconds) for run in runs]}), flush=True)


def quality_table(trained: dict[str, list[MeasuredTraining]]) -> Iterator[str]:
    columns = "NDCG@5 | over popularity | over EASE | recall@5 | items | absent | lowest | short"
    yield f"| whole catalogue | {columns} |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, runs in trained.items():
        shares = [run.shares for run in runs if run.shares is not None]
        cells = [
            name,
            with_interval(runs, "full", "ndcg"),
            over(trained, name, "popularity"),
            over(trained, name, "EASE"),
            spread([float(run.quality["full"].recall.mean()) for run in runs]),
            f"{np.mean([run.different_items for run in runs]):,.0f}",
            *(
                f"{np.mean([getattr(share, which) for share in shares]):.3f}" if shares else ""
                for which in ("absent", "lowest", "short")
            ),
        ]
        yield f"| {' | '.join(cells)} |"


def sampled_table(trained: dict[str, list[MeasuredTraining]]) -> Iterator[str]:
    yield "| 5 held out + 100 drawn | NDCG@5 | recall@5 |"
    yield "|---|---|---|"
    for name, runs in trained.items():
        recall = spread([float(run.quality["sampled"].recall.mean()) for run in runs])
        yield f"| {name} | {with_interval(runs, 'sampled', 'ndcg')} | {recall} |"


def stability_table(trained: dict[str, list[MeasuredTraining]]) -> Iterator[str]:
    """How many recommended pairs two trainings share, and how alike the aspects are that both name for those."""
    yield "| two trainings | pairs shared | alike (Jaccard of the aspects that *minimal* names) |"
    yield "|---|---|---|"
    for name, runs in trained.items():
        couples = [(one, other) for place, one in enumerate(runs) for other in runs[:place]]
        if not couples:
            continue
        shared = [len(one.pairs & other.pairs) / len(one.pairs) for one, other in couples]
        alike = [
            alikeness(one.named, other.named)
            for one, other in couples
            if one.named is not None and other.named is not None
        ]
        yield f"| {name} | {spread(shared)} | {spread(alike) if alike else ''} |"


def alikeness(one: NamedAspects, other: NamedAspects) -> float:
    """Return the mean Jaccard similarity of the aspects that are named for the pairs that both explain."""
    rows = rows_of_pairs(one.users, one.items, other.users, other.items)
    both = (rows != NOWHERE) & one.any_named
    both[both] = other.any_named[rows[both]]
    first, second = one.named[both], other.named[rows[both]]
    return float(((first & second).sum(axis=1) / (first | second).sum(axis=1)).mean())


def chosen_list(trained: dict[str, list[MeasuredTraining]]) -> Iterator[str]:
    yield "Chosen on validation, one seed after another:"
    yield ""
    for name, runs in trained.items():
        if any(run.chosen for run in runs):
            yield f"- {name}: " + "; ".join(
                ", ".join(f"{key} {value}" for key, value in run.chosen.items()) for run in runs
            )


def with_interval(runs: list[MeasuredTraining], protocol: str, what: str) -> str:
    values = [getattr(run.quality[protocol], what) for run in runs]
    low, high = mean(np.mean(values, axis=0), runs[0].quality[protocol].users).interval or (np.nan, np.nan)
    return f"{spread([float(value.mean()) for value in values])} ({low:.4f}–{high:.4f})"


def over(trained: dict[str, list[MeasuredTraining]], name: str, other: str) -> str:
    """By how much a model is above another, user by user, with the paired interval."""
    if name == other or other not in trained:
        return ""
    ours, theirs = (np.mean([run.quality["full"].ndcg for run in trained[who]], axis=0) for who in (name, other))
    found = paired(ours, theirs, trained[name][0].quality["full"].users)
    low, high = found.interval or (np.nan, np.nan)
    return f"{found.value:+.4f} ({low:+.4f} to {high:+.4f})"


def spread(values: Sequence[float]) -> str:
    return f"{np.mean(values):.4f}" + (f" ± {np.std(values, ddof=1):.4f}" if len(values) > 1 else "")


def digest(space: AspectSpace) -> str:
    whole = hashlib.sha256(space.user_attention.tobytes() + space.item_quality.tobytes())
    return whole.hexdigest()[:12]


if __name__ == "__main__":
    main()
