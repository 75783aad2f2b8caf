"""The sentences behind a number, where there are any."""

from __future__ import annotations

import polars as pl

from counterec.data.tables import MENTIONS, REVIEWS
from counterec.pipeline.evidence import evidence, vocabulary

SPLIT = pl.DataFrame({"user_id": ["u", "u"], "item_id": ["i", "j"], "part": ["train", "test"]})


def mention(item, aspect, sentiment, review, start, end, sentence):
    return ("u", item, None, aspect, "good", sentiment, review, 0, start, end, *sentence)


def frames(texts, rows):
    reviews = pl.DataFrame(
        [("u", "ij"[n], None, None, text) for n, text in enumerate(texts)], dict(REVIEWS), orient="row"
    )
    return pl.DataFrame(rows, dict(MENTIONS), orient="row"), reviews


def test_a_sentence_is_cut_by_characters_not_bytes():
    text = "Schön 😀. The sound is good."
    rows = [mention("i", "sound", 1, 0, 13, 18, (9, 26))]
    found = evidence(*frames([text, ""], rows), SPLIT)
    assert found["words"].to_list() == ["The sound is good"]
    assert found["part"].to_list() == ["train"]


def test_mentions_without_a_text_have_no_words():
    rows = [mention("i", "sound", 1, None, None, None, (None, None))]
    mentions, reviews = frames([None, None], rows)
    assert evidence(mentions, reviews, SPLIT)["words"].to_list() == [None]
    assert vocabulary(mentions, reviews, SPLIT)["examples"].to_list() == [None]


def test_the_vocabulary_counts_the_training_part_alone():
    text = "The sound is good."
    rows = [mention("i", "sound", 1, 0, 4, 9, (0, 17)), mention("j", "sound", -1, 1, 4, 9, (0, 17))]
    (row,) = vocabulary(*frames([text, text], rows), SPLIT).to_dicts()
    assert row == {"aspect": "sound", "mentions": 1, "positive": 1.0, "examples": ["The sound is good"]}
