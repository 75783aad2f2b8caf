"""The choice of aspects: what is merged and what is left out, on small corpora that show one thing each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
import pytest

from counterec.errors import InvalidValueError
from counterec.extraction.vocabulary.carrying import carried
from counterec.extraction.vocabulary.choice import Corpus, NameChoice, choose_names
from counterec.extraction.vocabulary.contexts import MentionContext, context_rows, likeness, name_contexts
from counterec.extraction.vocabulary.name_uses import count_uses
from counterec.extraction.vocabulary.no_aspects import KIND, NO_NOUN, NOT_HAD, SELDOM_JUDGED, NoAspectRules, no_aspects
from counterec.extraction.vocabulary.same_thing import SameThingRules, spelled_alike, used_alike


def uses_of(name: str, *texts: str):
    return count_uses([name], [("item", text) for text in texts]).of[name]


class TestUses:
    @pytest.mark.parametrize(
        ("text", "had", "this", "is_a"),
        [
            ("The bed was soft.", 1, 0, 0),
            ("Its soft bed", 1, 0, 0),
            ("Bed is fine", 1, 0, 0),
            ("We went to the bed", 0, 0, 0),
            ("I love this big bed", 0, 1, 0),
            ("not at this bed", 0, 0, 0),
            ("It is a great bed", 0, 0, 1),
            ("We had a bed", 0, 0, 0),
            ("the room, bed", 0, 0, 0),
        ],
    )
    def test_how_a_name_is_used(self, text: str, had: int, this: int, is_a: int) -> None:
        found = uses_of("bed", text)
        assert (found.uses, found.had, found.this, found.is_a) == (1, had, this, is_a)

    def test_the_longest_name_counts_and_plurals_do(self) -> None:
        found = count_uses(["amp", "tube amp"], [("a", "The tube amps hum. An amp hums.")]).of
        assert (found["amp"].uses, found["tube amp"].uses) == (1, 1)

    def test_what_is_said_of_the_same_items_crowds(self) -> None:
        reviews = [("capo", "this capo")] * 6 + [(f"item {n}", "the price") for n in range(30)] * 2
        found = count_uses(["capo", "price"], reviews)
        assert found.crowding("capo") > 2 > found.crowding("price")


def left_out(counts: dict[str, int], reviews: Sequence[tuple[str, str]], names: dict[str, str] | None = None):
    uses = count_uses(counts, reviews)
    return no_aspects(counts, uses, names or {}, NoAspectRules())


class TestNoAspects:
    about_capos = (*(("capo", f"This capo is great. The price is {word}. Its grip is {word}.") for word in "abcdefgh"),)
    about_others = (*((f"item {n % 9}", "The price is fine, and it has a grip. The grip is good.") for n in range(60)),)

    def test_what_names_the_kind_of_the_item_is_left_out(self) -> None:
        reviews = self.about_capos * 2 + self.about_others
        assert left_out({"capo": 16, "price": 70, "grip": 70, "blue capo": 3}, reviews) == {
            "capo": KIND,
            "blue capo": KIND,
        }

    def test_and_so_is_what_the_names_of_items_say(self) -> None:
        names = {f"item {n}": f"Acme Grip {n}" for n in range(9)} | {"capo": "Acme Capo"}
        found = left_out({"grip": 70, "price": 70}, self.about_others, names)
        assert found == {"grip": KIND}

    def test_what_no_item_has_is_left_out(self) -> None:
        reviews = [
            (f"item {n % 7}", "It is easy to use. It was a nice surprise. The price is fine.") for n in range(40)
        ]
        assert left_out({"use": 40, "surprise": 40, "price": 40}, reviews) == {"use": NOT_HAD, "surprise": NOT_HAD}

    def test_what_is_seldom_judged_is_left_out(self) -> None:
        reviews = [(f"item {n % 7}", "The airport is there. The price is fine.") for n in range(40)]
        assert left_out({"airport": 2, "price": 30}, reviews) == {"airport": SELDOM_JUDGED}

    def test_what_is_no_noun_is_left_out(self) -> None:
        assert left_out({"albeit": 9, "d addario": 9, "tuning": 9}, []) == {"albeit": NO_NOUN, "d addario": NO_NOUN}

    def test_what_every_item_has_stays(self) -> None:
        reviews = [(f"item {n % 7}", "It is a great value and a good size. It sounds good.") for n in range(40)]
        assert left_out({"value": 40, "size": 40, "sound": 40}, reviews) == {}

    def test_rare_names_are_not_judged(self) -> None:
        assert left_out({"surprise": 3}, [("a", "a nice surprise")] * 3) == {}


class TestSpelling:
    def merged(self, **counts: int) -> dict[str, str]:
        names = {name.replace("_", " "): number for name, number in counts.items()}
        return spelled_alike(names, name_contexts([]), None, SameThingRules())

    def test_the_same_letters_are_the_same_name(self) -> None:
        assert self.merged(minibar=9, mini_bar=5, bar=30) == {"mini bar": "minibar"}

    def test_c_and_k_sound_alike(self) -> None:
        assert self.merged(mic=9, mike=5) == {"mike": "mic"}
        assert self.merged(tub=9, tube=5) == {}
        assert self.merged(peace=9, peak=8, force=7, fork=7) == {}

    def test_numbers_are_not_spelled(self) -> None:
        assert spelled_alike({"1 2": 9, "12": 8, "1-2": 7}, name_contexts([]), None, SameThingRules()) == {}


def mentions_of(name: str, opinion: str, words: Sequence[str], first: int) -> list[MentionContext]:
    return [
        MentionContext(name, opinion, f"{word} the", f"was {opinion} {word}", (first + n, 0))
        for n, word in enumerate(words)
    ]


class TestUsedAlike:
    """Internet and wifi share their surroundings; pillows have others, and stand beside beds."""

    online, asleep = ("signal", "laptop", "login", "speed") * 10, ("feather", "duvet", "sleep", "soft") * 10
    others = ("pool", "view", "price", "staff", "lobby", "bar")
    said = (
        *mentions_of("internet", "slow", online, 0),
        *mentions_of("wifi", "slow", online, 100),
        *mentions_of("internet access", "slow", online[:30], 200),
        *mentions_of("pillow", "fluffy", asleep, 300),
        *mentions_of("bed", "comfy", asleep, 300),
        *(
            one
            for n, name in enumerate(others)
            for one in mentions_of(name, f"opinion {n}", [f"{word} {name}" for word in "abcd"] * 10, 1000 + 100 * n)
        ),
    )
    counts = MappingProxyType(Counter(one.name for one in said))

    def test_names_that_are_used_alike_and_longer_names_are_merged(self) -> None:
        merged = used_alike(self.counts, name_contexts(self.said), SameThingRules())
        assert {merged["wifi"], merged["internet access"]} == {"internet"}
        assert set(merged) == {"wifi", "internet access"}

    def test_what_stands_side_by_side_is_two_things(self) -> None:
        assert "bed" not in used_alike(self.counts, name_contexts(self.said), SameThingRules()).values()

    def test_names_that_must_stay_apart_do(self) -> None:
        merged = used_alike(self.counts, name_contexts(self.said), SameThingRules(), apart=["wifi"])
        assert "wifi" not in merged

    def test_where_all_names_are_alike_none_is_merged(self) -> None:
        names = [f"{letter * 4}" for letter in "abcdefghij"]
        said = [one for n, name in enumerate(names) for one in mentions_of(name, "good", ("x", "y") * 20, 100 * n)]
        assert used_alike(Counter(one.name for one in said), name_contexts(said), SameThingRules()) == {}

    def test_likeness_is_symmetric_and_none_to_itself(self) -> None:
        alike = likeness(context_rows(sorted(self.counts), name_contexts(self.said).features))
        np.testing.assert_allclose(alike, alike.T, atol=1e-6)
        assert (np.diag(alike) == 0).all()


class TestChoice:
    def test_without_texts_names_are_merged_by_spelling_alone(self) -> None:
        found = choose_names(Corpus({"mini bar": 3, "minibar": 9, "surprise": 40}))
        assert (dict(found.merged), dict(found.left_out)) == ({"mini bar": "minibar"}, {})

    def test_it_can_be_turned_off(self) -> None:
        reviews = [(f"item {n % 7}", "a nice surprise") for n in range(40)]
        corpus = Corpus({"mini bar": 3, "minibar": 9, "surprise": 40}, reviews)
        assert choose_names(corpus, merge=False, leave_out=False) == NameChoice()
        assert dict(choose_names(corpus, merge=False).left_out) == {"surprise": NOT_HAD}

    def test_a_chain_is_refused(self) -> None:
        with pytest.raises(InvalidValueError, match="b: merged into another name"):
            NameChoice({"a": "b", "b": "c"})


class TestCarrying:
    def test_what_tells_items_apart_carries_more_than_what_is_said_of_all_alike(self) -> None:
        """Both are in 40 of 80 reviews: one in all reviews of half the items, one in half the reviews of all."""
        users, items = np.arange(80), np.repeat(np.arange(20), 4)
        tells = np.flatnonzero(items < 10)
        alike = np.flatnonzero(np.arange(80) % 2 == 0)
        aspects = np.repeat([0, 1], 40)
        rows = np.concatenate([tells, alike])
        score = carried(aspects, users[rows], items[rows], np.ones(80, int), np.full(20, 4))
        spread = np.sqrt([10, 20])  # over fewer items, which counts against it
        assert score[0] / spread[0] > score[1] / spread[1]

    def test_what_more_people_say_of_more_items_carries_more(self) -> None:
        everybody, one = np.arange(30), np.zeros(3, dtype=int)
        aspects = np.repeat([0, 1], [30, 3])
        users, items = np.concatenate([everybody, one]), np.concatenate([everybody, np.arange(3)])
        written, had = np.r_[3, np.ones(29, int)], np.r_[2, 2, 2, np.ones(27, int)]
        score = carried(aspects, users, items, written, had)
        assert score[0] > score[1] > 0
