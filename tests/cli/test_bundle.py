"""``counterec bundle``: all that repeating a run needs, the same bytes every time, and no review text."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from counterec import load_config, make_config, make_run, open_run
from counterec.errors import StoreError
from counterec.pipeline.bundle import pack
from counterec.pipeline.manifest import Manifest
from tests.cli.files import OPINIONS, counterec, json_lines, mentions, reviews
from tests.pipeline.tiny import METHODS, SETTINGS, changed

pytestmark = pytest.mark.slow

WHOLE = {
    "README.txt",
    "tables.txt",
    "config.toml",
    "environment.json",
    "checksums.json",
    "evaluation.json",
    "split.parquet",
    "aspects.safetensors",
    "vocabulary.json",
    "model.safetensors",
    "model.json",
    "recommendations.parquet",
}


def bundled(run: Path, target: Path) -> dict[str, bytes]:
    """Pack a run; return the members of the bundle."""
    outcome = counterec("bundle", run, "--out", target)
    assert outcome.status == 0, outcome.err
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def readable(name: str, content: bytes) -> str:
    """Everything that can be read in a member: its bytes, and the values of a table, which may be packed in them."""
    raw = content.decode("utf-8", "replace")
    return raw + pl.read_parquet(io.BytesIO(content)).write_json() if name.endswith(".parquet") else raw


def sentences(run: Path) -> set[str]:
    """The phrases of all reviews, split at every punctuation mark."""
    texts = open_run(run).reviews["text"].drop_nulls()
    found = {part.strip() for text in texts for part in re.split(r"[.!?,;:\n]", text)}
    return {part for part in found if len(part.split()) > 2}


def test_what_is_in_it(tiny_run: Path, tmp_path: Path) -> None:
    members = bundled(tiny_run, tmp_path / "b.zip")
    assert set(members) == WHOLE | {f"explanations/{method}.parquet" for method in METHODS}
    for name in members.keys() - {"README.txt", "tables.txt", "config.toml", "environment.json", "checksums.json"}:
        assert members[name] == (tiny_run / name).read_bytes()
    for word in ("540", "NDCG@5", "fidelity", *METHODS):
        assert word in members["tables.txt"].decode()


class TestNoReviewText:
    def test_no_sentence(self, tiny_run: Path, finished: Path, tmp_path: Path) -> None:
        for run in (tiny_run, finished):
            written = sentences(run)
            assert len(written) > 5
            for name, content in bundled(run, tmp_path / "b.zip").items():
                text = readable(name, content)
                assert not [sentence for sentence in written if sentence in text], name

    def test_no_opinion(self, finished: Path, tmp_path: Path) -> None:
        opinions = set(open_run(finished).mentions["opinion"])
        assert opinions == {word for words in OPINIONS.values() for word in words}
        for name, content in bundled(finished, tmp_path / "b.zip").items():
            assert not opinions & set(re.findall(r"[a-z]+", readable(name, content).lower())), name

    def test_no_opinion_that_was_brought(self, tmp_path: Path, quickly) -> None:
        rows = [{**row, "opinion": f"zqx{number}"} for number, row in enumerate(mentions())]
        (tmp_path / "m.jsonl").write_bytes(json_lines(rows))
        assert quickly(tmp_path / "m.jsonl", "--quiet").status == 0
        assert "zqx0" in set(open_run(tmp_path / "run").mentions["opinion"])
        for name, content in bundled(tmp_path / "run", tmp_path / "b.zip").items():
            assert "zqx" not in readable(name, content), name

    def test_no_value_of_a_row_that_could_not_be_read(self, tmp_path: Path, quickly) -> None:
        """The manifest quotes such rows."""
        content = json_lines(reviews()) + b"\n{a broken row that somebody wrote\n"
        (tmp_path / "r.jsonl").write_bytes(content)
        assert quickly(tmp_path / "r.jsonl", "--quiet").status == 0
        assert "somebody wrote" in (tmp_path / "run" / "manifest.json").read_text()
        for name, member in bundled(tmp_path / "run", tmp_path / "b.zip").items():
            assert "somebody wrote" not in readable(name, member)

    def test_of_what_experiments_add_tables_and_plots_alone(self, own_run: Path, tmp_path: Path) -> None:
        manifest, folder = Manifest.load(own_run), own_run / "experiment" / "full"
        (folder / "figures").mkdir(parents=True)
        for name in ("claims.json", "table2.csv", "figures/2a.svg", "figures/2a.png", "page.html"):
            (folder / name).write_text(name)
            checksum = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            manifest.stages["evaluate"].outputs[f"experiment/full/{name}"] = checksum
        manifest.save(own_run)
        (folder / "written_by_no_stage.json").write_text("{}")
        open_run(own_run).split.write_parquet(folder / "written_by_no_stage.parquet")
        (own_run / "explanations" / "evidence.json").write_text("{}")
        (own_run / "report.html").write_text("with sentences")
        added = set(bundled(own_run, tmp_path / "b.zip")) - WHOLE
        assert {name for name in added if name.startswith("experiment/")} == {
            f"experiment/full/{name}" for name in ("claims.json", "table2.csv", "figures/2a.svg", "figures/2a.png")
        }
        assert {name for name in added if not name.startswith("experiment/")} == {
            f"explanations/{method}.parquet" for method in METHODS
        }

    def test_of_the_tables_of_stages_those_without_text_alone(self, own_run: Path, tmp_path: Path) -> None:
        """A future stage may write anything into its folder; tables with a text column are left out."""
        manifest, folder = Manifest.load(own_run), own_run / "experiment"
        folder.mkdir()
        pl.DataFrame({"user_id": ["a"], "f1": [1.0]}).write_parquet(folder / "rows.parquet")
        pl.DataFrame({"user_id": ["a"], "text": ["Great sound."]}).write_parquet(folder / "spoken.parquet")
        record = manifest.stages["evaluate"]
        for file in ("experiment/rows.parquet", "experiment/spoken.parquet"):
            record.outputs[file] = hashlib.sha256((own_run / file).read_bytes()).hexdigest()
        manifest.save(own_run)
        members = bundled(own_run, tmp_path / "b.zip")
        assert "experiment/rows.parquet" in members
        assert "experiment/spoken.parquet" not in members


def test_no_path_of_this_machine(finished: Path, tmp_path: Path) -> None:
    """Neither of the run, nor of its sources, nor of what made it."""
    root = Path(__file__).parent.parent.parent
    config = open_run(finished).config
    assert config.data.items
    places = {finished, tmp_path, Path.home(), root, config.data.sources[0].parent, config.data.items.parent}
    for name, content in bundled(finished, tmp_path / "b.zip").items():
        text = readable(name, content)
        assert not [place for place in places if str(place) in text], name


class TestTheSameBytes:
    def test_twice(self, finished: Path, tmp_path: Path) -> None:
        one, other = tmp_path / "one.zip", tmp_path / "other.zip"
        bundled(finished, one)
        bundled(finished, other)
        assert one.read_bytes() == other.read_bytes()

    def test_of_a_run_that_was_repeated_from_it(self, tiny_run: Path, tmp_path: Path) -> None:
        members = bundled(tiny_run, tmp_path / "one.zip")
        (tmp_path / "config.toml").write_bytes(members["config.toml"])
        make_run(load_config(tmp_path / "config.toml"), tmp_path / "again")
        bundled(tmp_path / "again", tmp_path / "other.zip")
        assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


class TestRepeating:
    def test_the_config_is_that_of_the_run(self, finished: Path, tmp_path: Path) -> None:
        settings = tomllib.loads(bundled(finished, tmp_path / "b.zip")["config.toml"].decode())
        config = open_run(finished).config
        assert settings["data"]["sources"] == [config.data.sources[0].name]
        assert settings["data"]["items"] == "names.csv"
        wanted = config.model_dump(mode="json")
        wanted["data"] |= {"sources": settings["data"]["sources"], "items": "names.csv"}
        assert make_config(settings, "bundle") == make_config(wanted, "run")

    def test_the_page_names_the_files_it_takes(self, finished: Path, source: Path, tmp_path: Path) -> None:
        page = bundled(finished, tmp_path / "b.zip")["README.txt"].decode()
        checksum = hashlib.sha256(source.read_bytes()).hexdigest()
        assert f"{source.name}  sha256 {checksum}" in page
        assert "names.csv  sha256 " in page
        assert "counterec run config.toml" in page

    def test_files_of_one_name_are_told_apart(self, tmp_path: Path, quickly) -> None:
        rows = reviews()
        for name, part in (("a", rows[:33]), ("b", rows[33:])):
            (tmp_path / name).mkdir()
            (tmp_path / name / "r.jsonl").write_bytes(json_lines(part))
        assert quickly(tmp_path / "a" / "r.jsonl", tmp_path / "b" / "r.jsonl", "--quiet").status == 0
        members = bundled(tmp_path / "run", tmp_path / "b.zip")
        assert tomllib.loads(members["config.toml"].decode())["data"]["sources"] == ["1/r.jsonl", "2/r.jsonl"]
        assert "2/r.jsonl  sha256 " in members["README.txt"].decode()

    def test_words_of_one_s_own_come_with_it_while_they_are_as_they_were(self, tmp_path: Path, quickly, source) -> None:
        words = tmp_path / "mine.toml"
        words.write_text('forbidden = ["camera"]\n')
        assert quickly(source, "--aspects", words, "--quiet").status == 0
        members = bundled(tmp_path / "run", tmp_path / "b.zip")
        assert tomllib.loads(members["config.toml"].decode())["aspects"]["words"] == "mine.toml"
        assert members["mine.toml"] == words.read_bytes()
        words.write_text('forbidden = ["screen"]\n')
        members = bundled(tmp_path / "run", tmp_path / "b.zip")
        assert "mine.toml" not in members
        assert "mine.toml  sha256 " in members["README.txt"].decode()

    def test_the_page_names_the_address_of_a_published_dataset(self, tmp_path: Path, quickly, source) -> None:
        config = tmp_path / "quick.toml"
        assert quickly(source, "--quiet").status == 0
        config.write_text(config.read_text() + '[dataset]\nname = "Mine"\npage = "https://a.org/data"\n')
        assert counterec("run", config, "--out", tmp_path / "run", "--quiet").status == 0
        assert "https://a.org/data (Mine)" in bundled(tmp_path / "run", tmp_path / "b.zip")["README.txt"].decode()

    def test_the_environment_is_what_computed_it(self, tiny_run: Path, tmp_path: Path) -> None:
        environment = json.loads(bundled(tiny_run, tmp_path / "b.zip")["environment.json"])
        assert environment == json.loads((tiny_run / "manifest.json").read_text())["versions"]
        assert {"counterec", "python", "platform", "torch", "numpy", "polars", "pydantic"} <= set(environment)

    def test_checksums_of_every_file_packed_or_not(self, tiny_run: Path, tmp_path: Path) -> None:
        members = bundled(tiny_run, tmp_path / "b.zip")
        found = json.loads(members.pop("checksums.json"))
        assert found["bundle"] == {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
        stages = json.loads((tiny_run / "manifest.json").read_text())["stages"]
        assert found["run"] == {
            name: {"inputs": stage["inputs"], "outputs": stage["outputs"]} for name, stage in stages.items()
        }
        assert "reviews.parquet" in found["run"]["read"]["outputs"]


class TestCalling:
    def test_beside_the_run_by_default(self, own_run: Path) -> None:
        outcome = counterec("bundle", own_run)
        assert outcome.status == 0
        assert outcome.err == ""
        assert str(own_run.with_name("run.zip")) in outcome.out
        assert own_run.with_name("run.zip").is_file()
        assert not own_run.with_name(".run.zip.partial").exists()

    def test_json(self, tiny_run: Path, tmp_path: Path) -> None:
        target = tmp_path / "b.zip"
        found = counterec("bundle", tiny_run, "--out", target, "--json").json
        assert found["file"] == str(target)
        assert found["sha256"] == hashlib.sha256(target.read_bytes()).hexdigest()
        assert set(found["names"]) >= WHOLE

    def test_no_run(self, tmp_path: Path) -> None:
        for folder in (tmp_path, tmp_path / "none"):
            outcome = counterec("bundle", folder, "--out", tmp_path / "b.zip")
            assert outcome.status == 1
            assert f"{folder}: not a run folder" in outcome.error
        assert not (tmp_path / "b.zip").exists()

    def test_a_run_that_did_not_come_to_its_end(self, own_run: Path, tmp_path: Path, monkeypatch) -> None:
        monkeypatch.setattr("counterec.pipeline.stages.evaluate.write_json", _stopped)
        with pytest.raises(KeyboardInterrupt):
            make_run(make_config(changed(SETTINGS, lists={"k": 4}), "test"), own_run)
        outcome = counterec("bundle", own_run, "--out", tmp_path / "b.zip")
        assert outcome.status == 1
        assert "the last run was cut short; run it again" in outcome.error
        assert not (tmp_path / "b.zip").exists()

    def test_a_first_run_that_did_not_come_to_its_end(self, own_run: Path, tmp_path: Path) -> None:
        """No record lists the missing files, so only ``unfinished`` can tell."""
        run = open_run(own_run)
        stages = {name: record for name, record in run.manifest.stages.items() if name != "evaluate"}
        cut = replace(run.manifest, stages=stages, unfinished=("evaluate",))
        with pytest.raises(StoreError, match="the last run was cut short; run it again before packing it"):
            pack(own_run, cut, run.config, {}, tmp_path / "b.zip")
        assert not (tmp_path / "b.zip").exists()

    def test_a_file_that_was_changed(self, own_run: Path, tmp_path: Path) -> None:
        with (own_run / "model.json").open("a") as file:
            file.write(" ")
        outcome = counterec("bundle", own_run, "--out", tmp_path / "b.zip")
        assert outcome.status == 1
        assert "model.json: changed since it was written" in outcome.error

    def test_another_kind_of_file(self, tiny_run: Path, tmp_path: Path) -> None:
        outcome = counterec("bundle", tiny_run, "--out", tmp_path / "b.tar")
        assert outcome.status == 2
        assert "name a .zip file" in outcome.error

    def test_a_place_that_cannot_be_written(self, tiny_run: Path, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        outcome = counterec("bundle", tiny_run, "--out", tmp_path / "file" / "b.zip")
        assert outcome.status == 1
        assert "cannot be written" in outcome.error


def _stopped(*_: object) -> None:
    raise KeyboardInterrupt
