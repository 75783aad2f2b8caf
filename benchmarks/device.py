"""The same explainers and models on the CPU and on a GPU: time, and whether the answers agree.

    python -m benchmarks.device --device cuda

Needs NumPy and PyTorch only.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch

from benchmarks.fitted_model import KINDS
from benchmarks.problems import phones, problem
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.question import Question
from counterec.core.scorers.base import Scorer
from counterec.core.scorers.settings import TrainingSettings
from counterec.synthetic.world import CELL_PHONES, ELECTRONICS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--models", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    print(f"PyTorch {torch.__version__}, {device_name(options.device)}")
    print("| world | model | pairs | goal | CPU, ms per pair | device, ms per pair | same status | same aspects |")
    print("|---|---|---|---|---|---|---|---|")
    training = TrainingSettings(epochs=options.epochs)
    for name, size in (("Cell Phones", CELL_PHONES), ("Electronics", ELECTRONICS)):
        data = phones(size=size)
        for kind in options.models:
            asked = problem(data, kind, training)
            question = asked.question(len(asked.lists.users) * asked.lists.k)
            there = asked.model.on(options.device)
            for goal in GOALS:
                print(
                    f"| {name} | {kind} | {len(question)} | {goal} | {compared(asked.scorer, there, question, goal)} |"
                )


def compared(here: Scorer, there: Scorer, question: Question, goal: Goal) -> str:
    """The time of both, and the share of pairs with the same status and with the same aspects."""
    here_ms, ours = timed(here, question, goal)
    there_ms, answers = timed(there, question, goal)
    alike = np.mean(ours.status == answers.status)
    same = np.mean(((ours.delta != 0) == (answers.delta != 0)).all(axis=1))
    return f"{here_ms:.4f} | {there_ms:.4f} | {alike:.4f} | {same:.4f}"


def timed(scorer: Scorer, question: Question, goal: Goal) -> tuple[float, Explanations]:
    explainer = CountER(scorer, goal=goal, telling=False)
    explainer.explain(question.rows(slice(0, 256)))
    started = time.perf_counter()
    answers = explainer.explain(question)
    return (time.perf_counter() - started) / len(question) * 1e3, answers


def device_name(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else device


if __name__ == "__main__":
    main()
