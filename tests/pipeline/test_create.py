"""Runs with a model of your own: everything that is asked of a run works, and the folder is only data."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from counterec import Run, open_run, sentence
from counterec.adapters import RowScorer
from counterec.errors import StoreError
from counterec.frames import explain
from counterec.pipeline import operator_model
from counterec.pipeline.files import load_tensors
from counterec.pipeline.operator_model import load_operator
from tests.adapters import hotels
from tests.cli.files import counterec

MODULE = "from tests.adapters.hotels import liking\n\ndef ranker():\n    return liking\n"
OPERATOR = '[models.shop-ranker]\nfactory = "shop_models:ranker"\n'


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a module and a config of the operator."""
    (tmp_path / "shop_models.py").write_text(MODULE)
    (tmp_path / "operator.toml").write_text(OPERATOR)
    monkeypatch.setenv("COUNTEREC_CONFIG", str(tmp_path / "operator.toml"))
    monkeypatch.setattr(operator_model, "_in_this_process", {})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shop_models", raising=False)
    return tmp_path


def created(place: Path, library: str = "polars", **options) -> Run:
    frames = hotels.guests(library), hotels.hotels(library)
    given = {"k": 3, "schema": hotels.SCHEMA, "name": "shop-ranker", **options}
    return Run.create(place / "run", hotels.liking, *frames, **given)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in another process: only the config knows what a name stands for."""
    monkeypatch.setattr(operator_model, "_in_this_process", {})


def test_it_goes_through_every_command(place):
    run, user = str(created(place).path), ("--user", "ann")
    first = open_run(run).explanations_table("minimal").row(0, named=True)
    for arguments in (
        ("show", run, *user),
        ("explain", run, *user, "--item", first["item_id"], "--goal", "single"),
        ("explain", run, *user, "--question", "why_not", "--item", "H04"),
    ):
        ended = counterec(*arguments)
        assert ended.status == 0, (arguments, ended.err)
    said = counterec("whatif", run, *user, "--set", f"{first['item_id']}:wifi=no")
    assert "if it had no wifi" in said.out.lower()


@pytest.mark.parametrize("library", hotels.LIBRARIES)
def test_it_says_what_the_one_call_says(library, place):
    run = created(place, library)
    expected = explain(hotels.liking, hotels.guests(library), hotels.hotels(library), k=3, schema=hotels.SCHEMA)
    rows = run.explanations_table("minimal").to_dicts()
    assert [sentence(run.record(row)) for row in rows] == list(expected["sentence"])
    assert isinstance(run.scorer, RowScorer)
    assert open_run(run.path).config == run.config


def test_candidates_and_what_was_seen(place):
    pairs = [(user, f"H{number:02}") for user in ("ann", "bob", "cleo") for number in range(8)]
    run = created(place, candidates=pairs)
    assert run.config.lists.protocol == "given"
    assert run.candidates.of(0).tolist() == list(range(8))
    run = created(place, seen=[("ann", "H00")])
    assert 0 not in run.candidates.of(0).tolist()
    assert 0 in run.candidates.of(1).tolist()


class TestCode:
    def test_the_operators_config_names_it_and_the_folder_does_not(self, place, monkeypatch):
        folder = created(place).path
        forget(monkeypatch)
        ended = counterec("explain", folder, "--user", "ann")
        assert ended.status == 0, ended.err
        everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        assert b"shop_models" not in everything
        assert json.loads((folder / "model.json").read_text())["name"] == "shop-ranker"

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (None, "the run's model is 'shop-ranker', which is code: there is no"),
            ("", "has no model of that name; add [models.shop-ranker]"),
            ("[models.shop-ranker]\n", "needs a factory"),
            ('[models.shop-ranker]\nfactory = "nowhere"\n', "'nowhere' names nothing; write module:attribute"),
            ('[models.shop-ranker]\nfactory = "nowhere:x"\n', "cannot be imported"),
            ('[models.shop-ranker]\ncode = "os:system"\n', "models.shop-ranker.code: no such setting"),
            ("[models", "not a TOML file"),
        ],
    )
    def test_without_it_nothing_is_executed_and_the_line_says_what_to_do(self, place, monkeypatch, text, words):
        folder = created(place).path
        forget(monkeypatch)
        (place / "operator.toml").unlink()
        if text is not None:
            (place / "operator.toml").write_text(text)
        ended = counterec("explain", folder, "--user", "ann")
        assert ended.status == 2
        assert words in " ".join(ended.err.split())
        assert counterec("show", folder, "--user", "bob").status == 0, "stored answers need no model"


class TestFaults:
    def test_a_damaged_model_file(self, place):
        run = created(place)
        arrays = load_tensors(run.path / "model.safetensors")
        with pytest.raises(StoreError, match="the model's file is damaged"):
            load_operator({**arrays, "items": arrays["items"][:9]}, run.space, "cpu")
