"""A run that cannot end well is refused before any work, or as soon as its aspects are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import RunConfig, make_config, make_run
from counterec.errors import ConfigError
from counterec.pipeline.check import SourceReport, check_run
from tests.cli.files import write
from tests.pipeline.test_source_check import config_for
from tests.pipeline.tiny import SETTINGS, Recorder, changed


class Listener(Recorder):
    """Remembers what the sources were said to hold."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[SourceReport] = []

    def checked(self, report: SourceReport) -> None:
        self.heard.append(report)


def checked(config: RunConfig, folder: Path) -> list[SourceReport]:
    """Check a run that is not there yet; return what the reporter heard."""
    listener = Listener()
    check_run(config, folder, listener)
    return listener.heard


class TestWhatIsNamed:
    def test_a_kept_aspect_that_is_not_there(self, tmp_path: Path) -> None:
        source, words = write(tmp_path, "mentions-csv"), tmp_path / "words.toml"
        limits = {"constraints": {"keep": ["colour"]}}
        with pytest.raises(ConfigError, match="there is no aspect 'colour'; there are battery, camera, price"):
            checked(config_for(source, explain=limits), tmp_path / "run")
        assert checked(config_for(source, explain={"constraints": {"keep": ["price"]}}), tmp_path / "run")
        words.write_text('aspects = ["sound"]')
        with pytest.raises(ConfigError, match="there is no aspect 'colour'; there are sound"):
            checked(
                config_for(write(tmp_path, "jsonl"), explain=limits, aspects={"words": str(words)}), tmp_path / "run"
            )

    def test_the_built_in_world_has_no_files(self) -> None:
        assert checked(make_config({"data": {"world": {}}}, "test"), Path("nowhere")) == []
        with pytest.raises(ConfigError, match="--k 1000: of 400 items, at most 393 compete for a list"):
            checked(make_config({"data": {"world": {}}, "lists": {"k": 1000}}, "test"), Path("nowhere"))


class TestAfterBuild:
    """What only the chosen aspects show is refused before the model is trained."""

    @pytest.mark.parametrize(
        ("limits", "message"),
        [
            ({"keep": ["batery"]}, "there is no aspect 'batery'; did you mean battery"),
            ({"costs": {"colour of money": 2.0}}, "there is no aspect 'colour of money'; there are "),
            ({"lowest": {"battery": 7.0}}, "battery at least 7: its scale is 1 to 5"),
        ],
    )
    def test_constraints_on_aspects(self, tmp_path: Path, limits: dict[str, object], message: str) -> None:
        explain = {**SETTINGS["explain"], "constraints": limits}
        recorder = Recorder()
        with pytest.raises(ConfigError, match=message):
            make_run(make_config(changed(SETTINGS, explain=explain), "test"), tmp_path / "run", recorder)
        assert recorder.made == ["read", "split", "extract", "build"]
        again = Recorder()
        make_run(make_config(SETTINGS, "test"), tmp_path / "run", again)
        assert again.skipped == recorder.made
