"""How far training is: the epochs of the search for settings, and then those of each net."""

from __future__ import annotations

from counterec.core.scorers.settings_search import search_epochs
from counterec.core.scorers.training import EpochReport
from counterec.pipeline.models import TrainingData


class TrainingProgress:
    """Says how many epochs training takes at most, and counts them."""

    def __init__(self, data: TrainingData, nets: int = 1) -> None:
        self._advance = data.advance
        known = data.chosen or data.searched
        self._left = 0 if known else search_epochs(data.settings, data.validation)
        data.expect(self._left + nets * _epochs_of_a_net(data))

    def search(self, _: EpochReport) -> None:
        """One more epoch of a candidate."""
        self._left -= 1
        self._advance(1)

    def search_ended(self) -> None:
        """Count what the candidates that ended early have left."""
        if self._left > 0:
            self._advance(self._left)
        self._left = 0

    def net(self, _: EpochReport) -> None:
        """One more epoch of a net."""
        self._advance(1)


def _epochs_of_a_net(data: TrainingData) -> int:
    if data.chosen is not None:
        return int(data.chosen["training"]["epochs"])
    return data.settings.completed(validated=len(data.validation) > 0).most_epochs
