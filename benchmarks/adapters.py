"""Models of other libraries, explained through their adapters: explanations a second and scorer calls per explanation.

    python -m benchmarks.adapters --users 60 --out benchmarks/results/adapters.md
    python -m benchmarks.adapters --dice-python /path/to/other/environment/bin/python

The world has 50 attributes that are numbers, and 100 candidates per user; lists have 5 items. LightGBM and
HistGradientBoosting have 200 trees of 31 leaves. Times are wall clock on one thread, from a question to its verified
answers, proofs included. With an interpreter that has dice-ml and lightgbm, DiCE answers about the same LightGBM model
and the same pairs in the same run (``dice_side.py``).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import torch

from counterec.adapters import FrameTables, OnnxModel, SklearnModel, TorchModel
from counterec.adapters.models import scorer_of
from counterec.core.arrays import FloatVector
from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import Goal
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.scorers.base import DifferentiableScorer, PairBatch, Scorer
from counterec.core.scorers.ranking import rank
from counterec.randomness import generator

K, USER_COLUMNS, TREES, LEAVES = 5, 5, 200, 31
TASTE = "taste"
FAME = 4.0
"""What the most famous item gains by that alone, which nothing can change: without it, one attribute is nearly always
enough."""


@dataclass(frozen=True)
class World:
    """Users, items and what models are fitted on."""

    tables: FrameTables
    candidates: Candidates
    rows: np.ndarray
    """Rows of users and items side by side."""
    liked: FloatVector

    @property
    def columns(self) -> list[str]:
        """The columns of the rows, in order."""
        return self.tables.features


def world(users: int, items: int, attributes: int, candidates: int, rows: int, seed: int = 0) -> World:
    """Items whose attributes matter unevenly and not along straight lines; every attribute is worse when low."""
    random = generator(seed, "benchmark of adapters")
    names = [f"attribute {number:02}" for number in range(attributes)]
    tastes = [f"{TASTE} {number}" for number in range(USER_COLUMNS)]
    weights = random.uniform(0.3, 0.7, attributes)

    def liked(some_users: np.ndarray, some_items: np.ndarray) -> FloatVector:
        groups, facts = np.arange(attributes) % USER_COLUMNS, some_items[:, :-1]
        return (weights * np.sqrt(facts) * (0.5 + some_users[:, groups])).sum(axis=1) + FAME * some_items[:, -1]

    people, things = random.random((users, USER_COLUMNS)), random.random((items, attributes + 1)).round(3)
    fitted_users, fitted_items = random.random((rows, USER_COLUMNS)), random.random((rows, attributes + 1))
    tables = FrameTables.of(
        _frame("user_id", "U", people, tastes),
        _frame("item_id", "I", things, [*names, "fame"]),
        keep=["fame"],
        schema={name: {"worse": "low", "low": 0.0, "high": 1.0, "step": 0.001} for name in names},
    )
    drawn = [random.choice(items, min(candidates, items), replace=False) for _ in range(users)]
    noise = random.normal(0, 0.5, rows)
    return World(
        tables,
        Candidates.exactly(items, drawn),
        np.concatenate([fitted_users, fitted_items], axis=1),
        liked(fitted_users, fitted_items) + noise,
    )


def _frame(id_name: str, letter: str, values: np.ndarray, names: list[str]) -> pl.DataFrame:
    ids = pl.Series(id_name, [f"{letter}{number:05}" for number in range(len(values))])
    return pl.DataFrame([ids, *(pl.Series(name, values[:, at]) for at, name in enumerate(names))])


def models(made: World) -> Iterator[tuple[str, Any]]:
    """The same task learned by a model of each library, or as much of it as the library is for."""
    yield "LightGBM", lightgbm_model(made)
    from sklearn.ensemble import HistGradientBoostingRegressor

    trees = HistGradientBoostingRegressor(max_iter=TREES, max_leaf_nodes=LEAVES, early_stopping=False)
    yield "HistGradientBoosting", SklearnModel(trees.fit(made.rows, made.liked), made.columns)
    slopes = np.linalg.lstsq(made.rows, made.liked, rcond=None)[0]
    yield "a function", lambda users, items: _linear(users, items, slopes)
    yield "torch", TorchModel(_net(made))
    yield "ONNX", OnnxModel(_onnx(slopes))


def lightgbm_model(made: World) -> SklearnModel:
    """200 trees of 31 leaves."""
    import lightgbm

    rows = lightgbm.Dataset(made.rows, made.liked)
    settings = {"num_leaves": LEAVES, "verbose": -1, "num_threads": 1, "learning_rate": 0.1}
    return SklearnModel(lightgbm.train(settings, rows, num_boost_round=TREES), made.columns)


def _linear(users: pl.DataFrame, items: pl.DataFrame, slopes: np.ndarray) -> np.ndarray:
    rows = np.concatenate([frame.drop(frame.columns[0]).to_numpy() for frame in (users, items)], axis=1)
    return rows @ slopes


class _Net(torch.nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(width, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1))

    def forward(self, users: torch.Tensor, items: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.layers(torch.cat([users, items], dim=1))
        return found


def _net(made: World) -> torch.nn.Module:
    torch.manual_seed(0)
    rows, liked = torch.tensor(made.rows, dtype=torch.float32), torch.tensor(made.liked, dtype=torch.float32)
    net, mean = _Net(rows.shape[1]), liked.mean()
    steps = torch.optim.Adam(net.parameters(), 0.01)
    for _ in range(200):
        steps.zero_grad()
        loss = (net.layers(rows)[:, 0] + mean - liked).square().mean()
        loss.backward()
        steps.step()
    return net.eval()


def _onnx(slopes: np.ndarray) -> bytes:
    from onnx import TensorProto, helper, numpy_helper

    graph = helper.make_graph(
        [helper.make_node("MatMul", ["rows", "slopes"], ["score"])],
        "linear",
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", len(slopes)])],
        [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["n", 1])],
        [numpy_helper.from_array(slopes.astype(np.float32).reshape(-1, 1), "slopes")],
    )
    made: bytes = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9
    ).SerializeToString()
    return made


class Counted:
    """A scorer that counts how often, and for how many rows, it is asked."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer, self.aspects_only = scorer, scorer.aspects_only
        self.calls = self.rows = 0

    def score(self, pairs: PairBatch) -> FloatVector:
        """Ask the scorer."""
        self.calls, self.rows = self.calls + 1, self.rows + len(pairs)
        return self._scorer.score(pairs)


