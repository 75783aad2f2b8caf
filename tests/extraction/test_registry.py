"""Extractors by name."""

from __future__ import annotations

import pytest

from counterec.errors import ConfigError
from counterec.extraction.extractor import EXTRACTORS, make_extractor


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_extractor_goes_by_its_name(name):
    assert make_extractor(name).name == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("magic", "unknown extractor 'magic'; use 'grammar'"),
    ],
)
def test_any_other_name_is_refused(name, message):
    with pytest.raises(ConfigError, match=message):
        make_extractor(name)
