"""What all openings share: the address, work off the event loop, search among names, and users' names."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.errors import InvalidValueError, UnknownIdError, UsageError
from counterec.report.privacy import Privacy
from counterec.service.page.site import Address, Newest, RunThreads, Site, TextSearch, first_case

PARAMS = st.lists(st.tuples(st.text(min_size=1), st.text()), max_size=5).map(tuple)


@given(PARAMS)
def test_what_is_written_is_read_again(params):
    address = Address("/model", params)
    assert Address.of(str(address)) == address


@pytest.mark.parametrize(("text", "path"), [("", "/"), ("/", "/"), ("/model/", "/model"), ("/model?a=b", "/model")])
def test_paths(text, path):
    assert Address.of(text).path == path


def test_parameters_are_replaced_and_taken_away():
    address = Address.of("/?user=U&set=a:1&set=b:2")
    assert address.all("set") == ["a:1", "b:2"]
    assert address.get("user") == "U"
    assert address.get("item") is None
    assert str(address.with_params(set=["c:3"], user=None)) == "/?set=c%3A3"
    assert address.with_params(set=[]).all("set") == []


def test_user_item_and_look_go_along_to_another_panel():
    address = Address.of("/?user=U&item=I&set=a:1&goal=single&look=dark")
    assert str(address.to("/model", aspect="battery")) == "/model?user=U&item=I&look=dark&aspect=battery"
    assert str(address.to("/", user=None)) == "/?item=I&look=dark"


def test_an_address_without_parameters_takes_those_of_the_browser_away():
    assert Address("/").query == "?"


def test_work_is_done_in_another_thread_with_the_run():
    run = object()

    async def ask() -> tuple[object, int]:
        return await RunThreads(run).ask(lambda given: (given, threading.get_ident()))

    given, thread = asyncio.run(ask())
    assert given is run
    assert thread != threading.get_ident()


def test_errors_come_back():
    async def fails() -> None:
        await RunThreads(object()).ask(lambda run: run.no_such_thing)

    with pytest.raises(AttributeError):
        asyncio.run(fails())


def test_of_those_that_wait_only_the_newest_is_begun():
    begun, gate = [], {}

    async def drag() -> list[int | None]:
        newest = Newest()
        gate["open"] = asyncio.Event()

        async def work(number: int) -> int:
            begun.append(number)
            await gate["open"].wait()
            return number

        drags = [asyncio.create_task(newest.of(lambda number=number: work(number))) for number in range(5)]
        await asyncio.sleep(0)
        gate["open"].set()
        return await asyncio.gather(*drags)

    assert asyncio.run(drag()) == [None, None, None, None, 4]
    assert 4 in begun
    assert len(begun) <= 2


def test_what_is_forgotten_is_not_answered():
    async def forgotten() -> int | None:
        newest = Newest()

        async def work() -> int:
            newest.forget()
            return 1

        return await newest.of(work)

    assert asyncio.run(forgotten()) is None


def test_one_after_the_other_all_are_answered():
    async def one_by_one() -> list[int | None]:
        newest = Newest()

        async def work(number: int) -> int:
            return number

        return [await newest.of(lambda number=number: work(number)) for number in range(3)]

    assert asyncio.run(one_by_one()) == [0, 1, 2]


NAMES = ["Blue Phone", "Phone of Blues", "Earphones", "Café Noir", "ΣΊΣΥΦΟΣ", "Straße"]
SEARCH = TextSearch(NAMES, ["P1", "P2", "P3", "C1", "G1", "S1"])


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("phone", ["Phone of Blues", "Blue Phone", "Earphones"]),
        ("BLUE", ["Blue Phone", "Phone of Blues"]),
        ("phone blue", ["Blue Phone", "Phone of Blues"]),
        ("cafe", ["Café Noir"]),
        ("σίσυφος", ["ΣΊΣΥΦΟΣ"]),
        ("strasse", ["Straße"]),
        ("p3", ["Earphones"]),
        ("nothing", []),
        ("*", []),
        ("", NAMES),
    ],
)
def test_names_are_found(typed: str, names: list[str]) -> None:
    assert [NAMES[place] for place in SEARCH.find(typed, 10)] == names


def test_only_the_best_few_are_given() -> None:
    many = TextSearch([f"Item {number}" for number in range(1000)])
    assert many.find("item", 8) == list(range(8))


def test_what_is_not_allowed_is_left_out() -> None:
    found = SEARCH.find("phone", 10, lambda place: place != 1)
    assert [NAMES[place] for place in found] == ["Blue Phone", "Earphones"]


def test_each_name_has_one_other_text() -> None:
    with pytest.raises(InvalidValueError, match="1 other texts for 2 names"):
        TextSearch(["a", "b"], ["x"])


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


class TestFirstCase:
    def test_it_is_an_explained_item_of_a_list(self, run, stored):
        user_id, item_id = first_case(run, stored)
        assert stored.row("minimal", user_id, item_id)["status"] == "explained"

    def test_without_answers_it_is_the_first_of_the_first_list(self, run):
        class Nothing:
            methods = ()

        user_id, item_id = first_case(run, Nothing())
        assert user_id == run.space.users.texts[run.recommendations.users[0]]
        assert item_id == run.space.items.texts[run.recommendations.items[0, 0]]
