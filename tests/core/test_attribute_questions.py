"""Questions about attributes with answers known by hand; and what is refused, by name."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from tests.attribute_worlds import SCHEMAS, SCORERS, scored_world, with_price_per_night
from tests.worlds import pairs_of, vocabulary

from counterec.core.attributes import Attribute, Schema
from counterec.core.candidates import Candidates
from counterec.core.explainers.answer import Proof, Status
from counterec.core.explainers.audience.solver import why_not_for_all
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.counter import CountER
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.question_builders import why, why_not
from counterec.core.explainers.what_if import what_if
from counterec.core.scorers.base import PairBatch
from counterec.core.scorers.ranking import rank
from counterec.core.scorers.simple import RecomputingScorer
from counterec.core.space import AspectSpace
from counterec.errors import ConfigError, InvalidValueError, UsageError

HOTELS = Schema.of(
    [
        Attribute("chain", "category", values=("grand", "inn", "lodge"), move_costs={("grand", "lodge"): 0.2}),
        Attribute("price", low=50, high=300, worse="high", format="{:.0f} €"),
        Attribute("stars", low=1, high=5, worse="low", step=0.5, can_be_absent=True),
        Attribute("wifi", "yes_no", worse="low"),
    ]
)
CHAIN, PRICE, STARS, WIFI = range(4)
ROWS = (
    {"chain": "grand", "price": 120, "stars": 4.0, "wifi": True},  # 2.0 − 1.2 + 4.0 + 2.0 = 6.8
    {"chain": "inn", "price": 100, "stars": 3.5, "wifi": True},  # 0.0 − 1.0 + 3.5 + 2.0 = 4.5
    {"chain": "lodge", "price": 250, "stars": None, "wifi": False},  # −0.1 − 2.5 + 1.0 + 0.0 = −1.6
)


class Linear:
    """A table of chains − price / 100 + stars (1 where there are none) + 2 with wifi."""

    aspects_only = True

    def __init__(self, wifi: float = 2.0) -> None:
        self.wifi = wifi

    def score(self, pairs: PairBatch) -> np.ndarray:
        chain, price, stars, wifi = pairs.item_quality.astype(np.float64).T
        known = np.where(stars < 1, 1, stars)
        made = np.array([2.0, 0.0, -0.1])[chain.astype(int)] - price / 100 + known + self.wifi * wifi
        return made.astype(np.float32)


def space_of(rows=ROWS, schema=HOTELS) -> AspectSpace:
    return AspectSpace.of_attributes(
        vocabulary("user", 1), vocabulary("item", len(rows)), schema, schema.code_rows(rows)
    )


SPACE, SCORER = space_of(), Linear()
LISTS = rank(SCORER, SPACE, Candidates.without(3, [[]]), 1)


def changed(question, goal="minimal", telling=False, scorer=SCORER, **more):
    """The values after the change of the first pair, by name, and its answer."""
    answers = CountER(scorer, goal=goal, telling=telling, **more).explain(question)
    after = question.after(answers.delta)[0]
    schema = question.space.schema
    return {schema.names[a]: schema[int(a)].value(after[a]) for a in np.flatnonzero(answers.delta[0])}, answers


class TestWhy:
    """The first hotel leads by 2.3: its chain is worth up to 2.1 and its wifi 2.0, so it takes two of them, or less of
    the others: 67 € and half a star with the wifi."""

    def test_single_categories_do_not_do_and_two_attributes_do(self):
        found, answers = changed(why(SPACE, LISTS))
        assert answers.proof[0] == Proof.SMALLEST
        assert len(found) == 2

    def test_a_lower_price_is_better(self):
        constraints = Constraints(keep=("stars", "wifi", "chain"))
        (found, answers) = changed(why(SPACE, LISTS, constraints=constraints))
        assert answers.status[0] == Status.NOT_FOUND, "130 € more are worth 1.3"
        assert found == {"price": 250.0}

    def test_numbers_stop_on_the_step_that_flips_first(self):
        question = why(SPACE, LISTS, constraints=Constraints(keep=("chain", "stars")))
        found, _ = changed(question)
        assert found == {"wifi": False, "price": 151.0}, "2.0 and 0.30 do not clear the margin, 2.0 and 0.31 do"

    def test_a_category_goes_where_it_costs_least(self):
        """Inn and lodge are about as bad; from grand to lodge it costs a fifth."""
        question = why(SPACE, LISTS, constraints=Constraints(keep=("price", "stars")))
        assert changed(question)[0] == {"wifi": False, "chain": "lodge"}
        costly = Schema.of([Attribute("chain", "category", values=("grand", "inn", "lodge")), *HOTELS.attributes[1:]])
        space = space_of(schema=costly)
        lists = rank(SCORER, space, Candidates.without(3, [[]]), 1)
        found, _ = changed(why(space, lists, constraints=Constraints(keep=("price", "stars"))))
        assert found["chain"] in ("inn", "lodge")

    def test_single_tries_every_value_and_proves_what_it_says(self):
        _, answers = changed(why(SPACE, LISTS, constraints=Constraints(keep=("price",))), goal="single")
        assert answers.status[0] == Status.CANNOT_FLIP, "stars: 0.5 down to 3.5; chain: 2.1; wifi: 2.0"
        generous = Linear(wifi=3.0)
        question = why(SPACE, rank(generous, SPACE, Candidates.without(3, [[]]), 1), constraints=Constraints())
        found, answers = changed(question, goal="single", scorer=generous, telling=True)
        assert (found, answers.proof[0]) == ({"wifi": False}, Proof.EXACT)
        _, answers = changed(question, goal="single", scorer=generous)
        assert answers.proof[0] == Proof.FOUND, "not every price was tried: another attribute may have to change less"


class TestTheOtherQuestions:
    def test_why_not_improves_what_can_be_and_gives_what_lacks(self):
        question = why_not(SPACE, LISTS, [0], [2])
        found, answers = changed(question)
        assert answers.status[0] == Status.EXPLAINED
        assert found["stars"] is not None, "from −1.6 to 6.8 it takes every attribute, and stars it lacks"
        assert found["chain"] == "grand"

    @pytest.mark.parametrize(
        ("aspect", "code", "said"),
        [
            (CHAIN, 0.5, "no value has"),
            (CHAIN, 3, "no value has"),
            (PRICE, 301, "range is 50 to 300"),
            (WIFI, -1, "missing"),
        ],
    )
    def test_what_if_refuses_what_no_item_can_have(self, aspect, code, said):
        vector = SPACE.item_quality[0].copy()
        vector[aspect] = code
        with pytest.raises(InvalidValueError, match=said):
            what_if(SCORER, SPACE, Candidates.without(3, [[]]), 1, 0, {0: vector})

    def test_what_if_refuses_to_move_what_follows_or_must_stay(self):
        world, scored = scored_world("derived", "tables", 0)
        item = int(world.candidates.of(0)[0])
        for name, said in (("per night", "derived; change what it follows from"), ("kept", "must not move")):
            vector, aspect = world.space.item_quality[item].copy(), world.space.aspects.number(name)
            vector[aspect] = 1 - vector[aspect] if name == "kept" else vector[aspect] + 1
            with pytest.raises(ConfigError, match=said):
                what_if(scored.scorer, world.space, world.candidates, 3, 0, {item: vector})


class TestRelaxed:
    def test_it_moves_numbers_only(self):
        world, scored = scored_world("hotels", "net", 0)
        question = why(world.space, rank(scored.scorer, world.space, world.candidates, 3))
        answers = CountER(scored.scorer, goal="relaxed").explain(question)
        assert answers.explained.any()
        assert not answers.delta[:, world.space.scale.is_category].any()

    def test_without_a_number_it_says_what_to_do_instead(self):
        schema = Schema.of([Attribute("pool", "yes_no"), Attribute("wifi", "yes_no")])
        space = AspectSpace.of_attributes(
            vocabulary("user", 1), vocabulary("item", 4), schema, np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
        )

        class Slope(Linear):
            def score(self, pairs):
                return pairs.item_quality.sum(axis=1)

            def score_tensor(self, users, items, user_attention, item_quality):
                return item_quality.sum(dim=1)

        lists = rank(Slope(), space, Candidates.without(4, [[]]), 1)
        with pytest.raises(UsageError, match=r"moves numbers only, and of pool, wifi none is .* minimal"):
            CountER(Slope(), goal="relaxed").explain(why(space, lists))


class Hidden:
    """Three categories: each second value helps a little, and third values help only in pairs."""

    aspects_only = True

    def score(self, pairs: PairBatch) -> np.ndarray:
        codes = pairs.item_quality
        seconds, thirds = (codes == 1).sum(axis=1), (codes == 2).sum(axis=1)
        return np.where(thirds == 2, 0, 10 - 2 * seconds + thirds).astype(np.float32)


class TestSets:
    SCHEMA = Schema.of([Attribute(name, "category", values=("p", "q", "r")) for name in "abc"])

    def question(self):
        """The first item scores 10, the other one 5: three second values do, and so do two third ones."""
        space = space_of([dict.fromkeys("abc", "p"), {"a": "q", "b": "q", "c": "q"}], self.SCHEMA)
        lists = rank(Hidden(), space, Candidates.without(2, [[]]), 1)
        return replace(why(space, lists), target=np.array([5.0]))

    @pytest.mark.parametrize(("budget", "size", "proof"), [(500, 2, Proof.SMALLEST), (12, 2, Proof.IRREDUCIBLE)])
    def test_other_values_of_fewer_attributes_are_tried(self, budget, size, proof):
        answers = CountER(Hidden(), minimal=MinimalSettings(budget=budget)).explain(self.question())
        assert (np.count_nonzero(answers.delta[0]), answers.proof[0]) == (size, proof)

    def test_nothing_is_claimed_of_values_that_were_not_tried(self):
        answers = CountER(Hidden(), minimal=MinimalSettings(budget=0)).explain(self.question())
        assert (np.count_nonzero(answers.delta[0]), answers.proof[0]) == (3, Proof.FOUND)


class TestConstraints:
    @pytest.mark.parametrize(
        ("constraints", "said"),
        [
            (Constraints(lowest={"chain": 1}), "chain is of kind category: only numbers have bounds"),
            (Constraints(highest={"price": 301}), "range is 50 to 300"),
        ],
    )
    def test_what_cannot_be_said_of_attributes_is_refused(self, constraints, said):
        with pytest.raises(ConfigError, match=said):
            why(SPACE, LISTS, constraints=constraints)

    def test_attributes_move_on_their_steps_whatever_values_are_asked_for(self):
        question = why(SPACE, LISTS, constraints=Constraints(values="continuous"))
        assert question.constraints.values == "reachable"
        assert changed(question)[0] == changed(why(SPACE, LISTS))[0]

    def test_bounds_are_kept_on_the_steps(self):
        constraints = Constraints(keep=("stars", "chain"), highest={"price": 150.4})
        assert changed(why(SPACE, LISTS, constraints=constraints))[0] == {"wifi": False, "price": 150.0}


class TestDerived:
    def test_what_follows_is_computed_for_every_row(self):
        seen = []

        def noted(rows):
            seen.append(len(rows))
            return with_price_per_night(rows)

        world, scored = scored_world("derived", "tables", 0)
        schema = world.space.schema
        scorer = RecomputingScorer(scored.scorer.scorer, schema, noted)
        question = why(world.space, rank(scorer, world.space, world.candidates, 3))
        answers = CountER(scorer).explain(question)
        assert answers.explained.any()
        assert not answers.delta[:, schema.stays].any()
        after = question.after(answers.delta)
        made = scored.scorer.scorer.score(question.pairs.with_quality(with_price_per_night(after)))
        np.testing.assert_allclose(made, answers.score_after)
        assert sum(seen) > len(question)

    @pytest.mark.parametrize(
        ("recompute", "said"),
        [
            (lambda rows: rows[:, :2], "shape"),
            (lambda rows: rows * np.nan, "finite"),
            (lambda rows: rows + 1, "'kept', which is not derived"),
        ],
    )
    def test_a_recompute_that_does_something_else_is_refused(self, recompute, said):
        world, scored = scored_world("derived", "tables", 0)
        scorer = RecomputingScorer(scored.scorer.scorer, world.space.schema, recompute)
        with pytest.raises(InvalidValueError, match=said):
            rank(scorer, world.space, world.candidates, 3)


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_audience_is_won_by_the_fewest_attributes(schema, scorer):
    """Every list is ranked anew, and of every smaller set every choice of values is tried."""
    for seed in range(2):
        world, scored = scored_world(schema, scorer, seed)
        lists = rank(scored.scorer, world.space, world.candidates, 3)
        everyone = np.arange(len(world.space.users))
        for item in [item for item in range(6) if all(world.candidates.contain(user, item) for user in everyone)]:
            question = why_not(world.space, lists, everyone, np.full(len(everyone), item))
            pairs = pairs_of(question, world, scored)
            open_ = [pair for pair in pairs if not pair.listed(pair.before)]
            if len(open_) < 2:
                continue
            answer = why_not_for_all(scored.scorer, world.space, lists, item, everyone, 2)
            after = question.rows(slice(0, 1)).after(answer.delta[None])[0]
            assert pairs[0].impossible(after, absent_allowed=False) == []
            won = sum(pair.beyond_at(after) > -pair.slack for pair in open_)
            assert (won >= 2) == (answer.status is Status.EXPLAINED)
            if answer.proof is Proof.SMALLEST:
                size = np.count_nonzero(answer.delta)
                for chosen in (c for s in range(1, size) for c in combinations(pairs[0].movable, s)):
                    for ends in product(*(pairs[0].ways[aspect].ends() for aspect in chosen)):
                        values = pairs[0].before.astype(np.float64)
                        values[list(chosen)] = ends
                        assert sum(pair.beyond_at(values) > pair.slack for pair in open_) < 2
