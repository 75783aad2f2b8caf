"""``counterec run``: every format, the options, and the two output streams."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import polars as pl
import pytest

from counterec import load_config, make_config, make_run, open_run
from counterec.data.source import is_mentions
from counterec.errors import ConfigError
from counterec.pipeline import check
from tests.cli.files import FORMATS, counterec, mentions, reviews, write

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("kind", FORMATS)
def test_every_format(tmp_path: Path, plainly, quickly, kind: str, packed: bool) -> None:
    """Plain files with their format named, compressed ones with it guessed; all hold the same reviews."""
    path, format_ = write(tmp_path, kind, packed), FORMATS[kind][1]
    outcome = quickly(path, "--json") if packed else plainly(path, "--format", format_, "--json")
    assert outcome.status == 0, outcome.err
    statistics = outcome.json["statistics"]
    assert (statistics["users"], statistics["reviews"], statistics["aspects"]) == (6, 66, 4)
    run, expected = open_run(tmp_path / "run"), pl.DataFrame(reviews())
    found = run.reviews.with_columns(pl.col("time").dt.epoch("s"))
    if format_ == "fact":
        numbers = pl.col("user", "item").str.slice(1).cast(pl.Int64).cast(pl.String)
        assert sorted(found.select("user_id", "item_id").rows()) == sorted(expected.select(numbers).rows())
    else:
        triples = expected.select("user", "item", "time").rows()
        assert sorted(found.select("user_id", "item_id", "time").rows()) == sorted(triples)
        assert run.manifest.stages["split"].counts["order"] == "time"
    if is_mentions(format_):
        signs = [mention["sentiment"] for mention in mentions()]
        assert sorted(run.mentions["sentiment"]) == sorted(signs)
    else:
        assert sorted(found["text"]) == sorted(expected["text"].str.strip_chars())


def test_results_on_one_stream_and_progress_on_the_other(source: Path, plainly) -> None:
    outcome = plainly(source)
    assert outcome.status == 0
    assert "Data" in outcome.out
    assert "protocol full" in outcome.text
    for word in ("NDCG@5", "popularity", "fidelity", "PN", "F_NS", "precision"):
        assert word in outcome.out
    assert outcome.text.count("would not be recommended.") >= 1
    assert "The run is in" in outcome.out
    assert re.search(r"^✓ 1/\d+ read · ", outcome.err, re.MULTILINE)
    assert "✓" not in outcome.out
    again = plainly(source)
    assert again.err.count("unchanged") == again.err.count("✓") > 5
    assert again.out == outcome.out


def test_quiet_says_where_the_run_is_and_nothing_else(source: Path, plainly, tmp_path: Path) -> None:
    outcome = plainly(source, "--quiet")
    assert outcome.out == f"{tmp_path / 'run'}\n"
    assert all(line.startswith("warning: ") for line in outcome.err.splitlines())


def test_options_reach_the_run(source: Path, plainly, tmp_path: Path) -> None:
    outcome = plainly(
        *(source, "--protocol", "sampled", "--k", 2, "--seed", 7, "--min-user-reviews", 11, "--quiet"),
    )
    assert outcome.status == 0, outcome.err
    config = open_run(tmp_path / "run").config
    assert (config.lists.protocol, config.lists.k, config.seed) == ("sampled", 2, 7)
    assert config.data.min_user_reviews == 11
    assert (tmp_path / "run" / "candidates.parquet").exists()
    assert set(open_run(tmp_path / "run").split["part"]) == {"train", "validation", "test"}


def test_a_list_longer_than_the_catalogue(source: Path, quickly, tmp_path: Path, monkeypatch) -> None:
    outcome = quickly(source, "--k", 50, "--quiet")
    assert outcome.status == 2
    assert "--k 50: of 16 items, at most 10 compete for a list" in outcome.error
    settings = load_config(tmp_path / "quick.toml").model_dump(mode="json")
    config = make_config({**settings, "lists": {"k": 50}}, "test")
    with pytest.raises(ConfigError, match="--k 50: of 16 items, at most 10 compete for a list"):
        make_run(config, tmp_path / "run")
    monkeypatch.setattr(check, "check_settings", lambda *_: None)  # as it was before: what there is can be shown
    make_run(config, tmp_path / "run")
    assert set(open_run(tmp_path / "run").explanations_table("single")["status"]) == {"no_target"}
    assert "too little else to recommend" in counterec("show", tmp_path / "run").text


def test_default_folders_of_different_files_do_not_mix(source: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reviews.jsonl").write_bytes(source.read_bytes())
    (tmp_path / "reviews.json").write_bytes(source.read_bytes())
    assert counterec("run", "reviews.jsonl", "--model", "net", "--epochs", 1, "--quiet").status == 0
    outcome = counterec("run", "reviews.json", "--model", "net", "--epochs", 1, "--quiet")
    assert outcome.status == 2
    assert "runs/reviews holds a run on other files; choose a folder with --out" in outcome.error


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such file name")
def test_a_file_name_that_is_no_utf8(source: Path, tmp_path: Path, plainly) -> None:
    odd = tmp_path / "caf\udce9.jsonl"
    odd.write_bytes(source.read_bytes())
    for _ in range(2):
        assert plainly(odd, "--quiet").status == 0
    assert open_run(tmp_path / "run").config.data.sources == (odd,)


class TestConfigFile:
    TOML = """
        seed = 3
        [data]
        sources = ["reviews.json"]
        items = "names.csv"
        [training]
        hidden = [8, 4]
        epochs = 1
        [lists]
        k = 2
        [explain]
        methods = ["single"]
    """

    @pytest.fixture
    def config(self, tmp_path: Path) -> Path:
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        write(folder, "amazon-2014")
        (folder / "names.csv").write_text("id,name\ni00,Phone Zero\n")
        (folder / "run.toml").write_text(self.TOML)
        return folder / "run.toml"

    def test_paths_are_relative_to_the_file(self, config: Path, tmp_path: Path) -> None:
        outcome = counterec("run", config, "--out", tmp_path / "run", "--quiet")
        assert outcome.status == 0, outcome.err
        run = open_run(tmp_path / "run")
        assert (run.config.seed, run.config.lists.k, run.methods) == (3, 2, ("single",))
        assert run.item_names == {"i00": "Phone Zero"}

    def test_options_override_it(self, config: Path, tmp_path: Path) -> None:
        outcome = counterec("run", config, "--k", 3, "--seed", 4, "--out", tmp_path / "run", "--quiet")
        assert outcome.status == 0, outcome.err
        settings = open_run(tmp_path / "run").config
        assert (settings.seed, settings.lists.k, settings.training.hidden) == (4, 3, (8, 4))


@pytest.mark.parametrize(
    "args", [[], ["frob"], ["run"], ["run", "x", "--nope"], ["run", "x", "--k", "many"], ["stats"], ["demo", "x"]]
)
def test_what_cannot_be_parsed_is_usage_too(args: list[str]) -> None:
    outcome = counterec(*args)
    assert outcome.status == 2
    assert outcome.out == ""
    assert "Usage: counterec" in outcome.err


def test_force_runs_stages_again_that_are_up_to_date(tmp_path: Path, quickly) -> None:
    source = write(tmp_path, "jsonl")
    assert quickly(source).status == 0
    stages = quickly(source).err.count("unchanged")
    assert stages > 5
    one = quickly(source, "--force", "rank")
    assert one.err.count("unchanged") == stages - 1
    assert re.search(r"rank · [\d.]+ s", one.err)
    everything = quickly(source, "--force")
    assert everything.status == 0
    assert (everything.err.count("✓"), everything.err.count("unchanged")) == (stages, 0)
    unknown = quickly(source, "--force", "cook")
    assert unknown.status == 2
    assert "--force cook: no such stage; one of read, split" in unknown.error
