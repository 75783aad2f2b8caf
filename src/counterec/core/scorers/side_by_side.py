"""Several trainings at once, one thread each: PyTorch computes outside the interpreter's lock."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import torch

from counterec.core.compute_limits import available_cores, threads
from counterec.core.interactions import Interactions
from counterec.core.scorers.checkpoints import NOTHING_KEPT, Checkpoints
from counterec.core.scorers.training import EpochProgress, NetTraining, Training
from counterec.core.scorers.training_examples import TrainingExamples
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import AspectSpace
from counterec.randomness import entropy


def net_seeds(seed: int, nets: int) -> list[int]:
    """The seeds of the nets of one model, derived from the run's seed; those of another run are different ones."""
    return [entropy(seed, "net", number) % 2**63 for number in range(nets)]


def train_several(
    space: AspectSpace,
    positives: Interactions,
    validation: Interactions,
    settings: TrainingSettings,
    seeds: Sequence[int],
    device: str = "cpu",
    progress: EpochProgress = lambda _: None,
    at_once: int | None = None,
    checkpoints: Checkpoints = NOTHING_KEPT,
) -> list[Training]:
    """Train one net per seed, each as ``train`` would; ``at_once`` of them together, by default one per core."""
    examples = TrainingExamples(space, positives, validation)
    nets = [NetTraining(examples, settings, seed, device, checkpoints) for seed in seeds]
    return side_by_side(nets, progress, at_once if device == "cpu" else 1)


def side_by_side(
    trainings: Sequence[NetTraining], progress: EpochProgress, at_once: int | None = None
) -> list[Training]:
    """Bring the trainings to their ends, so many at once; if one fails, the others end with their epoch.

    They take turns by epochs: with more trainings than cores, no core is idle while another has two of them to do.
    """
    for report in (report for one in trainings for report in one.history):
        progress(report)
    workers = max(1, min(at_once or available_cores(), len(trainings)))
    # The number of threads per computation belongs partly to the process: nobody may change it while the pool lives.
    with threads(1), ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        running = {pool.submit(one.next_epoch): one for one in trainings if not one.ended}
        try:
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    training = running.pop(future)
                    progress(future.result())
                    if not training.ended:
                        running[pool.submit(training.next_epoch)] = training
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [one.outcome() for one in trainings]
