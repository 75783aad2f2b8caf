"""The ready configs: they load, they say what the paper says, and without their file they say how to get it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from counterec import load_config
from counterec.errors import ConfigError
from counterec.report.paper import published
from tests.cli.files import counterec

FOLDER = Path(__file__).parent.parent / "configs"
CONFIGS = sorted(FOLDER.glob("*.toml"))
PAPER = {  # Table 1: users, items, reviews, aspects, density in percent; and the least reviews of a user
    "yelp": (11_863, 20_181, 497_252, 106, "0.208", 20),
    "cds_and_vinyl": (8_119, 52_193, 245_391, 230, "0.058", 10),
    "kindle_store": (5_907, 41_402, 136_039, 77, "0.056", 10),
    "electronics": (2_832, 19_816, 53_295, 105, "0.095", 10),
    "cell_phones": (251, 1_918, 4_454, 88, "0.935", 10),
}


def test_there_is_one_for_each_dataset_of_the_paper() -> None:
    assert {path.stem for path in CONFIGS} == set(PAPER)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
class TestEach:
    def test_says_what_the_paper_says(self, path: Path) -> None:
        config = load_config(path)
        assert config.dataset
        assert config.dataset.statistics
        found = config.dataset.statistics
        numbers = (found.users, found.items, found.reviews, found.aspects, f"{100 * found.density:.3f}")
        assert (*numbers, config.data.min_user_reviews) == PAPER[path.stem]
        assert published().dataset(config.dataset.name).users == found.users
        computed = f"{100 * found.reviews / found.users / found.items:.3f}"
        assert computed == {"cell_phones": "0.925"}.get(path.stem, numbers[-1])

    def test_without_the_file_says_what_to_download_and_where_to_put_it(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shutil.copytree(FOLDER, tmp_path / "configs", ignore=shutil.ignore_patterns("data"))
        monkeypatch.chdir(tmp_path)
        outcome = counterec("run", f"configs/{path.name}")
        assert outcome.status == 1
        assert outcome.error.isprintable()
        found = re.fullmatch(
            r"(.+): (.+) does not exist; download (\S+) from (\S+) \(.+\) and put it there", outcome.error
        )
        assert found, outcome.error
        name, place, file, page = found.groups()
        config = load_config(path)
        assert config.dataset
        assert (name, page) == (config.dataset.name, config.dataset.page)
        assert place == f"configs/data/{file}"
        assert [source.name for source in config.data.sources] == [file]
        assert not (tmp_path / "runs").exists(), "a run that cannot begin leaves nothing behind"


@pytest.mark.parametrize(
    ("dataset", "says"),
    [
        ('page = "https://a.org"', "dataset.name: "),
        ('name = "A"', "dataset.page: "),
        ('name = "A"\npage = "a.org"', "dataset: page is 'a.org'; it must be a URL such as https://"),
        ('name = "A"\npage = "https://a.org"\nfile = "a"', "dataset.file: there is no such setting"),
        (
            'name = "A"\npage = "https://a.org"\n[dataset.statistics]\nusers = 0\nitems = 1\nreviews = 1\naspects = 1\n'
            "density = 1",
            "dataset.statistics: users is 0; it must be above 0",
        ),
        ('name = "A"\npage = "https://a.org"\nstatistics = {users = "many"}', "dataset.statistics.users: "),
    ],
)
def test_a_description_that_cannot_be(dataset: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text(f'[data]\nsources = ["a.json"]\n[dataset]\n{dataset}\n')
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert f"{file}: {says}" in str(caught.value)
