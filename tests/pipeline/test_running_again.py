"""A second run: skipped where nothing changed, rebuilt where something is missing, and nothing more."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from counterec import make_config, open_run
from counterec.errors import UnknownIdError
from counterec.pipeline.stages import run_stages_of
from tests.pipeline.tiny import EXPLAIN, MAKER, SETTINGS, STAGES, again, changed, contents

pytestmark = pytest.mark.slow


class TestSecondRun:
    def test_it_skips_everything_and_changes_nothing(self, own_run: Path) -> None:
        before, manifest = contents(own_run), (own_run / "manifest.json").read_bytes()
        recorder = again(own_run)
        assert recorder.made == []
        assert recorder.skipped == STAGES
        assert contents(own_run) == before
        assert (own_run / "manifest.json").read_bytes() == manifest

    @pytest.mark.parametrize("file", MAKER)
    def test_a_deleted_file_alone_is_rebuilt_to_the_byte(self, own_run: Path, file: str) -> None:
        before = contents(own_run)
        (own_run / file).unlink()
        recorder = again(own_run)
        assert recorder.made == [MAKER[file]]
        assert recorder.skipped == [stage for stage in STAGES if stage != MAKER[file]]
        assert contents(own_run) == before

    def test_all_deleted_but_the_manifest(self, own_run: Path) -> None:
        before = contents(own_run)
        for path in own_run.iterdir():
            if path.name != "manifest.json":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        assert again(own_run).made == STAGES
        assert contents(own_run) == before

    def test_another_folder_gets_the_same_bytes(self, tiny_run: Path, tmp_path: Path) -> None:
        again(tmp_path / "other")
        assert contents(tmp_path / "other") == contents(tiny_run)


class TestChangedSettings:
    @pytest.mark.parametrize(
        ("change", "made"),
        [
            ({"aspects": {"min_mentions": 6}}, ["build"]),  # the same aspects: the rest stays
            ({"lists": {"negatives": 7}}, []),  # of no account to protocol full
            ({"explain": {"methods": ["single"]}}, ["evaluate"]),
            ({"explain": {"relaxed": {"steps": 79}}}, ["explain relaxed-masked", "evaluate"]),
            ({"explain": {"margin_share": 0.01}}, [*EXPLAIN, "evaluate"]),
        ],
    )
    def test_only_what_depends_on_a_setting_is_made_again(self, own_run: Path, change, made) -> None:
        recorder = again(own_run, changed(SETTINGS, **change))
        # A stage made again with the same outcome ends the chain; so evaluation may be spared, but nothing else added.
        assert recorder.made in (made, [stage for stage in made if stage != "evaluate"])

    def test_the_weight_of_complexity_is_measured_anew_where_nothing_is_explained_anew(self, own_run: Path) -> None:
        single = changed(SETTINGS, explain={"methods": ["single"]})
        again(own_run, single)
        before = open_run(own_run).evaluation["explanations"]["single"]["counterfactual"]
        heavier = changed(single, explain={"relaxed": {"gamma": 3.0}})
        assert again(own_run, heavier).made == ["evaluate"]
        after = open_run(own_run).evaluation["explanations"]["single"]["counterfactual"]
        assert after["complexity"]["value"] == pytest.approx(before["complexity"]["value"] + 2)  # one aspect each

    def test_the_other_protocol_and_back(self, own_run: Path) -> None:
        before = contents(own_run)
        sampled = changed(SETTINGS, lists={"protocol": "sampled", "negatives": 20})
        assert again(own_run, sampled).made == ["candidates", "rank", *EXPLAIN, "evaluate"]
        assert set(contents(own_run)) == {*MAKER, "candidates.parquet"}
        assert list(open_run(own_run).manifest.stages).index("candidates") == STAGES.index("rank")
        again(own_run)
        assert contents(own_run) == before

    def test_files_of_methods_no_longer_asked_for_are_removed(self, own_run: Path) -> None:
        again(own_run, changed(SETTINGS, explain={"methods": ["relaxed-masked"]}))
        assert [path.name for path in (own_run / "explanations").iterdir()] == ["relaxed-masked.parquet"]
        with pytest.raises(UnknownIdError, match="no explanations by 'single'; there are relaxed-masked"):
            open_run(own_run).explanations("single")

    def test_a_changed_source_is_noticed_among_several_of_one_name(self, tmp_path: Path) -> None:
        for folder, users in (("a", "uv"), ("b", "wx")):
            (tmp_path / folder).mkdir()
            lines = [
                json.dumps({"user": user, "item": f"i{n}", "aspect": "ab"[n % 2], "sentiment": 1, "time": 14e8 + n})
                for user in users
                for n in range(12)
            ]
            (tmp_path / folder / "part.jsonl").write_text("\n".join(lines))
        sources = [tmp_path / "a" / "part.jsonl", tmp_path / "b" / "part.jsonl"]
        settings = changed(SETTINGS, data={"sources": sources, "world": None}, aspects={"min_mentions": 1})
        settings |= {"explain": {"methods": ["single"]}, "lists": {"k": 4}}
        assert again(tmp_path / "run", settings).made[0] == "read"
        assert again(tmp_path / "run", settings).made == []
        for source in sources:
            source.write_text(source.read_text().replace('"i0"', '"i99"'))
            assert "read" in again(tmp_path / "run", settings).made


def test_stages_read_only_what_is_on_their_left() -> None:
    for protocol in ("full", "sampled"):
        made: set[str] = set()
        for stage in run_stages_of(make_config(changed(SETTINGS, lists={"protocol": protocol}), "test")):
            assert set(stage.inputs) <= made, stage.name
            assert not made & set(stage.outputs), stage.name
            made |= set(stage.outputs)
