"""What all baselines promise: the same numbers for the same seed, and a reason if one is unavailable."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from counterec.baselines.a2cf import A2CF, A2CFSettings
from counterec.baselines.base import BaselineData, TrainMentions
from counterec.core.scorers.base import PairBatch
from counterec.errors import BaselineUnavailableError, InvalidValueError
from tests.baselines.test_cornac import QUICK_EFM, QUICK_MTER

pytestmark = pytest.mark.slow

QUICK = {baseline.name: baseline for baseline in (QUICK_EFM, QUICK_MTER, A2CF(A2CFSettings(epochs=3)))}


def without(data: BaselineData, *parts: str) -> BaselineData:
    """Return the data without its ratings, its mentions or its opinion words."""
    if "opinions" in parts:
        data = replace(data, mentions=replace(data.mentions, opinions=None))
    return replace(data, **{part: None for part in parts if part != "opinions"})


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seed_gives_the_same_numbers_and_another_gives_others(name, few):
    users, items = few.train.users, few.train.items

    def numbers(seed):
        fitted = QUICK[name].fitted(few, seed)
        return fitted.scorer.score(PairBatch.of(fitted.space, users, items)), fitted.weights(users, items)

    first, again, other = numbers(5), numbers(5), numbers(6)
    for one, same, another in zip(first, again, other, strict=True):
        np.testing.assert_array_equal(one, same)
        assert (one != another).any()


@pytest.mark.parametrize(
    ("name", "parts", "why"),
    [
        ("efm", ["ratings"], "efm needs ratings"),
        ("efm", ["mentions"], "efm needs mentions"),
        ("mter", ["ratings"], "mter needs ratings"),
        ("mter", ["mentions"], "mter needs mentions"),
        ("mter", ["opinions"], "mter needs opinion words"),
    ],
)
def test_the_reason_names_what_the_data_lacks(name, parts, why, few):
    with pytest.raises(BaselineUnavailableError, match=why):
        QUICK[name].fitted(without(few, *parts), 0)


def test_mter_needs_a_positive_mention_in_a_rated_pair(few):
    said = few.mentions
    praise = said.users == said.users.max()
    some = replace(said, sentiments=np.where(praise, 1, -1))
    unrated = np.where(few.train.users == said.users.max(), np.nan, few.ratings)
    with pytest.raises(BaselineUnavailableError, match="positive mentions"):
        QUICK_MTER.fitted(replace(few, mentions=some, ratings=unrated), 0)


@pytest.mark.parametrize("name", ["efm", "mter"])
def test_without_cornac_the_reason_says_how_to_get_it(name, few, monkeypatch):
    for module in ("cornac", "cornac.data"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(BaselineUnavailableError, match=r"pip install 'counterec\[baselines\]'"):
        QUICK[name].fitted(few, 0)
    assert QUICK["a2cf"].fitted(few, 0).name == "a2cf"


def test_importing_the_baselines_does_not_import_cornac():
    code = "import counterec.baselines, sys; print(sorted(m for m in sys.modules if m.split('.')[0] == 'cornac'))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert ended.stdout.strip() == "[]"


def test_contradictory_data_is_refused(few):
    with pytest.raises(InvalidValueError, match="ratings has shape"):
        replace(few, ratings=few.ratings[1:])
    said = few.mentions
    outside = TrainMentions(said.users, said.items * 0 + few.train.n_items - 1, said.aspects, None, said.sentiments)
    with pytest.raises(InvalidValueError, match="outside the training part"):
        replace(few, mentions=outside)
    with pytest.raises(InvalidValueError, match="sentiment"):
        replace(said, sentiments=said.sentiments * 2)
