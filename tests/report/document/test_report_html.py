"""The report of a run: one file, everything in it, nothing from elsewhere, and nothing of the data as HTML."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from counterec import make_config, make_run, open_run, sentence
from counterec.pipeline import layout
from counterec.pipeline.files import sha256, write_json
from counterec.pipeline.manifest import Manifest
from counterec.report import html
from counterec.report.document.sections.examples_section import example_cases
from counterec.report.overview import cases_of
from counterec.run import Run
from tests.pipeline.tiny import SETTINGS, changed
from tests.report.document.pages import Page

SECTIONS = [
    "Ten explanations",
    "What drives this model",
    "Which items win and lose",
    "The data",
    "The recommender",
    "What could not be explained",
    "The paper's tables and figures",
    "How this was made",
]
ODD_NAMES = {
    "P0001": "<script>alert('P')</script> & “quoted”",
    "P0002": "Amélie 🎬❤️ 七人の侍",
    "P0003": "مدينة الحب (City of Love) \u202e evil",
    "P0004": "Donaudampfschifffahrt" * 20,
    "P0005": "</style></table><img src=https://example.org/x.png onerror=alert(1)>",
}


@pytest.fixture(scope="module")
def page(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Page:
    written = open_run(tiny_run).report(tmp_path_factory.mktemp("report") / "report.html")
    return Page(written.read_text(encoding="utf-8"))


class TestPage:
    def test_it_has_every_section_in_its_order(self, page: Page) -> None:
        assert [said for level, said in page.headings if level == 2] == SECTIONS
        assert [level for level, _ in page.headings].count(1) == 1
        for before, after in zip(page.headings, page.headings[1:], strict=False):
            assert after[0] <= before[0] + 1, f"{after} skips a level"

    def test_nothing_comes_from_elsewhere(self, page: Page) -> None:
        assert page.fetched == []
        assert "http" not in re.sub(r"http-equiv", "", page.html)
        assert "script" not in page.tags
        assert not [name for _, name, _ in page.attributes if name.startswith("on")]

    def test_it_can_be_read_by_a_screen_reader(self, page: Page) -> None:
        assert ("html", "lang", "en") in page.attributes
        names = page.values("id")
        assert len(names) == len(set(names)), "two elements have the same name"
        for _, name, value in page.attributes:
            if name == "aria-labelledby":
                assert value in names
            if name == "href":
                assert value.removeprefix("#") in names
        charts = re.findall(r'<svg [^>]*class="chart"[^>]*>', page.html)
        assert charts
        assert all('role="img"' in chart and re.search(r'aria-label="[^"]{10,}"', chart) for chart in charts)
        for table in re.findall(r"<table.*?</table>", page.html, re.DOTALL):
            assert '<th scope="col"' in table or "<th class" in table or 'scope="row"' in table


class TestContent:
    def test_ten_explanations_in_the_words_of_the_command_line(self, page: Page, tiny_run: Path) -> None:
        run = open_run(tiny_run)
        chosen = example_cases(cases_of(run))
        assert len(chosen) == 10
        assert page.tags.count("article") == 10
        for row in chosen.to_dicts():
            record = run.stored_record(row, run.methods[0])
            assert sentence(record) in page.text
            assert row["user_id"] in page.text

    def test_settings_versions_seed_and_checksums(self, page: Page, tiny_run: Path) -> None:
        manifest = Manifest.load(tiny_run)
        assert "from the seed 0" in page.text
        for record in manifest.finished.values():
            for name, sha in record.outputs.items():
                assert name in page.text
                assert sha[:16] in page.text
        assert manifest.made_with["torch"] in page.text
        assert "training.epochs" in page.text

    def test_no_path_of_this_machine(self, page: Page, tiny_run: Path) -> None:
        assert str(tiny_run.parent) not in page.html

    def test_the_same_run_gives_the_same_file(self, tiny_run: Path, page: Page, tmp_path: Path) -> None:
        again = open_run(tiny_run).report(tmp_path / "again.html").read_text(encoding="utf-8")
        assert again == page.html


@pytest.fixture(scope="module")
def hidden(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Page:
    written = open_run(tiny_run).report(tmp_path_factory.mktemp("hidden") / "report.html", text=False)
    return Page(written.read_text(encoding="utf-8"))


class TestWithoutText:
    def test_no_id_of_a_user_is_in_it(self, hidden: Page, tiny_run: Path) -> None:
        for user_id in open_run(tiny_run).space.users.texts:
            assert user_id not in hidden.html
        assert hidden.tags.count("article") == 10
        assert len(set(re.findall(r"user-[a-z2-7]{10}", hidden.html))) >= 10

    def test_no_sentence_of_a_review_is_in_it(self, hidden: Page, page: Page, tiny_run: Path) -> None:
        assert "<q " in page.html
        assert "<q " not in hidden.html
        sentences = {
            said.strip() for text in open_run(tiny_run).reviews["text"] for said in text.split(".") if len(said) > 12
        }
        assert len(sentences) > 50
        assert [said for said in sentences if said in hidden.text] == []

    def test_nobody_can_make_the_pseudonyms_again(self, hidden: Page, tiny_run: Path, tmp_path: Path) -> None:
        again = open_run(tiny_run).report(tmp_path / "again.html", text=False).read_text(encoding="utf-8")
        assert not set(re.findall(r"user-[a-z2-7]{10}", again)) & set(re.findall(r"user-[a-z2-7]{10}", hidden.html))


def rewritten(folder: Path, **files: object) -> Run:
    """The run with other content in some of its files, as if it had been written so."""
    manifest = Manifest.load(folder)
    for stage in manifest.stages.values():
        stage.outputs.update({name: sha256(folder / name) for name in files if name in stage.outputs})
    manifest.save(folder)
    return open_run(folder)


class TestOddNames:
    @pytest.fixture
    def odd(self, own_run: Path) -> Run:
        """The tiny run, in which every item has an odd name, and the sentences of reviews, too."""
        path = own_run / layout.VOCABULARY
        vocabulary = json.loads(path.read_text(encoding="utf-8"))
        odd = list(ODD_NAMES.values())
        items = vocabulary["items"]
        vocabulary["item_names"] = {item: odd[at % len(odd)] for at, item in enumerate(items)}
        write_json(path, vocabulary)
        return rewritten(own_run, **{layout.VOCABULARY: None})

    def test_they_are_shown_as_text(self, odd: Run, tmp_path: Path) -> None:
        assert odd.item_names[odd.space.items.texts[0]] == ODD_NAMES["P0001"]
        page = Page(odd.report(tmp_path / "odd.html").read_text(encoding="utf-8"))
        assert page.fetched == []
        assert "script" not in page.tags
        assert "img" not in page.tags
        for name in ODD_NAMES.values():
            assert " ".join(name.split()) in page.text

    def test_reviews_with_tags_are_text(self, own_run: Path, tmp_path: Path) -> None:
        path = own_run / layout.REVIEWS
        reviews = pl.read_parquet(path)
        nasty = reviews.with_columns(pl.col("text").str.replace_all("great", "<b>x</b>", literal=True))
        nasty.write_parquet(path)
        page = Page(
            rewritten(own_run, **{layout.REVIEWS: None}).report(tmp_path / "r.html").read_text(encoding="utf-8")
        )
        assert "b" not in page.tags


class TestGaps:
    def test_nothing_held_out(self, tmp_path: Path) -> None:
        settings = changed(SETTINGS, split={"held_out": 0, "validation": 0}, explain={"methods": ["single"]})
        run = make_run(make_config(settings, "test"), tmp_path / "run")
        page = Page(run.report().read_text(encoding="utf-8"))
        assert "How good the lists are was not measured: no reviews were held out." in page.text

    def test_without_altair_the_numbers_are_there(self, tiny_run: Path, tmp_path, monkeypatch) -> None:
        monkeypatch.setattr(html, "can_draw", lambda: False)
        page = Page(open_run(tiny_run).report(tmp_path / "plain.html").read_text(encoding="utf-8"))
        assert "pip install counterec[report]" in page.text
        assert 'class="chart"' not in page.html


class TestExperiment:
    @pytest.fixture
    def measured(self, own_run: Path, report: tuple[Path, list[str]]) -> Page:
        """The tiny run with the report of an experiment beside it, as its stage would have left it."""
        folder, names = report
        place = own_run / "experiment" / "net" / "full"
        shutil.copytree(folder, place)
        manifest = Manifest.load(own_run)
        outputs = {f"experiment/net/full/{name}": sha256(place / name) for name in names}
        stage = replace(manifest.stages["evaluate"], outputs=outputs)
        manifest.with_stage("net full: report", stage).save(own_run)
        return Page(open_run(own_run).report(own_run / "report.html").read_text(encoding="utf-8"))

    def test_tables_figures_and_claims_are_in_it(self, measured: Page, report: tuple[Path, list[str]]) -> None:
        folder, names = report
        assert "Protocol full" in measured.text
        for name in names:
            if name.startswith("tables/") and name.endswith(".txt"):
                title, *_ = (folder / name).read_text(encoding="utf-8").splitlines()
                assert " ".join(title.split()) in measured.text
        for claim in json.loads((folder / "claims.json").read_text(encoding="utf-8")):
            assert claim["text"] in measured.text
        drawn = [name for name in names if name.endswith(".svg")]
        labels = [label for label in measured.values("aria-label") if label.endswith(", protocol full, model net")]
        assert len(labels) == len(drawn) > 3
        assert "They were not computed" not in measured.text