@dataclass(frozen=True)
class Measured:
    """One adapter, one goal."""

    model: str
    goal: str
    pairs: int
    seconds: float
    calls: float
    """Of a pair that is asked about alone."""
    calls_in_a_batch: float
    rows: float
    explained: float
    aspects: float

    @property
    def row(self) -> str:
        """As a row of a table."""
        cells = (
            *(self.model, self.goal, f"{self.pairs / self.seconds:,.0f}", f"{self.calls:.1f}"),
            *(f"{self.calls_in_a_batch:.2f}", f"{self.rows:,.0f}", f"{self.explained:.3f}", f"{self.aspects:.2f}"),
        )
        return f"| {' | '.join(cells)} |"


HEADINGS = (
    *("model", "goal", "pairs a second", "calls per pair, alone", "calls per pair, in a batch", "rows per pair"),
    *("explained", "attributes"),
)


def measured(name: str, scorer: Scorer, goal: Goal, question: Question, alone: int = 10) -> Measured:
    """Explain all pairs at once, timed; then count calls, for all at once and for some one at a time."""
    answers, seconds = timed(lambda: CountER(scorer, goal).explain(question))
    # A counted scorer hides what else the scorer offers (gradients, layers), so it is not the one that is timed.
    together, single = Counted(scorer), Counted(scorer)
    if goal != "relaxed":
        CountER(together, goal).explain(question)
        for row in range(min(alone, len(question))):
            CountER(single, goal).explain(question.rows(slice(row, row + 1)))
    return Measured(
        name,
        goal,
        len(question),
        seconds,
        single.calls / max(1, min(alone, len(question))),
        together.calls / len(question),
        together.rows / len(question),
        float(answers.explained.mean()),
        _aspects(answers),
    )


def timed(work: Callable[[], Explanations]) -> tuple[Explanations, float]:
    """What some work gives, and its seconds."""
    started = time.perf_counter()
    return work(), time.perf_counter() - started


def _aspects(answers: Explanations) -> float:
    named = np.count_nonzero(answers.delta[answers.explained], axis=1)
    return float(named.mean()) if len(named) else float("nan")


