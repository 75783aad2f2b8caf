"""The address of the page: it can be read again as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.service.page.address import Address

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
