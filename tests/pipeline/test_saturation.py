"""Where Eq. 1 saturates: shares of praise by default, and a warning for those who insist."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from counterec.pipeline.config import AspectsConfig, make_config
from counterec.pipeline.engine import run_stages
from counterec.pipeline.folder import RunFolder
from counterec.pipeline.manifest import Manifest
from counterec.pipeline.saturation import SATURATED, rules_of
from counterec.pipeline.stages import run_stages_of
from tests.pipeline.tiny import Recorder


@pytest.mark.parametrize(
    ("quality", "attention", "by_eq1", "saturated"),
    [
        ("auto", "auto", ("eq1", "eq1"), ("share", "relative")),
        ("eq1", "auto", ("eq1", "eq1"), ("eq1", "relative")),
        ("share", "auto", ("share", "eq1"), ("share", "relative")),
        ("auto", "relative", ("eq1", "relative"), ("share", "relative")),
        ("eq1", "eq1", ("eq1", "eq1"), ("eq1", "eq1")),
    ],
)
def test_what_is_left_open_is_eq_1_until_it_saturates(quality, attention, by_eq1, saturated) -> None:
    settings = AspectsConfig(quality=quality, attention=attention)
    assert rules_of(settings, SATURATED - 0.01) == by_eq1
    assert rules_of(settings, SATURATED) == saturated


def built(tmp_path: Path, praises: int, **aspects: str) -> tuple[Recorder, dict]:
    """A run up to *build* in which twelve users say so many good things about each of two aspects of every item."""
    lines = [
        {"user": f"u{user}", "item": f"i{item:02d}", "aspect": aspect, "sentiment": 1, "time": 1_400_000_000 + item}
        for user in range(12)
        for item in range(12)
        for aspect in ("sound", "price")
        for _ in range(praises)
    ]
    source = tmp_path / "mentions.jsonl"
    source.write_text("\n".join(json.dumps(line) for line in lines))
    settings = {"data": {"sources": [str(source)], "format": "mentions"}, "aspects": {"merge": False, **aspects}}
    config, recorder = make_config(settings, "test"), Recorder()
    stages = [stage for stage in run_stages_of(config) if stage.name in ("read", "split", "build")]
    run_stages(tmp_path / "run", config.model_dump(mode="json"), stages, recorder)
    folder = RunFolder(tmp_path / "run", Manifest.load(tmp_path / "run"))
    return recorder, dict(folder.manifest.stages["build"].counts) | {"space": folder.space}


def test_well_praised_items_get_shares_of_praise(tmp_path: Path) -> None:
    recorder, counts = built(tmp_path, 3)
    assert (counts["share_at_the_top"], counts["quality"], counts["attention"]) == (1.0, "share", "relative")
    assert counts["space"].scale.shares is not None
    assert not [text for text in recorder.warnings if "Eq. 1" in text]


def test_who_asks_for_eq_1_is_warned(tmp_path: Path) -> None:
    recorder, counts = built(tmp_path, 3, quality="eq1", attention="eq1")
    assert (counts["quality"], counts["attention"]) == ("eq1", "eq1")
    assert counts["space"].scale.ladder is not None
    (warning,) = [text for text in recorder.warnings if "Eq. 1" in text]
    assert "100% of the values of well-reviewed items" in warning
