"""A case: the stored answer, or one that is found now, in the words of the command line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from counterec import open_run
from counterec.core.list_rules import AtMostPerGroup
from counterec.errors import UnknownIdError
from counterec.report.privacy import EVERYTHING, Privacy
from counterec.service.page.case import (
    BELOW,
    MOST_ROWS,
    SearchSettings,
    case_of,
    known_items_of,
    listing_after,
    listing_now,
    quotes_of,
    taste_of,
)
from counterec.service.page.site import Address, first_case
from counterec.service.page.what_if import rank_with
from counterec.wording import reason, sentence


def every_pair(run):
    rows, _, items = run.recommendations.pairs()
    for row, item in zip(rows.tolist()[::7], items.tolist()[::7], strict=True):
        yield run.space.users.texts[run.recommendations.users[row]], run.space.items.texts[item]


def test_it_says_what_the_stored_row_says(run, stored, usual):
    for user_id, item_id in every_pair(run):
        case = case_of(run, stored, user_id, item_id, usual)
        record = run.record(stored.row("minimal", user_id, item_id))
        assert (case.headline, case.sentence) == (reason(record), sentence(record))
        assert case.leaves


def test_past_reviews_are_asked_about_of_what_is_in_the_list(run, stored, usual):
    user_id, item_id = next(every_pair(run))
    below = listing_now(run, user_id).items[-1].item_id
    assert case_of(run, stored, user_id, item_id, usual).by_history
    assert not case_of(run, stored, user_id, below, usual).by_history


def test_without_stored_answers_the_same_is_found_now(run, stored, usual):
    class Nothing:
        def row(self, *_):
            return None

    user_id, item_id = first_case(run, stored)
    kept, found = (case_of(run, answers, user_id, item_id, usual) for answers in (stored, Nothing()))
    assert found.sentence == kept.sentence
    assert found.smallest == pytest.approx(kept.smallest)


def test_rows_are_the_aspects_of_the_answer_and_no_aspect_is_missing(run, stored, usual):
    for user_id, item_id in every_pair(run):
        case = case_of(run, stored, user_id, item_id, usual)
        named = [change.aspect for change in case.record.changes]
        shown = [steps.aspect for steps in case.rows]
        assert shown == named[:MOST_ROWS] if named else len(shown) == MOST_ROWS
        assert sorted([*shown, *case.others]) == sorted(run.space.aspects.texts)


def test_the_value_of_the_answer_can_be_set(run, stored, usual):
    for user_id, item_id in every_pair(run):
        case = case_of(run, stored, user_id, item_id, usual)
        for steps in case.rows:
            if steps.aspect in case.smallest:
                assert np.float32(case.smallest[steps.aspect]) in np.array(steps.codes, dtype=np.float32)


def test_of_an_item_below_the_list_it_is_asked_what_it_would_take(run, stored, usual):
    user_id, _ = first_case(run, stored)
    below = listing_now(run, user_id).below[0].item_id
    case = case_of(run, stored, user_id, below, usual)
    assert case.record.row.question == "why_not"
    assert not case.leaves


def test_an_item_far_below_is_shown_where_it_stands(run, stored, usual):
    user_id, _ = first_case(run, stored)
    user = run.space.users.number(user_id)
    order = run.standing(user_id).reranked(
        {int(run.candidates.of(user)[0]): run.space.item_quality[run.candidates.of(user)[0]]}
    )
    last = run.space.items.texts[order.items[-1]]
    case = case_of(run, stored, user_id, last, usual)
    assert len(case.listing.items) == run.recommendations.k + BELOW + 1
    assert (case.listing.items[-1].item_id, case.listing.items[-1].position) == (last, len(order.items))


def test_an_item_that_does_not_compete_is_named(run, stored, usual):
    user_id = run.space.users.texts[0]
    known = run.known_items
    item = int(known.items[known.users == 0][0])
    with pytest.raises(UnknownIdError, match="does not compete"):
        case_of(run, stored, user_id, run.space.items.texts[item], usual)


def test_other_constraints_are_searched_with(run, stored, usual):
    user_id, item_id = first_case(run, stored)
    named = case_of(run, stored, user_id, item_id, usual).rows[0].aspect
    keeping = replace(usual, constraints=replace(usual.constraints, keep=(named,)))
    assert named not in case_of(run, stored, user_id, item_id, keeping).smallest


class TestListing:
    def test_it_is_the_stored_list_and_two_below(self, run):
        lists = run.recommendations
        for row, user in enumerate(lists.users.tolist()):
            found = listing_now(run, run.space.users.texts[user])
            ids = [run.space.items.texts[item] for item in lists.items[row] if item >= 0]
            assert [item.item_id for item in found.items][: lists.k + 1] == ids
            assert len(found.items) == lists.k + BELOW
            assert [item.listed for item in found.items] == [True] * lists.k + [False] * BELOW
            assert [item.position for item in found.items] == list(range(1, lists.k + BELOW + 1))


class TestUnderRules:
    """At most one item of each of two groups: a list of two, and everything else below it."""

    @pytest.fixture
    def ruled(self, run):
        groups = np.arange(len(run.space.items)) % 2
        return open_run(run.path, ranker=AtMostPerGroup(groups, 1))

    def test_the_list_is_that_of_the_rules(self, ruled):
        for row, user in enumerate(ruled.recommendations.users.tolist()[:8]):
            found = listing_now(ruled, ruled.space.users.texts[user])
            ids = [ruled.space.items.texts[item] for item in ruled.recommendations.items[row] if item >= 0]
            listed = [item.item_id for item in found.items if item.listed]
            assert listed == ids[: len(listed)]
            assert len(listed) == 2
            assert [item.position for item in found.below] == [ruled.recommendations.k + 1, ruled.recommendations.k + 2]

    def test_a_case_is_explained_under_them(self, ruled, usual):
        class Nothing:
            def row(self, *_):
                return None

        user_id = ruled.space.users.texts[int(ruled.recommendations.users[0])]
        item_id = listing_now(ruled, user_id).items[0].item_id
        case = case_of(ruled, Nothing(), user_id, item_id, usual)
        if case.smallest:
            found = rank_with(ruled, item_id, case.smallest, ruled.standing(user_id), usual.constraints).found
            (item,) = [item for item in listing_after(ruled, found).items if item.item_id == item_id]
            assert (item.listed, item.position) == (False, case.record.position_after)


class TestSettings:
    @pytest.mark.parametrize(
        "query",
        [
            "?",
            "?goal=single",
            "?keep=battery&keep=screen",
            "?bound=battery%3A2%3A4.5&bound=screen%3A%3A3&bound=a+%3A+b%3A1%3A",
        ],
    )
    def test_they_are_written_as_they_are_read(self, run, query):
        usual = run.config.explain.constraints
        found = SearchSettings.of(Address.of(f"/{query}"), usual)
        again = Address("/").with_params(**found.write(usual))
        assert SearchSettings.of(again, usual) == found
        assert sorted(again.params) == sorted(Address.of(f"/{query}").params)

    def test_limits_of_the_run_can_be_lifted(self, run):
        usual = replace(run.config.explain.constraints, keep=("battery",), lowest={"screen": 2.0})
        free = SearchSettings("minimal", replace(usual, keep=(), lowest={}))
        there = Address.of(str(Address("/").with_params(**free.write(usual))))
        assert SearchSettings.of(there, usual) == free

    @pytest.mark.parametrize("query", ["?goal=best", "?bound=a:b:c", "?bound=much"])
    def test_what_is_no_setting_is_named(self, run, query):
        value = query.split("=")[1]
        with pytest.raises(Exception, match=value):
            SearchSettings.of(Address.of(f"/{query}"), run.config.explain.constraints)


def test_taste_is_what_a_user_mentions_most(run):
    for user, user_id in enumerate(run.space.users.texts[:10]):
        found = taste_of(run, user_id)
        mentions = run.space.opinions.user_praises[user] + run.space.opinions.user_complaints[user]
        assert found
        for one in found:
            assert one.mentions == mentions[run.space.aspects.number(one.aspect)] > 0
        attention = [run.space.user_attention[user, run.space.aspects.number(one.aspect)] for one in found]
        assert attention == sorted(attention, reverse=True)


def test_known_items_are_those_of_the_split(run):
    user_id = run.space.users.texts[3]
    found = known_items_of(run, user_id)
    assert {item.item_id for item in found} == set(run.split.filter(user_id=user_id)["item_id"])
    assert {item.note for item in found} >= {"", "held out, to test"}


def test_quotes_are_as_many_as_the_opinions(run):
    space = run.space
    for item, aspect in np.argwhere(space.opinions.item_praises + space.opinions.item_complaints)[::13].tolist():
        found = quotes_of(run, space.items.texts[item], space.aspects.texts[aspect], EVERYTHING)
        counted = [quote for quote in found if quote.counted]
        assert len(counted) >= space.opinions.item_praises[item, aspect] + space.opinions.item_complaints[item, aspect]
        assert all(quote.words for quote in found)
        assert [quote.counted for quote in found] == sorted((quote.counted for quote in found), reverse=True)


def test_without_text_there_are_none(run):
    assert quotes_of(run, run.space.items.texts[0], run.space.aspects.texts[0], Privacy.without_text()) is None
