"""The measurement of scale: its worlds, its page, its growth and its arithmetic."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from benchmarks.generated_text import aspect_nouns, write_reviews
from benchmarks.pages import page_of, sections_of, with_section
from benchmarks.scale import (
    HEADING,
    PAGE,
    SHARES,
    SMALL,
    Measured,
    doubled,
    growth_table,
    is_of_another_goal,
    shared,
    sizes_table,
)
from benchmarks.scale_estimate import MEASURED, Catalogue, UnitCost, core_hours, estimate, gigabytes, unit_costs
from benchmarks.stage_costs import SETTINGS, StageCost, make_stage, tree_mebibytes

from counterec.extraction.extractor import GrammarExtractor
from counterec.pipeline.files import write_json
from counterec.synthetic.world import CDS, YELP, WorldSize, synthetic_world
from tests.pipeline.tiny import contents

ROOT = Path(__file__).parents[1]
TINY = WorldSize(users=12, items=60, aspects=8)
SECTION = """2 processes; load average at the end 0.1.

Generated: 10 users, 20 items, 5 aspects, 400 reviews, 700 mentions, 3,000 sentences. The run has 9 users, 20 items
and 5 aspects.

| stage | seconds | peak MiB | load average before |
|---|---|---|---|
| read | 0.5 | 300 | 0.1 |
| extract | 1.5 | 300 | 0.1 |
| build | 0.2 | 300 | 0.1 |
| fit | 4.0 | 300 | 0.1 |
| rank | 1,800.0 | 300 | 0.1 |
| explain minimal | 9.0 | 300 | 0.1 |
| evaluate | 3.0 | 300 | 0.1 |
"""


class TestGeneratedText:
    def test_a_review_says_its_mentions_and_nothing_else(self, tmp_path: Path) -> None:
        world = synthetic_world(TINY, 0)
        sentences = write_reviews(world, tmp_path / "reviews.jsonl", plain_sentences=2.0)
        rows = pl.read_ndjson(tmp_path / "reviews.jsonl")
        assert len(rows) == TINY.reviews
        assert sentences == sum(text.count(".") + text.count("!") + text.count("?") for text in rows["text"])
        said = [[] for _ in range(TINY.reviews)]
        names = aspect_nouns(TINY.aspects)
        for row, aspect, sign in zip(
            world.mentions.interactions, world.mentions.aspects, world.mentions.sentiments, strict=True
        ):
            said[row].append((names[aspect], sign))
        found = GrammarExtractor().extract(rows["text"].to_list())
        assert [sorted((one.aspect, one.sentiment) for one in each) for each in found] == [
            sorted(each) for each in said
        ]

    def test_names_are_different_and_enough_for_the_largest_size(self) -> None:
        assert len(set(aspect_nouns(CDS.aspects))) == CDS.aspects
        with pytest.raises(ValueError, match="not for 10,000,000"):
            aspect_nouns(10_000_000)


class TestSizes:
    def test_the_paper_s(self) -> None:
        assert (YELP.users, YELP.items, YELP.reviews, YELP.aspects) == (11_863, 20_181, 497_252, 106)
        assert (CDS.users, CDS.items, CDS.reviews, CDS.aspects) == (8_119, 52_193, 245_391, 230)

    def test_a_share_has_the_reviews_of_each_user(self) -> None:
        tenth = shared(YELP, 0.1)
        assert (tenth.users, tenth.items, tenth.mean_reviews) == (1_186, 2_018, YELP.mean_reviews)

    def test_one_number_is_doubled_at_a_time(self) -> None:
        small = Measured(SMALL, "text", "net", ("minimal",))
        assert doubled(small, "users").size == replace(SMALL, users=2 * SMALL.users)
        assert doubled(small, "text").size == SMALL
        assert doubled(small, "text").plain_sentences == 2 * small.plain_sentences + 1


class TestPage:
    def test_a_section_is_replaced_and_the_others_stay(self) -> None:
        page = with_section(HEADING, with_section(HEADING, "", "one", "1"), "two", "2")
        again = with_section(HEADING, page, "one", "3")
        assert sections_of(again) == {"one": "3", "two": "2"}
        assert again.startswith(HEADING.rstrip())

    def test_growth_is_said_only_where_it_can_be_measured(self) -> None:
        small = {"fit": StageCost("fit", 2.0, 100.0), "split": StageCost("split", 0.1, 100.0)}
        large = {"fit": StageCost("fit", 5.0, 150.0), "split": StageCost("split", 0.9, 100.0)}
        rows = list(growth_table({"": small, "users": large}, ["users"]))
        assert rows[1:] == ["| fit | 2.0 | 100 | 2.50, 1.50 |", "| split | 0.1 | 100 | –, 1.00 |"]

    def test_sizes_stand_side_by_side(self) -> None:
        page = HEADING
        for number, name in enumerate(SHARES.values(), start=1):
            row = f"| fit | {number}.5 | 1,{number}00 | 0.1 |\n| all | {number}.5 | | |"
            page = with_section(HEADING, page, f"{name} from text, net", row)
        assert list(sizes_table(page))[2:] == ["| fit | 1.5, 1,100 | 2.5, 1,200 | 3.5, 1,300 | 4.5, 1,400 |"]

    def test_which_stages_belong_to_a_goal(self) -> None:
        assert is_of_another_goal("explain relaxed-masked", "minimal")
        assert is_of_another_goal("fit again", "minimal")
        assert not is_of_another_goal("explain minimal", "minimal")
        assert not is_of_another_goal("front figure", "minimal")


class TestEstimate:
    costs = unit_costs(with_section(HEADING, "", MEASURED, SECTION))

    def test_costs_come_from_the_measured_page(self) -> None:
        costs = self.costs
        assert costs["extract"] == UnitCost("sentence", 2 * 1.5 / 3_000)
        assert costs["rank"] == UnitCost("scored pair", 2 * 1_800 / (9 * 20))
        assert costs["explain minimal"] == UnitCost("explained pair", 2 * 9 / 45)
        assert costs["evaluate"] == UnitCost("explained pair", 2 * 3 / 45)
        assert costs["fit"] == UnitCost("interaction", 2 * 4 / 400)
        with pytest.raises(ValueError, match="no section 'Yelp from text, net'"):
            unit_costs(HEADING)

    def test_hours_and_bytes_grow_with_what_they_are_of(self) -> None:
        size, twice = Catalogue(), Catalogue(users=200_000_000)
        hours, more = core_hours(size, self.costs), core_hours(twice, self.costs)
        assert {name: round(more[name] / hours[name], 6) for name in hours} == dict.fromkeys(hours, 2.0) | {"fit": 1.0}
        assert gigabytes(size)["X"] == 80
        assert "1,000 shards of 100,000 users" in list(estimate(self.costs))[-1]

    def test_the_documentation_says_what_the_command_prints(self) -> None:
        said = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
        assert "\n".join(estimate(unit_costs(page_of(ROOT / PAGE)))) in said
        assert "\n".join(sizes_table(page_of(ROOT / PAGE))) in said


def test_a_stage_is_not_measured_over_others_that_have_changed(tmp_path: Path) -> None:
    run = Measured(TINY, "mentions", "net", ("minimal",)).run(tmp_path, 1)
    write_json(tmp_path / SETTINGS, run.settings)
    make_stage(tmp_path, 0, 1)
    make_stage(tmp_path, 1, 1)
    before = contents(tmp_path)
    make_stage(tmp_path, 1, 1)
    write_json(tmp_path / SETTINGS, run.settings | {"data": run.settings["data"] | {"min_user_reviews": 8}})
    with pytest.raises(SystemExit, match="read would be made again"):
        make_stage(tmp_path, 1, 1)
    assert contents(tmp_path) | {SETTINGS: before[SETTINGS]} == before, "nothing was made"


def test_the_memory_of_this_process_is_some() -> None:
    assert tree_mebibytes(os.getpid()) > 10
    assert tree_mebibytes(2**22 + 1) == 0
