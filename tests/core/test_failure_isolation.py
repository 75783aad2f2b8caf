"""Work that fails for one user is still done for all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.worlds import random_world

from counterec.core.explainers import counter
from counterec.core.explainers.answer import Status
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.question import Question
from counterec.core.explainers.question_builders import why
from counterec.core.failure_isolation import isolate_failures
from counterec.core.scorers.net import AspectNet
from counterec.core.scorers.ranking import rank


class TestIsolateFailures:
    USERS = np.array([4, 0, 4, 2, 9, 2, 7])

    def served(self, fragile: set[int]) -> tuple[list[int], list[int], list[tuple[int, str]], int]:
        """The rows that were served and lost, the failures reported, and how often the work was tried."""
        done: list[int] = []
        told: list[tuple[int, str]] = []
        tries = 0

        def work(rows: np.ndarray) -> None:
            nonlocal tries
            tries += 1
            if fragile.intersection(self.USERS[rows].tolist()):
                raise KeyError("no")
            done.extend(rows.tolist())

        lost = isolate_failures(self.USERS, work, lambda user, error: told.append((user, type(error).__name__)))
        return sorted(done), sorted(lost.tolist()), told, tries

    def test_one_user_is_lost_with_all_its_rows(self) -> None:
        done, lost, told, _ = self.served({2})
        assert (done, lost, told) == ([0, 1, 2, 4, 6], [3, 5], [(2, "KeyError")])


class TestGuardedCountER:
    def asked(self) -> tuple[Any, Question]:
        world = random_world(3)
        net = AspectNet(world.weights)
        return net, why(world.space, rank(net, world.space, world.candidates, 3))

    @pytest.mark.parametrize("goal", GOALS)
    def test_the_others_are_answered_as_ever_and_in_place(self, goal: Goal, monkeypatch: pytest.MonkeyPatch) -> None:
        net, question = self.asked()
        sound = CountER(net, goal).explain(question)
        unlucky = int(question.users[len(question) // 2])
        solver = getattr(counter, goal)

        def fragile(scorer: Any, asked: Any, *more: Any) -> Any:
            if (asked.users == unlucky).any():
                raise RuntimeError("not this one")
            return solver(scorer, asked, *more)

        monkeypatch.setattr(counter, goal, fragile)
        failures: dict[int, Exception] = {}
        found = CountER(net, goal, on_failure=failures.__setitem__).explain(question)
        lost = question.users == unlucky
        assert list(failures) == [unlucky]
        assert (found.users == question.users).all()
        assert (found.items == question.items).all()
        assert (found.status[lost] == Status.FAILED).all()
        assert not found.named().any_named[lost].any()
        assert np.isnan(found.score_after[lost]).all()
        assert (found.status[~lost] == sound.status[~lost]).all()
        assert np.allclose(found.delta[~lost], sound.delta[~lost], atol=1e-4)
        assert (found.alternatives is None) == (sound.alternatives is None)
        if found.alternatives is not None and sound.alternatives is not None:
            assert (found.alternatives.singles[~lost] == sound.alternatives.singles[~lost]).all()
            assert (found.alternatives.equal_sets[~lost] == sound.alternatives.equal_sets[~lost]).all()
            assert not found.alternatives.all_tried[lost].any()
        with pytest.raises(RuntimeError, match="not this one"):
            CountER(net, goal).explain(question)
