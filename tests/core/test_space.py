import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.core.candidates import Candidates
from counterec.core.lists import Recommendations
from counterec.core.mention_counts import MentionNumbers
from counterec.core.scale import AspectScale
from counterec.core.space import AspectSpace, attention, quality
from counterec.core.vocabulary import Vocabulary
from counterec.errors import InvalidValueError, UnknownIdError


def space_of(mentions: list[tuple[int, int, int, int]]) -> AspectSpace:
    users, items, aspects, sentiments = np.array(mentions, dtype=int).reshape(-1, 4).T
    return AspectSpace.from_mentions(
        Vocabulary("user", ("a", "b")),
        Vocabulary("item", ("x", "y", "z")),
        Vocabulary("aspect", ("battery", "screen")),
        MentionNumbers(users, items, aspects, sentiments),
    )


class TestEquationOne:
    """Hand-computed with N = 5 and σ(1) = 0.731059, σ(2) = 0.880797."""

    def test_attention(self):
        # 1 + 4·(2σ(t) − 1) for t = 1, 2; 0 where never mentioned.
        np.testing.assert_allclose(attention([0, 1, 2]), [0, 2.848469, 4.046377], atol=1e-6)

    def test_quality(self):
        # 1 + 4·σ(t·s): three mentions, all good; two mentions that cancel; one bad; never reviewed.
        np.testing.assert_allclose(
            quality([3, 2, 1, 0], [3, 0, -1, 0]), [1 + 4 * 0.9525741, 3.0, 1 + 4 * 0.2689414, 0], atol=1e-6
        )

    def test_from_mentions(self):
        found = space_of([(0, 0, 0, 1), (0, 0, 0, 1), (1, 0, 0, -1), (1, 2, 1, -1)])
        np.testing.assert_allclose(found.user_attention, [[4.046377, 0], [2.848469, 2.848469]], atol=1e-6)
        np.testing.assert_allclose(found.item_quality, [[1 + 4 * 0.7310586, 0], [0, 0], [0, 2.0757657]], atol=1e-6)

    @given(
        st.lists(
            st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 1), st.sampled_from([-1, 1])), max_size=30
        ),
        st.randoms(use_true_random=False),
    )
    def test_order_of_mentions_does_not_matter(self, mentions, random):
        first = space_of(mentions)
        random.shuffle(mentions)
        second = space_of(mentions)
        np.testing.assert_array_equal(first.user_attention, second.user_attention)
        np.testing.assert_array_equal(first.item_quality, second.item_quality)

    def test_a_sentiment_is_plus_or_minus_one(self):
        with pytest.raises(InvalidValueError, match="sentiment"):
            space_of([(0, 0, 0, 2)])


class TestVocabulary:
    def test_numbers_follow_sorted_order(self):
        words = Vocabulary.of("aspect", ["screen", "battery", "screen"])
        assert words.texts == ("battery", "screen")
        assert words.numbers(["screen", "battery"]).tolist() == [1, 0]

    def test_an_unknown_text_names_its_neighbours(self):
        with pytest.raises(UnknownIdError, match=r"no aspect 'batery' here; did you mean 'battery'"):
            Vocabulary.of("aspect", ["screen", "battery"]).number("batery")


class TestAspectSpace:
    def build(self, **changes):
        parts = {
            "users": Vocabulary("user", ("u",)),
            "items": Vocabulary("item", ("i",)),
            "aspects": Vocabulary("aspect", ("a",)),
            "user_attention": [[2.0]],
            "item_quality": [[3.0]],
            "scale": AspectScale.of_reviews(1),
        }
        return AspectSpace(**{**parts, **changes})

    def test_its_matrices_cannot_be_written(self):
        with pytest.raises(ValueError, match="read-only"):
            self.build().item_quality[0, 0] = 1

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"item_quality": [[0.5]]}, "its scale is 1 to 5, or 0 for absent"),
            ({"item_quality": [[np.nan]]}, "finite"),
            ({"user_attention": [[np.inf]]}, "finite"),
            ({"item_quality": [[3.0, 3.0]]}, "shape"),
        ],
    )
    def test_checks_itself(self, changes, message):
        with pytest.raises(InvalidValueError, match=message):
            self.build(**changes)

    def test_what_an_item_can_have(self):
        space = self.build()
        for value in (0.0, 1.0, 5.0, 3.3):
            space.require_on_scale(np.array([value], dtype=np.float32), "i")
        for value in (0.5, 5.1, -1.0, np.nan, np.inf):
            with pytest.raises(
                InvalidValueError, match=r"item_quality of 'it' on 'a' is .*; its scale is 1 to 5, or 0"
            ):
                space.require_on_scale(np.array([value], dtype=np.float32), "it")


