"""``counterec doctor``."""

from __future__ import annotations

import platform

import pytest

from counterec import __version__
from counterec.cli import doctor
from tests.cli.files import counterec


def test_what_a_bug_report_needs() -> None:
    outcome = counterec("doctor")
    assert (outcome.status, outcome.err) == (0, "")
    said = dict(line.split(": ", 1) for line in outcome.out.splitlines())
    assert said["counterec"] == __version__
    assert said["python"] == platform.python_version()
    assert said.keys() >= {"torch", "numpy", "polars", "device", "threads", "memory", "extra report", "extra baselines"}
    assert "hybrid" in said["models"]


def test_the_same_for_machines() -> None:
    found = counterec("doctor", "--json").json
    assert found["versions"]["counterec"] == __version__
    assert isinstance(found["device"]["cuda"], bool)
    assert found["threads"]["cores"] >= 1
    assert set(found["extras"]) == set(doctor.EXTRAS)
    assert counterec("doctor", "-q").out == ""


def test_a_part_that_is_not_there_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.EXTRAS, "baselines", ("no_such_module",))
    assert "extra baselines: not installed; pip install 'counterec[baselines]'" in counterec("doctor").out


def test_every_extra_of_the_package_is_known() -> None:
    from importlib.metadata import metadata

    extras = set(metadata("counterec").get_all("Provides-Extra") or ())
    assert extras - {"dev"} == set(doctor.EXTRAS)
