"""A space that grows: what nobody spoke of stays as it was, and the rest is what all opinions together give."""

from __future__ import annotations

import numpy as np
import pytest
from tests.worlds import random_world

from counterec.core.mention_counts import MentionNumbers
from counterec.core.opinions import quality
from counterec.core.scorers.collaborative import Collaborative, ItemToItem
from counterec.core.space import AspectSpace, attention
from counterec.core.space_growth import Renumbering, grown_space, without_opinions
from counterec.core.vocabulary import Vocabulary
from counterec.errors import InvalidValueError

RULES = [("eq1", "eq1"), ("share", "relative"), ("eq1", "relative"), ("share", "eq1")]
OLD_USERS, NEW_USERS = ("b", "d", "f"), ("a", "c", "g")
OLD_ITEMS, NEW_ITEMS = ("k", "m", "n", "p"), ("j", "o", "z")
ASPECTS = Vocabulary("aspect", ("battery", "price", "screen"))


def numbers(random: np.random.Generator, users: int, items: int, count: int = 40) -> MentionNumbers:
    sizes = (users, items, len(ASPECTS))
    return MentionNumbers(*(random.integers(0, size, count) for size in sizes), random.choice([-1, 1], count))


def before(rules: tuple[str, str], seed: int) -> AspectSpace:
    mentions = numbers(np.random.default_rng(seed), len(OLD_USERS), len(OLD_ITEMS))
    names = Vocabulary("user", OLD_USERS), Vocabulary("item", OLD_ITEMS), ASPECTS
    return AspectSpace.from_mentions(*names, mentions, quality_rule=rules[0], attention_rule=rules[1])


def both() -> tuple[Vocabulary, Vocabulary]:
    return Vocabulary.of("user", [*OLD_USERS, *NEW_USERS]), Vocabulary.of("item", [*OLD_ITEMS, *NEW_ITEMS])


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(5))
def test_whoever_is_not_spoken_of_stays_to_the_bit(rules, seed: int) -> None:
    old, (users, items) = before(rules, seed), both()
    said = MentionNumbers(users.numbers(["b", "a"]), items.numbers(["k", "z"]), np.array([0, 1]), np.array([1, -1]))
    grown = grown_space(old, users, items, said)
    for user in ("d", "f"):
        now, then = grown.user_attention[users.number(user)], old.user_attention[old.users.number(user)]
        np.testing.assert_array_equal(now, then)
    for item in ("m", "n", "p"):
        now, then = grown.item_quality[items.number(item)], old.item_quality[old.items.number(item)]
        np.testing.assert_array_equal(now, then)
    assert grown.item_quality[items.number("z"), 1] > 0
    assert (grown.user_attention[users.number("b")] != old.user_attention[old.users.number("b")]).any()
    assert grown.scale is old.scale
    silent_users, silent_items = without_opinions(grown)
    assert [text for text, silent in zip(users.texts, silent_users, strict=True) if silent] == ["c", "g"]
    assert {"j", "o"} <= {text for text, silent in zip(items.texts, silent_items, strict=True) if silent}


@pytest.mark.parametrize("seed", range(5))
def test_by_eq_1_it_is_the_space_of_all_mentions(seed: int) -> None:
    old, (users, items), random = before(("eq1", "eq1"), seed), both(), np.random.default_rng(seed)
    first = numbers(random, len(OLD_USERS), len(OLD_ITEMS))  # the same draw as in before
    more = numbers(random, len(users), len(items))
    to = Renumbering.between(old, users, items)
    names = ("users", "items", "aspects", "sentiments")
    moved = {"users": to.users[first.users], "items": to.items[first.items]}
    together = [np.concatenate([moved.get(name, getattr(first, name)), getattr(more, name)]) for name in names]
    whole = AspectSpace.from_mentions(users, items, ASPECTS, MentionNumbers(*together))
    grown = grown_space(old, users, items, more)
    np.testing.assert_array_equal(grown.user_attention, whole.user_attention)
    np.testing.assert_array_equal(grown.item_quality, whole.item_quality)


def test_shares_and_expectations_are_those_of_the_training() -> None:
    old, (users, items) = before(("share", "relative"), 1), both()
    said = MentionNumbers(*(np.full(30, number) for number in (0, 0, 2)), np.ones(30))
    grown = grown_space(old, users, items, said)
    mean = old.scale.shares.mean[2]
    assert grown.item_quality[0, 2] == pytest.approx(1 + 4 * (30 + 5 * mean) / 35, abs=1e-6)
    by_user = old.opinions.user_praises + old.opinions.user_complaints
    expected = 30 * by_user[:, 2].sum() / by_user.sum()
    assert grown.user_attention[0, 2] == pytest.approx(1 + 4 * 30 / (31 + expected), abs=1e-6)


def test_a_space_without_opinions_cannot_grow() -> None:
    space = random_world(0).space
    if space.opinions is not None:
        space = AspectSpace(
            space.users, space.items, space.aspects, space.user_attention, space.item_quality, space.scale
        )
    nothing = MentionNumbers(*(np.empty(0, dtype=np.int64) for _ in range(4)))
    with pytest.raises(InvalidValueError, match="keeps no opinions, so none can be added"):
        grown_space(space, space.users, space.items, nothing)


def test_numbers_keep_their_order_and_stay_inside() -> None:
    with pytest.raises(InvalidValueError, match="users must keep their order"):
        Renumbering(np.array([1, 0]), np.array([0]), 2, 1)
    with pytest.raises(InvalidValueError, match="items get numbers outside 0 to 1"):
        Renumbering(np.array([0]), np.array([2]), 1, 2)


@pytest.mark.parametrize("seed", range(8))
def test_a_collaborative_part_says_the_same_under_new_numbers(seed: int) -> None:
    random = np.random.default_rng(seed)
    entries = np.argwhere(random.random((4, 4)) < 0.6)
    matrix = ItemToItem.of_entries(entries[:, 0], entries[:, 1], random.normal(size=len(entries)).astype(np.float32), 4)
    history = [np.flatnonzero(random.random(4) < 0.5) for _ in OLD_USERS]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in history])])
    part = Collaborative(matrix, starts, np.concatenate(history), random.normal(size=3).astype(np.float32))
    users, items = both()
    to = Renumbering.between(before(("eq1", "eq1"), 0), users, items)
    moved = part.renumbered(to.users, to.items, to.n_users, to.n_items)
    for old_user, user in enumerate(to.users):
        all_old = np.full(4, old_user), np.arange(4)
        np.testing.assert_array_equal(moved.offset(np.full(4, user), to.items), part.offset(*all_old))
        past, parts = moved.history(int(user), to.items)
        old_past, old_parts = part.history(old_user, np.arange(4))
        np.testing.assert_array_equal(past, to.items[old_past])
        np.testing.assert_array_equal(parts, old_parts)
    everyone = np.repeat(np.arange(len(users)), len(items)), np.tile(np.arange(len(items)), len(users))
    new = ~np.isin(everyone[0], to.users) | ~np.isin(everyone[1], to.items)
    assert not moved.offset(*everyone)[new].any()
    again = Collaborative.from_named(moved.named())
    np.testing.assert_array_equal(again.offset(*everyone), moved.offset(*everyone))


def test_eq_1_is_what_the_tests_think_it_is() -> None:
    assert attention([[1]])[0, 0] == pytest.approx(1 + 4 * (2 / (1 + np.exp(-1)) - 1))
    assert quality([[1]], [[1]])[0, 0] == pytest.approx(1 + 4 / (1 + np.exp(-1)))
