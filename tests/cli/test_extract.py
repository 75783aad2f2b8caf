"""``counterec extract``: from reviews to a file of mentions."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from counterec.data.tables import MENTIONS
from tests.cli.files import counterec, reviews, write_rows


@pytest.fixture
def words(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "r.json", reviews())


def test_writes_a_table_of_mentions_with_their_sentences(words: Path, tmp_path: Path) -> None:
    target = tmp_path / "m.parquet"
    outcome = counterec("extract", words, "-o", target)
    table = pl.read_parquet(target)
    assert dict(table.schema) == dict(MENTIONS)
    assert outcome.text == f"{len(table)} mentions of {table['aspect'].n_unique()} aspects written to {target}"
    assert set(table["aspect"]) == {"battery", "screen", "camera", "price"}
    texts = [row["text"] for row in reviews()]
    for row in table.iter_rows(named=True):
        text = texts[row["review"]]
        sentence = text[row["sentence_start"] : row["sentence_end"]]
        assert sentence == f"The {row['aspect']} is {row['opinion']}"
        assert text[row["start"] : row["end"]] == row["aspect"]


def test_again_gives_the_same_bytes_in_any_number_of_processes(words: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.parquet" for number in range(3)]
    for file, processes in zip(files, (1, 1, 2), strict=True):
        assert counterec("extract", words, "-o", file, "--processes", processes).status == 0
    first, *others = [file.read_bytes() for file in files]
    assert others == [first, first]


def test_words_of_ones_own(words: Path, tmp_path: Path) -> None:
    own = tmp_path / "words.toml"
    own.write_text('aspects = ["display", "price"]\n[synonyms]\ndisplay = ["screen"]\n')
    counterec("extract", words, "-o", tmp_path / "m.parquet", "--aspects", own)
    assert set(pl.read_parquet(tmp_path / "m.parquet")["aspect"]) == {"display", "price"}


def test_texts_without_an_opinion(tmp_path: Path) -> None:
    rows = [{**row, "text": "It came on Monday."} for row in reviews()]
    outcome = counterec("extract", write_rows(tmp_path / "r.json", rows), "-o", tmp_path / "m.parquet")
    assert outcome.status == 1
    assert "no opinion on any aspect was found" in outcome.err
