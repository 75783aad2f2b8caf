"""Users: their taste, what they reviewed, and the sentences behind a value."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from counterec.errors import UnknownIdError, UsageError
from counterec.report.privacy import EVERYTHING, Privacy
from counterec.service.page.people import known_items, taste
from counterec.service.page.quotes import quotes
from counterec.service.page.site import Site


def test_taste_is_what_a_user_mentions_most(run):
    for user, user_id in enumerate(run.space.users.texts[:10]):
        found = taste(run, user_id)
        mentions = run.space.opinions.user_praises[user] + run.space.opinions.user_complaints[user]
        assert found
        for one in found:
            assert one.mentions == mentions[run.space.aspects.number(one.aspect)] > 0
        shares = [one.share for one in found]
        assert shares == sorted(shares, reverse=True)
        assert 0 < shares[-1] <= shares[0] <= 1


def test_known_items_are_those_of_the_split(run):
    user_id = run.space.users.texts[3]
    found = known_items(run, user_id)
    assert {item.item_id for item in found} == set(run.split.filter(user_id=user_id)["item_id"])
    assert {item.note for item in found} >= {"", "held out, to test"}


def test_quotes_are_as_many_as_the_opinions(run):
    space = run.space
    for item, aspect in np.argwhere(space.opinions.item_praises + space.opinions.item_complaints)[::13].tolist():
        found = quotes(run, space.items.texts[item], space.aspects.texts[aspect], EVERYTHING)
        counted = [quote for quote in found if quote.counted]
        assert len(counted) >= space.opinions.item_praises[item, aspect] + space.opinions.item_complaints[item, aspect]
        assert all(quote.words for quote in found)
        assert [quote.counted for quote in found] == sorted((quote.counted for quote in found), reverse=True)


def test_without_text_there_are_none(run):
    assert quotes(run, run.space.items.texts[0], run.space.aspects.texts[0], Privacy.without_text()) is None


class TestNames:
    def test_pseudonyms_lead_back_within_one_start_of_the_page(self, run):
        site = Site(run, Privacy.without_text())
        for user_id in run.space.users.texts:
            assert site.user_name(user_id) != user_id
            assert site.user_id(site.user_name(user_id)) == user_id

    def test_an_id_is_no_name_where_pseudonyms_are(self, run):
        with pytest.raises(UnknownIdError):
            Site(run, Privacy.without_text()).user_id(run.space.users.texts[0])
        assert Site(run).user_id(run.space.users.texts[0]) == run.space.users.texts[0]

    def test_errors_name_nobody_either(self, run):
        site, user_id = Site(run, Privacy.without_text()), run.space.users.texts[0]

        def fail(_):
            raise UsageError(f"no item of {user_id} fits, says {user_id}")

        with pytest.raises(UsageError) as hidden:
            asyncio.run(site.ask(fail))
        assert user_id not in str(hidden.value)
        assert str(hidden.value).count(site.user_name(user_id)) == 2
        with pytest.raises(UsageError, match=user_id):
            asyncio.run(Site(run).ask(fail))
