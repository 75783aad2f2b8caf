"""An extractor and a kind of model that other packages bring: named in a configuration, and part of the keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import make_config, make_run, open_run
from counterec.errors import ConfigError, PluginError
from counterec.pipeline import code_digest, models
from tests.cli.files import counterec, reviews, write_rows
from tests.packages import write_package
from tests.pipeline.tiny import SETTINGS, Recorder, again, changed

pytestmark = pytest.mark.slow

POINTS = {
    "counterec.extractors": {
        "words": "found_words:Words",
        "falls": "found_words:Falls",
        "no_maker": "found_words:Needs",
        "empty": "found_words:Empty",
    },
    "counterec.models": {"plugged": "found_model:KIND", "untrained": "found_model:BROKEN"},
}
WORDS = """
from counterec.extraction.adapters import CallableExtractor

WORDS = {"great": 1, "excellent": 1, "terrible": -1, "awful": -1}

def triples(text):
    words = text.lower().replace(".", " ").split()
    return [(words[i - 2], word, WORDS[word]) for i, word in enumerate(words) if word in WORDS]

class Words(CallableExtractor):
    def __init__(self):
        super().__init__(triples)

class Falls(Words):
    def extract(self, texts):
        raise KeyError("battery")

class Empty:
    pass

class Needs:
    def __init__(self, something):
        pass
"""
MODEL = """
import numpy as np
from counterec import AlignmentScorer
from counterec.pipeline.models import ModelKind, TrainedModel

def load(arrays, space, device):
    return AlignmentScorer()

def train(data):
    return TrainedModel({"nothing": np.zeros(1, dtype=np.float32)})

def fall(data):
    raise ValueError("no loss")

KIND = ModelKind("plugged", load, train)
BROKEN = ModelKind("untrained", load, fall)
"""


@pytest.fixture(autouse=True)
def _packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    modules = {"found_words.py": WORDS, "found_model.py": MODEL}
    monkeypatch.syspath_prepend(str(write_package(tmp_path / "site", "found-words", POINTS, modules, "0.7")))
    code_digest.code_digest.cache_clear()
    known = dict(models._registered)
    yield
    models._registered.clear()
    models._registered.update(known)
    code_digest.code_digest.cache_clear()


def with_reviews(tmp_path: Path, extractor: str) -> dict:
    source = write_rows(tmp_path / "reviews.jsonl", reviews())
    return changed(
        {**SETTINGS, "data": {"sources": [str(source)]}},
        aspects={"extractor": extractor, "min_mentions": 1},
        explain={"methods": ["single"]},
    )


def test_an_extractor_of_another_package_finds_the_mentions(tmp_path: Path) -> None:
    again(tmp_path / "run", with_reviews(tmp_path, "words"))
    run = open_run(tmp_path / "run")
    assert run.space.aspects.texts == ("battery", "camera", "price", "screen")
    assert run.manifest.stages["extract"].code["found_words"] == "found-words 0.7"
    assert len(run.mentions) == 132


def test_one_that_falls_is_one_line_that_names_the_package(tmp_path: Path) -> None:
    for name, why in (
        ("falls", "KeyError: 'battery'"),
        ("no_maker", "TypeError"),
        ("empty", "has no fitted and no extract"),
    ):
        config = tmp_path / f"{name}.toml"
        source = write_rows(tmp_path / "reviews.jsonl", reviews())
        config.write_text(f"[data]\nsources = ['{source}']\n[aspects]\nextractor = '{name}'\n")
        outcome = counterec("run", config, "--out", tmp_path / name)
        assert outcome.status == 2
        assert f"the extractor '{name}' of the package found-words 0.7" in outcome.error
        assert why in outcome.error


def test_an_unknown_one_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown extractor 'magic'; use 'grammar' or 'empty' or 'falls'"):
        again(tmp_path / "run", with_reviews(tmp_path, "magic"))
    assert not (tmp_path / "run").exists()
    settings = changed(with_reviews(tmp_path, "words"), aspects={"near_synonyms": True})
    with pytest.raises(ConfigError, match="near synonyms are found by the extractor 'grammar' alone"):
        again(tmp_path / "run", settings)


def test_a_run_opens_without_the_package_that_found_its_mentions(tmp_path: Path, monkeypatch) -> None:
    again(tmp_path / "run", with_reviews(tmp_path, "words"))
    monkeypatch.undo()
    assert len(open_run(tmp_path / "run").explanations("single"))


def test_a_model_of_another_package_has_runs(tmp_path: Path) -> None:
    settings = changed(SETTINGS, model={"kind": "plugged"}, explain={"methods": ["single"]})
    recorder = Recorder()
    make_run(make_config(settings, "test"), tmp_path / "run", recorder)
    assert open_run(tmp_path / "run").manifest.stages["rank"].code["found_model"] == "found-words 0.7"
    assert "plugged" in counterec("doctor").text
    broken = changed(SETTINGS, model={"kind": "untrained"})
    with pytest.raises(
        PluginError, match=r"the model 'untrained' of the package found-words 0.7 .*ValueError: no loss"
    ):
        again(tmp_path / "broken", broken)