def beside_dice(made: World, model: SklearnModel, question: Question, python: str, most: int) -> list[str]:
    """Our answers and DiCE's about the same model and pairs, as rows of a table."""
    some = question.rows(np.linspace(0, len(question) - 1, min(most, len(question))).astype(np.int64))
    scorer = scorer_of(model, made.tables)
    ours, seconds = timed(lambda: CountER(scorer).explain(some))
    lines = [_dice_row("CountER, minimal", seconds / len(some), float(ours.explained.mean()), _aspects(ours))]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _write_task(folder, made, model, some)
        subprocess.run([python, str(Path(__file__).with_name("dice_side.py")), place], check=True)
        for found in json.loads((folder / "answers.json").read_text()):
            lines.append(_dice_row(**_judged(found, scorer, some)))
    return lines


def _write_task(folder: Path, made: World, model: SklearnModel, some: Question) -> None:
    """The model as LightGBM's text, and the rows with what may become of them."""
    model.model.save_model(folder / "model.txt")
    users = np.stack([made.tables.users.numbers(name) for name in made.tables.users.features], axis=1)  # type: ignore[misc]
    order = [made.tables.aspect_of[name] for name in made.tables.items.features]
    np.savez(
        folder / "task.npz",
        users=users[some.users],
        items=some.pairs.item_quality[:, order],
        lowest=(some.pairs.item_quality + some.lowest)[:, order],
        target=some.target - some.margin,
        catalogue=made.tables.space.item_quality[:, order],
    )
    (folder / "columns.json").write_text(json.dumps(made.tables.items.features))


def _judged(found: dict[str, Any], scorer: Scorer, some: Question) -> dict[str, Any]:
    """What DiCE proposes, scored again by the same scorer; a value is compared with what single precision holds."""
    order = [list(some.space.aspects.texts).index(name) for name in found["columns"]]
    after = some.pairs.item_quality.copy()
    answered = np.array([row is not None for row in found["after"]])
    for at in np.flatnonzero(answered).tolist():
        after[at, order] = np.asarray(found["after"][at], dtype=np.float32)
    moved = (np.abs(after - some.pairs.item_quality) > 1e-6).sum(axis=1)
    valid = answered & some.crossed(scorer.score(some.pairs.with_quality(after)))
    named = float(moved[valid].mean()) if valid.any() else float("nan")
    return {
        "name": f"DiCE, {found['method']}",
        "seconds": found["seconds"],
        "valid": float(valid.mean()),
        "named": named,
    }


def _dice_row(name: str, seconds: float, valid: float, named: float) -> str:
    return f"| {name} | {1e3 * seconds:,.1f} | {valid:.3f} | {named:.2f} |"


def main() -> None:
    """Measure every adapter and goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=60)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--attributes", type=int, default=50)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--rows", type=int, default=20_000, help="rows that the models are fitted on")
    parser.add_argument("--goals", nargs="+", default=["minimal", "single", "complete", "relaxed"])
    parser.add_argument("--dice-python", help="an interpreter with dice-ml and lightgbm, for DiCE beside ours")
    parser.add_argument("--dice-pairs", type=int, default=20)
    parser.add_argument("--out", type=Path, help="a page to write the tables to")
    options = parser.parse_args()
    torch.set_num_threads(1)
    made = world(options.users, options.items, options.attributes, options.candidates, options.rows)
    lines = [
        f"{options.attributes} attributes, {options.candidates} candidates, lists of {K}, {options.users} users;",
        f"one thread ({platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}).",
        "",
        f"| {' | '.join(HEADINGS)} |",
        "|---" * len(HEADINGS) + "|",
    ]
    questions: dict[str, tuple[Any, Question]] = {}
    for name, model in models(made):
        scorer = scorer_of(model, made.tables)
        question = why(made.tables.space, rank(scorer, made.tables.space, made.candidates, K))
        questions[name] = model, question
        for goal in options.goals:
            if goal != "relaxed" or isinstance(scorer, DifferentiableScorer):
                lines.append(measured(name, scorer, goal, question).row)
                print(lines[-1], flush=True)
    if options.dice_python:
        model, question = questions["LightGBM"]
        lines += ["", "| method | ms per pair | valid | attributes |", "|---|---|---|---|"]
        lines += beside_dice(made, model, question, options.dice_python, options.dice_pairs)
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(f"# Adapters\n\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
