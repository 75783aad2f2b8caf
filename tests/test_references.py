"""Code named as ``module:attribute``: imported where somebody asked for it, and never because a folder names it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from counterec import make_config, make_run, open_run, references
from counterec.errors import ConfigError, UsageError
from counterec.pipeline import models, versions
from counterec.pipeline.manifest import Manifest
from counterec.references import VARIABLE, guarded, import_named, import_trusted, trust
from tests.cli.files import counterec, reviews, write_rows
from tests.pipeline.tiny import SETTINGS, Recorder, again, changed

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

KIND = ModelKind("plain", load, train)
BROKEN = ModelKind("untrained", load, fall)
"""


@pytest.fixture(autouse=True)
def _modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "site"
    folder.mkdir()
    for name, text in (("found_words", WORDS), ("found_model", MODEL), ("quits", "raise SystemExit(3)")):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(references, "_trusted", set())
    monkeypatch.setattr(models, "_registered", dict(models._registered))
    versions.code_digest.cache_clear()
    yield
    versions.code_digest.cache_clear()


def with_reviews(tmp_path: Path, extractor: str) -> dict:
    source = write_rows(tmp_path / "reviews.jsonl", reviews())
    return changed(
        {**SETTINGS, "data": {"sources": [str(source)]}},
        aspects={"extractor": extractor, "min_mentions": 1},
        explain={"methods": ["single"]},
    )


class TestImports:
    @pytest.mark.parametrize(
        ("name", "says"),
        [
            ("nothing", "'nothing' names nothing; write module:attribute"),
            ("no_such_module:x", r"cannot be imported \(ModuleNotFoundError"),
            ("found_words:gone", r"cannot be imported \(AttributeError"),
            ("quits:x", r"cannot be imported \(SystemExit: 3\)"),
        ],
    )
    def test_every_fault_is_one_line(self, name: str, says: str) -> None:
        with pytest.raises(ConfigError, match=f"what it is for: .*{says}"):
            import_named(name, "what it is for")

    def test_only_what_is_trusted(self, monkeypatch) -> None:
        with pytest.raises(UsageError, match=f"a run folder executes nothing; if you trust it, set {VARIABLE}=math:pi"):
            import_trusted("math:pi", "model")
        monkeypatch.setenv(VARIABLE, "math:e,math:pi")
        assert import_trusted("math:pi", "model") == pytest.approx(3.1416, abs=1e-4)
        trust(["math:tau", "grammar"])
        assert references.trusted() == ("math:tau",)

    def test_faults_of_named_code_name_it(self) -> None:
        with pytest.raises(UsageError, match="the extractor 'a:b' does not work"), guarded("extractor", "a:b"):
            raise KeyError("battery")
        with pytest.raises(KeyError), guarded("extractor", "grammar"):
            raise KeyError("battery")


class TestExtractors:
    def test_one_finds_the_mentions(self, tmp_path: Path) -> None:
        again(tmp_path / "run", with_reviews(tmp_path, "found_words:Words"))
        run = open_run(tmp_path / "run")
        assert run.space.aspects.texts == ("battery", "camera", "price", "screen")
        assert "found_words" in run.manifest.stages["extract"].code
        assert len(run.mentions) == 132

    def test_one_that_falls_is_one_line(self, tmp_path: Path) -> None:
        source = write_rows(tmp_path / "reviews.jsonl", reviews())
        for name, why in (
            ("found_words:Falls", "KeyError: 'battery'"),
            ("found_words:Needs", "TypeError"),
            ("found_words:Empty", "has no fitted and no extract"),
            ("found_words:Gone", "cannot be imported"),
        ):
            outcome = counterec("run", source, "--extractor", name, "--out", tmp_path / name.partition(":")[2])
            assert outcome.status == 2
            assert f"'{name}'" in outcome.error
            assert why in outcome.error

    def test_an_unknown_one_is_refused_before_any_work(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="unknown extractor 'magic'; use 'grammar', or module:attribute"):
            again(tmp_path / "run", with_reviews(tmp_path, "magic"))
        assert not (tmp_path / "run").exists()


class TestModels:
    def test_one_has_runs(self, tmp_path: Path, monkeypatch) -> None:
        settings = changed(SETTINGS, model={"kind": "found_model:KIND"}, explain={"methods": ["single"]})
        make_run(make_config(settings, "test"), tmp_path / "run", Recorder())
        assert "found_model" in open_run(tmp_path / "run").manifest.stages["rank"].code
        assert counterec("explain", tmp_path / "run", "--user", "U0001").status == 0

    def test_one_that_falls_is_one_line(self, tmp_path: Path) -> None:
        broken = changed(SETTINGS, model={"kind": "found_model:BROKEN"})
        with pytest.raises(UsageError, match=r"the model 'found_model:BROKEN' does not work \(ValueError: no loss\)"):
            again(tmp_path / "broken", broken)

    def test_what_is_no_kind(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="is a dict; it must be a ModelKind"):
            again(tmp_path / "run", changed(SETTINGS, model={"kind": "found_words:WORDS"}))

    def test_a_folder_that_names_code_runs_none(self, tmp_path: Path, monkeypatch) -> None:
        settings = changed(SETTINGS, model={"kind": "found_model:KIND"}, explain={"methods": ["single"]})
        make_run(make_config(settings, "test"), tmp_path / "run", Recorder())
        monkeypatch.setattr(references, "_trusted", set())
        monkeypatch.setattr(models, "_registered", {})
        run = open_run(tmp_path / "run")
        assert len(run.explanations("single"))
        with pytest.raises(UsageError, match="a run folder executes nothing"):
            _ = run.scorer
        with pytest.raises(UsageError, match="a run folder executes nothing"):
            run.with_method("minimal")
        assert counterec("show", run.path).status == 0
        outcome = counterec("explain", run.path, "--user", "U0001")
        assert (outcome.status, VARIABLE in outcome.error) == (2, True)
        monkeypatch.setenv(VARIABLE, "found_model:KIND")
        assert counterec("explain", run.path, "--user", "U0001").status == 0
        assert json.loads((run.path / "model.json").read_text())["kind"] == "found_model:KIND"
        assert Manifest.load(run.path).config["model"]["kind"] == "found_model:KIND"