class TestCandidates:
    def test_refuses_strangers(self):
        with pytest.raises(InvalidValueError, match="outside"):
            Candidates.exactly(5, [[5]])

    def test_with_further_items(self):
        listed = Candidates.exactly(6, [[4, 1], [], [2]])
        more = listed.with_items(np.array([2, 0, 2, 0]), np.array([5, 4, 0, 3]))
        assert [more.of(user).tolist() for user in range(3)] == [[1, 3, 4], [], [0, 2, 5]]
        assert (more.kind, more.items) == ("exactly", 6)
        assert [listed.of(user).tolist() for user in range(3)] == [[1, 4], [], [2]], "the old ones are as they were"

    @given(
        st.sampled_from(["without", "exactly"]),
        st.lists(st.lists(st.integers(0, 7), max_size=8), min_size=1, max_size=3),
    )
    def test_contain_is_to_be_among_them(self, kind, rows):
        competing = Candidates.exactly(8, rows) if kind == "exactly" else Candidates.without(8, rows)
        for user in range(len(rows)):
            own = competing.of(user).tolist()
            assert [competing.contain(user, item) for item in range(8)] == [item in own for item in range(8)]


class TestRecommendations:
    def build(self, items, scores):
        return Recommendations([0], [items], [scores], 1, Candidates.without(5, [[]]))

    def test_the_target_is_the_first_below_the_list(self):
        assert self.build([2, 1], [3.0, 2.0]).target.tolist() == [2.0]

    def test_too_few_candidates_leave_no_target(self):
        lists = self.build([2, -1], [3.0, np.nan])
        assert np.isnan(lists.target).all()
        assert [part.tolist() for part in lists.pairs()] == [[0], [0], [2]]

    @pytest.mark.parametrize(("items", "scores"), [([2, 1], [1.0, 2.0]), ([2, 1], [2.0, 2.0])])
    def test_refuses_a_list_out_of_order(self, items, scores):
        with pytest.raises(InvalidValueError, match="order"):
            self.build(items, scores)

    def test_shortened(self):
        competing = Candidates.without(6, [[], [0, 1, 2, 3]])
        lists = Recommendations(
            [0, 1], [[3, 1, 4, 0], [5, 4, -1, -1]], [[4.0, 3.0, 3.0, 1.0], [2.0, 1.0, np.nan, np.nan]], 3, competing
        )
        short = lists.shortened(1)
        assert short.k == 1
        assert short.items.tolist() == [[3, 1], [5, 4]]
        assert short.scores.tolist() == [[4.0, 3.0], [2.0, 1.0]]
        assert short.target.tolist() == [3.0, 1.0]
        assert short.users.tolist() == [0, 1]
        assert short.candidates is competing
        middle = lists.shortened(2)
        assert np.isnan(middle.target[1])
        assert [part.tolist() for part in middle.pairs()] == [[0, 0, 1, 1], [0, 1, 0, 1], [3, 1, 5, 4]]
        assert lists.shortened(3).items.tolist() == lists.items.tolist()

    def test_they_keep_how_far_the_scores_of_all_candidates_lie_apart(self):
        """The standard deviation and the largest absolute value: of all candidates, not of those that are listed."""
        lists = Recommendations(
            *([0, 1], [[3, 1], [5, 4]], [[4.0, 3.0], [2.0, 1.0]], 1, Candidates.without(6, [[], []])),
            spread=[2.5, 0.5],
            largest=[9.0, 2.0],
        )
        assert (lists.spread.tolist(), lists.largest.tolist()) == ([2.5, 0.5], [9.0, 2.0])
        part = lists.rows(np.array([1]))
        assert (part.spread.tolist(), part.largest.tolist()) == ([0.5], [2.0])
        assert lists.of_user(1).spread.tolist() == [0.5]

    @pytest.mark.parametrize("k", [0, 4])
    def test_shortened_to_nothing_or_to_more(self, k):
        lists = Recommendations([0], [[3, 1, 4, 0]], [[4.0, 3.0, 3.0, 1.0]], 3, Candidates.without(6, [[]]))
        with pytest.raises(InvalidValueError, match="at least one item" if k == 0 else "cannot be shortened to 4"):
            lists.shortened(k)


def test_items_with_given_qualities_are_found_by_looking_at_all() -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        quality = random.choice([0.0, 1.0, 2.5, 5.0], (40, 3)).astype(np.float32)
        space = AspectSpace(
            users=Vocabulary.of("user", ["u"]),
            items=Vocabulary.of("item", [f"i{at:02d}" for at in range(40)]),
            aspects=Vocabulary.of("aspect", "abc"),
            user_attention=np.ones((1, 3)),
            item_quality=quality,
            scale=AspectScale.of_reviews(3),
        )
        for vector in (*quality[:5], np.array([1.0, 1.0, 3.0]), np.array([-0.0, 0.0, -0.0])):
            wanted = np.flatnonzero((quality == vector).all(axis=1))
            np.testing.assert_array_equal(space.items_like(vector), wanted)


@pytest.mark.parametrize("alike", [False, True])
def test_items_with_equal_qualities_are_one_group(alike, monkeypatch):
    """Also where different items have the same mark."""
    if alike:
        monkeypatch.setattr("counterec.core.space._marked", lambda some: np.zeros(len(some), dtype=np.uint64))
    space = space_of([(0, 0, 0, 1), (0, 1, 1, -1), (0, 2, 0, 1)])
    first, group = space.equal_items()
    assert sorted(first.tolist()) == [0, 1]
    assert first[group].tolist() == [0, 1, 0]
