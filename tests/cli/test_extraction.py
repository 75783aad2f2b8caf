"""``counterec extract``, ``evidence`` and ``aspects``: from a number back to the words behind it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from counterec import open_run
from counterec.data.tables import MENTIONS
from tests.cli.files import counterec, json_lines, reviews, write


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_bytes(json_lines(rows))
    return path


@pytest.fixture
def words(tmp_path: Path) -> Path:
    return written(tmp_path / "r.json", reviews())


class TestExtract:
    def test_writes_a_table_of_mentions_with_their_sentences(self, words: Path, tmp_path: Path) -> None:
        target = tmp_path / "m.parquet"
        found = counterec("extract", words, "-o", target, "--json").json
        table = pl.read_parquet(target)
        assert dict(table.schema) == dict(MENTIONS)
        assert found == {"mentions": len(table), "aspects": table["aspect"].n_unique(), "file": str(target)}
        assert set(table["aspect"]) == {"battery", "screen", "camera", "price"}
        texts = [row["text"] for row in reviews()]
        for row in table.iter_rows(named=True):
            text = texts[row["review"]]
            sentence = text[row["sentence_start"] : row["sentence_end"]]
            assert sentence == f"The {row['aspect']} is {row['opinion']}"
            assert text[row["start"] : row["end"]] == row["aspect"]

    def test_the_merge_table_lies_beside(self, words: Path, tmp_path: Path) -> None:
        counterec("extract", words, "-o", tmp_path / "m.parquet", "-q")
        assert "merged" in json.loads((tmp_path / "m.learned.json").read_text())

    def test_again_gives_the_same_bytes_in_any_number_of_processes(self, words: Path, tmp_path: Path) -> None:
        files = [tmp_path / f"{number}.parquet" for number in range(3)]
        for file, processes in zip(files, (1, 1, 2), strict=True):
            assert counterec("extract", words, "-o", file, "--processes", processes).status == 0
        first, *others = [file.read_bytes() for file in files]
        assert others == [first, first]

    def test_the_order_of_reviews_does_not_matter(self, tmp_path: Path) -> None:
        columns = ["user_id", "item_id", "aspect", "opinion", "sentiment", "start"]
        tables = []
        for name, rows in (("a", reviews()), ("b", reviews()[::-1])):
            counterec("extract", written(tmp_path / f"{name}.json", rows), "-o", tmp_path / f"{name}.parquet")
            tables.append(pl.read_parquet(tmp_path / f"{name}.parquet").select(columns).sort(columns))
        assert tables[0].equals(tables[1])

    def test_words_of_ones_own(self, words: Path, tmp_path: Path) -> None:
        own = tmp_path / "words.toml"
        own.write_text('aspects = ["display", "price"]\n[synonyms]\ndisplay = ["screen"]\n')
        counterec("extract", words, "-o", tmp_path / "m.parquet", "--aspects", own)
        assert set(pl.read_parquet(tmp_path / "m.parquet")["aspect"]) == {"display", "price"}

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("--extractor", "simple"), "the extractor 'simple' was removed; use 'grammar'"),
            (("--extractor", "magic"), "unknown extractor 'magic'; use 'grammar'"),
            (("-o", "m.csv"), "name a .parquet file"),
            (("--aspects", "none.toml"), "none.toml: cannot be read"),
        ],
    )
    def test_what_is_wrong(self, words: Path, tmp_path: Path, args: tuple[str, ...], message: str) -> None:
        outcome = counterec("extract", words, "-o", tmp_path / "m.parquet", *args)
        assert outcome.status == 2
        assert message in outcome.err

    def test_texts_without_an_opinion(self, tmp_path: Path) -> None:
        rows = [{**row, "text": "It came on Monday."} for row in reviews()]
        outcome = counterec("extract", written(tmp_path / "r.json", rows), "-o", tmp_path / "m.parquet")
        assert outcome.status == 1
        assert "no opinion on any aspect was found" in outcome.err


class TestEvidence:
    def test_the_sentences_behind_an_item(self, finished: Path) -> None:
        run = open_run(finished)
        row = run.mentions.row(0, named=True)
        outcome = counterec("evidence", finished, "--item", row["item_id"], "--aspect", row["aspect"], "--json")
        found = outcome.json
        column, item = run.space.aspects.number(row["aspect"]), run.space.items.number(row["item_id"])
        assert found["value"] == pytest.approx(float(run.space.item_quality[item, column]))
        wanted = run.mentions.filter(pl.col("item_id") == row["item_id"], pl.col("aspect") == row["aspect"])
        assert len(found["mentions"]) == len(wanted)
        assert {mention["item_id"] for mention in found["mentions"]} == {row["item_id"]}

    def test_a_person_reads_the_words(self, words: Path, quickly, tmp_path: Path) -> None:
        assert quickly(words).status == 0
        row = open_run(tmp_path / "run").mentions.row(0, named=True)
        outcome = counterec("evidence", tmp_path / "run", "--user", row["user_id"], "--aspect", row["aspect"])
        assert outcome.status == 0
        assert f"The {row['aspect']} is {row['opinion']}" in outcome.out
        assert f"{row['user_id']}'s attention to {row['aspect']}: " in outcome.out

    def test_mentions_of_held_out_reviews_are_said_not_to_count(self, words: Path, quickly, tmp_path: Path) -> None:
        quickly(words)
        outcome = counterec("evidence", tmp_path / "run", "--user", "u00", "--aspect", "battery")
        assert "(test: not counted)" in outcome.out

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("--aspect", "battery"), "one of the two"),
            (("--aspect", "battery", "--user", "u00", "--item", "i00"), "one of the two"),
            (("--aspect", "magic", "--user", "u00"), "'magic': no such aspect is mentioned"),
            (("--aspect", "batter", "--user", "u00"), "did you mean battery?"),
            (("--aspect", "battery", "--user", "nobody"), "'nobody': no such user is mentioned"),
        ],
    )
    def test_what_is_wrong(self, finished: Path, args: tuple[str, ...], message: str) -> None:
        outcome = counterec("evidence", finished, *args)
        assert outcome.status == 2
        assert message in outcome.err


class TestAspects:
    def test_counts_shares_and_examples(self, words: Path, quickly, tmp_path: Path) -> None:
        quickly(words)
        run = open_run(tmp_path / "run")
        found = counterec("aspects", tmp_path / "run", "--json").json["aspects"]
        training = run.mentions.join(run.split.filter(pl.col("part") == "train"), on=["user_id", "item_id"], how="semi")
        for row in found:
            of_aspect = training.filter(pl.col("aspect") == row["aspect"])
            assert row["mentions"] == len(of_aspect)
            assert row["positive"] == pytest.approx((of_aspect["sentiment"] > 0).mean())
            assert 1 <= len(row["examples"]) <= 3
            assert all(row["aspect"] in example for example in row["examples"])
        assert [row["mentions"] for row in found] == sorted((row["mentions"] for row in found), reverse=True)
        assert {row["aspect"] for row in found} == set(run.space.aspects.texts)

    def test_table(self, words: Path, quickly, tmp_path: Path) -> None:
        quickly(words)
        outcome = counterec("aspects", tmp_path / "run", "--most", 1)
        assert outcome.status == 0
        assert "positive" in outcome.out
        assert sum(aspect in outcome.out for aspect in ("battery is", "screen is", "camera is", "price is")) == 1

    def test_the_names_merged_into_an_aspect(self, quickly, tmp_path: Path) -> None:
        words = ("bright", "sharp", "dim", "crisp", "vivid", "blurry", "glossy", "cracked", "huge", "clear")
        told = " ".join(f"The screen is {word}. A {word} screen. The display is {word}." for word in words)
        told += " ".join(f" The strap is {word}." for word in ("soft", "comfortable", "loose", "tight", "durable") * 9)
        rows = [{**row, "text": f"{row['text']} {told}"} for row in reviews()]
        assert quickly(written(tmp_path / "alike.json", rows), "--near-synonyms").status == 0
        found = counterec("aspects", tmp_path / "run", "--json").json["aspects"]
        merged = {row["aspect"]: row["merged"] for row in found}
        assert merged["screen"] == ["display"]
        assert "display" not in merged
        assert "screen (display)" in counterec("aspects", tmp_path / "run").out

    def test_mentions_that_were_brought_have_no_other_names(self, quickly, tmp_path: Path) -> None:
        quickly(write(tmp_path, "mentions-csv"))
        found = counterec("aspects", tmp_path / "run", "--json").json["aspects"]
        assert {tuple(row["merged"]) for row in found} == {()}
