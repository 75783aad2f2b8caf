"""A training that is cut off goes on from its last epoch, and ends with the bytes of one that was not."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.core.test_training import SMALL, separable_world

from counterec.core.interactions import Interactions
from counterec.core.scorers.training import EpochReport, Training, net_seeds, train, train_several
from counterec.core.scorers.training_examples import Checkpoint


class CutOffError(Exception):
    """What a kill would be."""


class InMemory:
    """Keeps every checkpoint, and counts the trainings that went on from one."""

    def __init__(self) -> None:
        self.kept: dict[str, Checkpoint] = {}
        self.went_on = 0

    def load(self, name: str) -> Checkpoint | None:
        self.went_on += name in self.kept
        return self.kept.get(name)

    def save(self, name: str, make: Callable[[], Checkpoint]) -> None:
        made = make()
        self.kept[name] = Checkpoint({key: array.copy() for key, array in made.arrays.items()}, made.values)


class CutOffAfter:
    """Takes so many reports of new epochs, then fails."""

    def __init__(self, epochs: int, seen: int = 0) -> None:
        self._left = epochs + seen

    def __call__(self, _: EpochReport) -> None:
        self._left -= 1
        if self._left == 0:
            raise CutOffError


def same(one: Training, other: Training) -> bool:
    """Whether two trainings gave the same, to the last bit."""
    arrays = zip(one.weights.named().values(), other.weights.named().values(), strict=True)
    equal = all(mine.tobytes() == theirs.tobytes() for mine, theirs in arrays)
    gains = (one.gains is None and other.gains is None) or np.array_equal(one.gains, other.gains)
    return equal and gains and (one.history, one.best_epoch) == (other.history, other.best_epoch)


@pytest.mark.parametrize("optimizer", ["adamw", "adam", "sgd"])
@pytest.mark.parametrize("validated", [True, False])
def test_a_training_cut_off_after_every_epoch_ends_with_the_same_bytes(optimizer, validated):
    space, positives, validation = separable_world()
    if not validated:
        validation = Interactions([], [], positives.n_users, positives.n_items)
    settings = replace(SMALL, optimizer=optimizer, epochs=8, averaged_epochs=3, least_epochs=3, patience=3)
    undisturbed = train(space, positives, validation, settings, seed=1)
    place, epochs = InMemory(), len(undisturbed.history)
    for done in range(epochs):
        with pytest.raises(CutOffError):
            train(space, positives, validation, settings, 1, "cpu", CutOffAfter(1, seen=done), place)
    reports: list[EpochReport] = []
    resumed = train(space, positives, validation, settings, 1, "cpu", reports.append, place)
    assert place.went_on == epochs
    assert tuple(reports) == resumed.history  # those of before the cuts are told, too
    assert same(undisturbed, resumed)


def test_several_nets_go_on_each_from_its_own_epoch():
    parts, seeds, place = separable_world(), net_seeds(1, 3), InMemory()
    tiny = replace(SMALL, hidden=(8, 4), epochs=3)
    alone = train_several(*parts, tiny, seeds)
    for cut in (2, 5, 9):
        with pytest.raises(CutOffError):
            train_several(*parts, tiny, seeds, progress=CutOffAfter(cut), checkpoints=place)
    together = train_several(*parts, tiny, seeds, checkpoints=place)
    assert place.went_on > 3
    assert all(same(one, other) for one, other in zip(alone, together, strict=True))


def test_a_checkpoint_of_other_settings_another_seed_or_other_data_is_not_used():
    space, positives, validation = separable_world()
    settings, place = replace(SMALL, epochs=2), InMemory()
    train(space, positives, validation, settings, seed=1, checkpoints=place)
    fewer = Interactions(positives.users[1:], positives.items[1:], positives.n_users, positives.n_items)
    blander = replace(space, item_quality=space.item_quality / 2)
    others = [
        (space, positives, validation, replace(settings, learning_rate=0.02), 1),
        (space, positives, validation, settings, 2),
        (space, fewer, validation, settings, 1),
        (space, positives, fewer, settings, 1),
        (blander, positives, validation, settings, 1),
    ]
    for other in others:
        assert same(train(*other, checkpoints=place), train(*other))
    assert place.went_on == 0
