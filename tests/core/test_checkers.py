"""The checkers checked: the arithmetic that establishes the claims, and the worlds, are what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from tests import naive
from tests.claims import Row, rows_of, untrue
from tests.varied_questions import SEEDS, Variant, asked
from tests.worlds import WORLDS, whole_world

from counterec.core.explainers.counter import CountER
from counterec.core.scorers.net import AspectNet

pytestmark = pytest.mark.slow


class TestTheCheckers:
    """A fine grid, and straight lines between what the checkers call kinks."""

    @staticmethod
    def moves(kind: str, seed: int) -> Iterator[naive.Move]:
        world = WORLDS[kind](seed)
        question = asked(world, seed)
        for row in range(0, len(question), 4):
            attention, quality = question.pairs.user_attention[row], question.pairs.item_quality[row]
            for aspect, reach in naive.moves(question.lowest[row], question.highest[row]):
                yield naive.Move(world.weights.named(), attention, quality, aspect, reach)

    @pytest.mark.parametrize("kind", ["plain", "whole", "saturated"])
    def test_the_first_crossing_is_the_first_on_a_fine_grid(self, kind):
        grid = np.linspace(0, 1, 401)
        for move in (move for seed in range(4) for move in self.moves(kind, seed)):
            scores = np.array([move.score(share) for share in grid])
            level = 0.5 * (scores.min() + scores.max())
            if np.ptp(scores) < 1e-6:
                continue
            share = move.first_crossing(lambda score, level=level: level - score)
            below = grid[scores < level - 1e-9 * abs(level)]
            assert share <= below.min(initial=np.inf)
            assert not (scores[grid < share - 1e-9] < level - 1e-9 * abs(level)).any()


class TestLies:
    """Every claim of a row can be found untrue: of rows that are true, one thing is changed."""

    @staticmethod
    @cache
    def rows(goal: str, status: str, proof: str, reachable: bool = False) -> list[Row]:
        found = []
        seeds = [seed for seed in SEEDS if Variant(seed).reachable == reachable]
        for kind, seed in product(("counted", "full") if reachable else ("plain", "full"), seeds):
            world = WORLDS[kind](seed)
            question = asked(world, seed)
            answers = CountER(AspectNet(world.weights), goal=goal, telling=False).explain(question)
            rows = rows_of(world, question, answers, singly=goal == "single", goal=goal, telling=False)
            found += [row for row in rows if (row.status, row.proof) == (status, proof)]
        assert not any(untrue(row) for row in found)
        return found

    def found(self, rows: Iterable[Row], claim: str, lie: Callable[[Row], dict[str, object] | None]) -> None:
        """Every lie that can be told is found untrue by this claim."""
        told = 0
        for row in rows:
            changes = lie(row)
            if changes is not None:
                if "delta" in changes:
                    changes = {"values": row.pair.before + changes["delta"], **changes}
                said = untrue(replace(row, **changes))
                assert any(claim in each for each in said), (said, changes)
                told += 1
        assert told > 5

    def test_a_change_that_does_not_flip(self):
        rows = self.rows("minimal", "explained", "smallest")
        self.found(rows, "clears the margin", lambda row: {"delta": 0 * row.delta})
        rows = self.rows("minimal", "explained", "smallest")
        self.found(rows, "does not clear the margin", lambda row: {"status": "not_found", "proof": "none"})

    def test_scores_target_and_margin(self):
        for name in ("score_before", "score_after", "target"):
            rows = self.rows("single", "explained", "exact")
            claim = name.replace("_", " ")
            self.found(rows, claim, lambda row, name=name: {name: getattr(row, name) + 0.01 + 20 * row.pair.noise})
        rows = self.rows("single", "explained", "exact")
        self.found(rows, "margin", lambda row: {"margin": 1.01 * row.margin})
        self.found(rows, "margin", lambda row: {"pair": replace(row.pair, margin=2e-4)})

    def test_bounds(self):
        rows = self.rows("minimal", "explained", "smallest")
        self.found(
            rows, "within its bounds", lambda row: {"delta": row.delta + row.pair.bounds[0] + row.pair.bounds[1]}
        )

    def test_what_flips_cannot_be_impossible(self):
        lie = {"status": "cannot_flip", "proof": "none", "singly": False}
        self.found(self.rows("minimal", "explained", "smallest"), "at its bounds does not flip", lambda row: lie)
        singly = {**lie, "singly": True}
        self.found(self.rows("single", "explained", "exact"), "one aspect on its move", lambda row: singly)

    def test_a_change_that_is_not_the_smallest(self):
        def longer(row: Row) -> dict[str, object] | None:
            further = np.clip(1.05 * row.delta, *row.pair.bounds).astype(np.float32)
            return {"delta": further} if np.abs(further).sum() > 1.02 * np.abs(row.delta).sum() else None

        self.found(self.rows("single", "explained", "exact"), "no cheaper single change flips", longer)

        def shorter(row: Row) -> dict[str, object]:
            return {"delta": (0.9 * row.delta).astype(np.float32)}

        self.found(self.rows("single", "explained", "exact"), "is no cheaper than it can be", shorter)

    def test_a_set_that_can_be_made_smaller(self):
        def one_more(row: Row) -> dict[str, object] | None:
            """A larger set that still flips without its last aspect."""
            free = [aspect for aspect in row.pair.movable if aspect not in row.named]
            if not free or not row.pair.flips_at_bounds(row.named):
                return None
            delta = row.delta.copy()
            delta[free[0]] = row.pair.bounds[0][free[0]] + row.pair.bounds[1][free[0]]
            return {"delta": delta}

        self.found(self.rows("minimal", "explained", "smallest"), "no smaller set flips", one_more)
        rows = (replace(row, proof="irreducible") for row in self.rows("minimal", "explained", "smallest"))
        self.found(rows, "needs", one_more)

    def test_a_value_that_is_not_possible(self):
        rows = self.rows("minimal", "explained", "smallest", reachable=True)

        def moved_to(value: Callable[[naive.Way], float]) -> Callable[[Row], dict[str, object]]:
            def lie(row: Row) -> dict[str, object]:
                values = row.after.copy()
                values[row.named[0]] = value(row.pair.ways[row.named[0]])
                return {"values": values, "delta": values - row.pair.before}

            return lie

        for short in (0.0013, 0.3):
            between = moved_to(lambda way, short=short: way.stops()[-1] + (short if way.kind == "why" else -short))
            self.found(rows, "a possible value", between)
        worst = naive.reviewed(-40)
        lower = [row for row in rows if row.pair.kind == "why" and row.pair.ways[row.named[0]].limits[0] > worst]
        self.found(lower, "a possible value", moved_to(lambda way: worst))

    def test_aspects_that_became_absent_without_need(self):
        def gone(row: Row) -> dict[str, object]:
            values = np.where(np.isin(np.arange(len(row.delta)), row.named), 0, row.after).astype(np.float32)
            return {"values": values, "delta": values - row.pair.before}

        few = [
            row
            for row in self.rows("minimal", "explained", "smallest", reachable=True)
            if row.pair.kind == "why" and row.pair.absent_allowed is False
        ]
        self.found(few, "few aspects at other values do not flip", gone)
        never = [replace(row, pair=replace(row.pair, rules=replace(row.pair.rules, beyond=None))) for row in few]
        self.found(never, "absent aspects are allowed at all", gone)
        early = [replace(row, pair=replace(row.pair, rules=replace(row.pair.rules, beyond=0))) for row in few]
        self.found(early, "no set of as many flips at other values", gone)

    def test_a_step_too_far(self):
        def one_more(row: Row) -> dict[str, object] | None:
            (way,) = (row.pair.ways[aspect] for aspect in row.named)
            stops = way.stops() or []
            further = stops[stops.index(float(row.after[way.aspect])) + 1 :] if not row.gone else []
            if not further:
                return None
            values = row.after.copy()
            values[way.aspect] = further[0]
            told = {"values": values, "delta": values - row.pair.before, "proof": "found"}
            return told if replace(row, **told).beyond > 0.3 * row.pair.clearance + 2 * row.pair.slack else None

        rows = self.rows("single", "explained", "exact", reachable=True)
        # Two steps near the ends of the ladder may be one to the scorer, and a net need not be monotone.
        clear = [row for row in rows if row.beyond > 0.3 * row.pair.clearance + 2 * row.pair.slack]
        self.found(clear, "goes no step too far", one_more)

        def claimed_exact(row: Row) -> dict[str, object] | None:
            told = one_more(row)
            return None if told is None else {**told, "proof": "exact"}

        self.found(clear, "no cheaper single change flips", claimed_exact)

    def test_a_status_that_does_not_apply(self):
        explained = self.rows("minimal", "explained", "smallest")
        self.found(explained, "true as it is", lambda row: {"status": "already_true", "proof": "none"})
        self.found(explained, "no target", lambda row: {"status": "no_target", "proof": "none"})
        self.found(explained, "something may move", lambda row: {"status": "nothing_to_change", "proof": "none"})
        self.found(explained, "a proof of an explanation only", lambda row: {"status": "not_found"})
        self.found(explained, "a known status", lambda row: {"status": "fine"})
        self.found(explained, "a known proof", lambda row: {"proof": "obvious"})


def test_worlds_of_whole_numbers_are_scored_without_rounding():
    """With whole numbers everywhere, single and double precision agree to the bit."""
    world = whole_world(0)
    question = asked(world, 0)
    scores = AspectNet(world.weights).score(question.pairs)
    for row, score in enumerate(scores):
        attention, quality = question.pairs.user_attention[row], question.pairs.item_quality[row]
        assert score == naive.net_score(world.weights.named(), attention, quality)
