"""The same explainers on the CPU and on a GPU: time, and whether the answers agree.

    python -m benchmarks.device --device cuda

Needs NumPy and PyTorch only.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch

from benchmarks.problems import phones
from counterec.core.explainers.answer import Explanations
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.question import Question
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.synthetic.world_size import CELL_PHONES, ELECTRONICS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--epochs", type=int, default=10)
    options = parser.parse_args()
    print(f"PyTorch {torch.__version__}, {device_name(options.device)}")
    print("| world | pairs | goal | CPU, ms per pair | device, ms per pair | same status | same aspects |")
    print("|---|---|---|---|---|---|---|")
    for name, size in (("Cell Phones", CELL_PHONES), ("Electronics", ELECTRONICS)):
        problem = phones(size=size, training=TrainingSettings(epochs=options.epochs))
        question = problem.question(len(problem.lists.users) * problem.lists.k)
        there = AspectNet(problem.net.weights, options.device)
        for goal in GOALS:
            here_ms, here = timed(problem.net, question, goal)
            there_ms, answers = timed(there, question, goal)
            alike = np.mean(here.status == answers.status)
            same = np.mean(((here.delta != 0) == (answers.delta != 0)).all(axis=1))
            print(f"| {name} | {len(question)} | {goal} | {here_ms:.4f} | {there_ms:.4f} | {alike:.4f} | {same:.4f} |")


def timed(net: AspectNet, question: Question, goal: str) -> tuple[float, Explanations]:
    explainer = CountER(net, goal=goal, telling=False)  # type: ignore[arg-type]
    explainer.explain(question.rows(slice(0, 256)))
    started = time.perf_counter()
    answers = explainer.explain(question)
    return (time.perf_counter() - started) / len(question) * 1e3, answers


def device_name(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else device


if __name__ == "__main__":
    main()
