"""A schema in a run folder: stored with the vocabularies, and read again as it was."""

from __future__ import annotations

import json

import numpy as np
import pytest

from counterec.core.attributes import Attribute
from counterec.errors import InvalidValueError
from counterec.pipeline.files import load_space, save_space
from tests.attribute_worlds import SCHEMAS, attribute_world
from tests.worlds import figure_one


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_space_of_attributes_is_read_as_it_was_written(name, tmp_path):
    space = attribute_world(name, 0).space
    save_space(space, {}, tmp_path / "aspects", tmp_path / "vocabulary")
    read, _ = load_space(tmp_path / "aspects", tmp_path / "vocabulary")
    assert read.schema == space.schema
    np.testing.assert_array_equal(read.item_quality, space.item_quality)
    np.testing.assert_array_equal(read.scale.absent, space.scale.absent)
    np.testing.assert_array_equal(read.possible, space.possible)


def test_a_space_of_reviews_is_stored_without_a_word_about_attributes(tmp_path):
    save_space(figure_one(), {}, tmp_path / "aspects", tmp_path / "vocabulary")
    assert json.loads((tmp_path / "vocabulary").read_text()).keys() == {
        "users",
        "items",
        "aspects",
        "item_names",
        "merged",
    }
    assert load_space(tmp_path / "aspects", tmp_path / "vocabulary")[0].schema is None


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"name": "a", "colour": "red"}, "unknown 'colour'"),
        ({"name": "a", "move_costs": [["x", "y"]]}, "from, to, cost"),
    ],
)
def test_an_attribute_that_a_file_describes_wrongly_is_refused(said, problem):
    with pytest.raises(InvalidValueError, match=problem):
        Attribute.of_plain(said)
