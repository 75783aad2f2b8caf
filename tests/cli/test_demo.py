"""``counterec demo``: the whole pipeline on the built-in world."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec.pipeline import config as config_module
from tests.cli.files import counterec
from tests.pipeline.tiny import SETTINGS


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the demo take a smaller world: it has no option for that."""
    make = config_module.make_config

    def smaller(settings, origin):
        if origin == "demo":
            assert settings["data"] == {"world": {}}
            settings = SETTINGS
        return make(settings, origin)

    monkeypatch.setattr(config_module, "make_config", smaller)


def test_everything_in_one_go(tmp_path: Path) -> None:
    outcome = counterec("demo", "--out", tmp_path / "demo")
    assert outcome.status == 0, outcome.err
    assert outcome.text.count(" would not be recommended.") == 5
    assert outcome.text.count("To U") == 5
    for word in ("Data", "Lists", "Explanations", "recommender", "popularity", "fidelity", "PS"):
        assert word in outcome.out
    written = tmp_path / "demo" / "report.html"
    assert f"The run is in {tmp_path / 'demo'}\n" in outcome.out
    assert outcome.out.rstrip().endswith(f"The report is in {written}")
    assert written.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "demo" / "evaluation.json").exists()
