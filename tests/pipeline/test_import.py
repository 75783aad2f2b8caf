"""Models that were trained elsewhere, as runs: everything that is asked of a run works, and the folder is only data."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counterec import Run, open_run, sentence
from counterec.adapters import OnnxModel, RowScorer
from counterec.core.scorers.net import AspectNet, Dense, NetWeights
from counterec.core.scorers.protocols import PairBatch
from counterec.errors import ModelError, StoreError, UsageError
from counterec.frames import explain
from counterec.pipeline import operator_model
from counterec.pipeline.onnx_model import load_onnx
from counterec.pipeline.serialization import load_tensors, save_tensors
from counterec.pipeline.stage import SilentReporter
from tests.adapters import hotels, linear_onnx
from tests.cli.files import counterec

lightgbm = pytest.importorskip("lightgbm")
pytest.importorskip("onnxruntime")

TABLES = """
[data.tables]
users = "guests.csv"
items = "hotels.parquet"
{more}
[data.tables.attributes.price]
worse = "high"
format = "{{:.0f}} €"

[data.tables.attributes.wifi]
worse = "low"

[lists]
k = 3
"""


def booster():
    rows = hotels.training_rows("pandas")
    made = lightgbm.LGBMRegressor(n_estimators=10, num_leaves=7, verbose=-1, n_jobs=1)
    return made.fit(rows, hotels.training_scores(rows)).booster_


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with tables, in which the operator has no config."""
    hotels.guests().write_csv(tmp_path / "guests.csv")
    hotels.hotels().write_parquet(tmp_path / "hotels.parquet")
    monkeypatch.setenv("COUNTEREC_CONFIG", str(tmp_path / "operator.toml"))
    monkeypatch.setattr(operator_model, "_in_this_process", {})
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shop_models", raising=False)
    return tmp_path


def config(place: Path, model: str, more: str = "") -> Path:
    path = place / "shop.toml"
    path.write_text(TABLES.format(more=more) + model, encoding="utf-8")
    return path


def imported(place: Path, model: str, more: str = "") -> Path:
    ended = counterec("import", str(config(place, model, more)), "--out", str(place / "run"), "-q")
    assert ended.status == 0, ended.err
    return place / "run"


LIGHTGBM = '[model]\nkind = "lightgbm"\nfile = "ranker.txt"\n'
ONNX = '[model]\nkind = "onnx"\nfile = "ranker.onnx"\n'
CODE = '[model]\nkind = "operator"\nname = "shop-ranker"\n'
MODULE = "from tests.adapters.hotels import liking\n\ndef ranker():\n    return liking\n"
OPERATOR = '[models.shop-ranker]\nfactory = "shop_models:ranker"\n'


class TestImport:
    def test_lightgbm_goes_through_every_command(self, place):
        booster().save_model(place / "ranker.txt")
        run = str(imported(place, LIGHTGBM))
        user = ("--user", "ann")
        first = open_run(run).explanations_table("minimal").row(0, named=True)
        for arguments in (
            ("stats", run),
            ("show", run, *user),
            ("explain", run, *user, "--item", first["item_id"], "--goal", "single"),
            ("explain", run, *user, "--question", "why_not", "--item", "H04"),
            ("whatif", run, *user, "--set", f"{first['item_id']}:wifi=no"),
            ("experiment", run),
        ):
            ended = counterec(*arguments)
            assert ended.status == 0, (arguments, ended.err)
        assert (
            "if it had no wifi" in counterec("whatif", run, *user, "--set", f"{first['item_id']}:wifi=no").out.lower()
        )
        table = (place / "run" / "experiment" / "lightgbm" / "full" / "tables" / "table5-further.txt").read_text()
        assert "minimal" in table
        assert "relaxed is missing: the model was imported" in table

    def test_its_scores_are_the_models_own(self, place):
        trees = booster()
        trees.save_model(place / "ranker.txt")
        run = open_run(imported(place, LIGHTGBM))
        assert isinstance(run.scorer, RowScorer)
        row, user = run.recommendations.items[0], hotels.guests().filter(user_id="ann")
        items = hotels.hotels().sort("item_id")[row]
        matrix = np.column_stack(
            [np.full(len(row), user[name][0], dtype=float) for name in ("age", "budget")]
            + [items[name].cast(pl.Float64).to_numpy() for name in hotels.NUMBERS[2:]]
        )
        np.testing.assert_allclose(run.recommendations.scores[0], trees.predict(matrix), rtol=1e-6)

    def test_onnx_needs_nothing_but_the_folder(self, place):
        (place / "ranker.onnx").write_bytes(linear_onnx.matrix_model(hotels.WEIGHTS))
        folder = imported(place, ONNX)
        (place / "ranker.onnx").unlink()
        (place / "hotels.parquet").unlink()
        run = open_run(folder)
        assert "would not be recommended" in sentence(run.record(run.explain("bob").row(0, named=True)))

    def test_safetensors_of_a_known_kind(self, place):
        random = np.random.default_rng(3)
        shapes = ((6, 8), (4, 6), (1, 4))
        layers = [Dense(random.normal(size=shape), random.normal(size=shape[0])) for shape in shapes]
        net = AspectNet(NetWeights(*layers))
        save_tensors(net.weights.named(), place / "net.safetensors")
        run = open_run(imported(place, '[model]\nkind = "net"\nfile = "net.safetensors"\n'))
        assert isinstance(run.scorer, AspectNet)

    def test_candidates_lists_and_what_was_seen_come_from_tables(self, place):
        booster().save_model(place / "ranker.txt")
        pairs = [(user, f"H{number:02}") for user in ("ann", "bob", "cleo") for number in range(8)]
        pl.DataFrame(pairs, schema=["user_id", "item_id"], orient="row").write_csv(place / "candidates.csv")
        run = open_run(imported(place, LIGHTGBM, 'candidates = "candidates.csv"'))
        assert run.config.lists.protocol == "given"
        assert run.candidates.of(0).tolist() == list(range(8))
        own = run.explanations_table("minimal").select("user_id", "item_id")
        own.write_csv(place / "lists.csv")
        more = 'candidates = "candidates.csv"\nlists = "lists.csv"'
        open_run(imported(place, LIGHTGBM, more))
        other = next(item for item in (f"H{n:02}" for n in range(8)) if item not in own["item_id"].to_list()[:3])
        pl.DataFrame({"user_id": ["ann"], "item_id": [other]}).write_csv(place / "lists.csv")
        ended = counterec("import", str(config(place, LIGHTGBM, more)), "--out", str(place / "run"), "-q")
        assert ended.status == 1
        assert f"the list of 'ann' holds '{other}', but by its score" in ended.err

    def test_an_import_again_does_nothing(self, place):
        booster().save_model(place / "ranker.txt")
        folder = imported(place, LIGHTGBM)
        before = (folder / "manifest.json").read_bytes()
        imported(place, LIGHTGBM)
        assert json.loads(before)["stages"] == json.loads((folder / "manifest.json").read_bytes())["stages"]


class TestCode:
    def test_the_operators_config_names_it_and_the_folder_does_not(self, place):
        (place / "shop_models.py").write_text(MODULE)
        (place / "operator.toml").write_text(OPERATOR)
        folder = imported(place, CODE)
        ended = counterec("explain", str(folder), "--user", "ann")
        assert ended.status == 0, ended.err
        everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        assert b"shop_models" not in everything
        assert json.loads((folder / "model.json").read_text())["name"] == "shop-ranker"

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (None, "the run's model is 'shop-ranker', which is code: there is no"),
            ("", "has no model of that name; add [models.shop-ranker]"),
            ("[models.shop-ranker]\n", "needs a factory or a url: one of the two"),
            ('[models.shop-ranker]\nfactory = "nowhere"\n', "'nowhere' names nothing; write module:name"),
            ('[models.shop-ranker]\nfactory = "nowhere:x"\n', "cannot be imported"),
            ('[models.shop-ranker]\ncode = "os:system"\n', "models.shop-ranker.code: no such setting"),
            ("[models", "not a TOML file"),
        ],
    )
    def test_without_it_nothing_is_executed_and_the_line_says_what_to_do(self, place, text, words):
        (place / "shop_models.py").write_text(MODULE)
        (place / "operator.toml").write_text(OPERATOR)
        folder = imported(place, CODE)
        (place / "operator.toml").unlink()
        if text is not None:
            (place / "operator.toml").write_text(text)
        ended = counterec("explain", str(folder), "--user", "ann")
        assert ended.status == 2
        assert words in " ".join(ended.err.split())

    def test_stored_answers_are_shown_without_the_code(self, place):
        (place / "shop_models.py").write_text(MODULE)
        (place / "operator.toml").write_text(OPERATOR)
        folder = imported(place, CODE)
        (place / "operator.toml").unlink()
        assert counterec("show", str(folder), "--user", "bob").status == 0

    def test_a_derived_attribute_is_computed_by_the_operators_code(self, place):
        (place / "shop_models.py").write_text(
            "import polars as pl\n"
            "def ranker():\n    return lambda users, items: -items['half'].to_numpy()\n"
            "def halves(rows):\n    return rows.with_columns(half=pl.col('price') / 2)\n"
        )
        (place / "operator.toml").write_text(OPERATOR + 'recompute = "shop_models:halves"\n')
        hotels.hotels().with_columns(half=pl.col("price") / 2).write_parquet(place / "hotels.parquet")
        run = open_run(imported(place, "[data.tables.attributes.half]\nderived = true\n" + CODE))
        assert run.explanations_table("minimal")["aspects"].to_list() == [["price"]] * 9


class TestCreate:
    @pytest.mark.parametrize("library", hotels.LIBRARIES)
    def test_it_says_what_the_one_call_says(self, library, tmp_path):
        frames = hotels.guests(library), hotels.hotels(library)
        run = Run.create(tmp_path / "run", booster(), *frames, k=3, schema=hotels.SCHEMA)
        expected = explain(booster(), *frames, k=3, schema=hotels.SCHEMA)
        rows = run.explanations_table("minimal").to_dicts()
        assert [sentence(run.record(row)) for row in rows] == list(expected["sentence"])
        assert open_run(tmp_path / "run").config == run.config

    def test_pandas_categories_come_back_as_they_were(self, tmp_path):
        pandas = pytest.importorskip("pandas")
        kinds = pandas.Categorical(["inn", "hotel", "inn"] * 4, categories=["inn", "hostel", "hotel"])
        items = hotels.hotels("pandas").assign(kind=kinds).set_index("item_id")
        seen = []

        def predict(users, rows):
            seen.append(rows)
            return -np.asarray(rows["price"], dtype=float) + 30 * (rows["kind"] == "inn").to_numpy()

        run = Run.create(tmp_path / "run", predict, hotels.guests("pandas"), items, name="mine", k=2)
        seen.clear()
        run.explain("ann")
        assert list(seen[0]["kind"].cat.categories) == ["inn", "hostel", "hotel"]

    def test_code_needs_a_name(self, tmp_path):
        with pytest.raises(UsageError, match="function is code, which no run folder holds; give the name"):
            Run.create(tmp_path / "run", hotels.liking, hotels.guests(), hotels.hotels())

    def test_progress_is_reported(self, tmp_path):
        stages = []

        class Kept(SilentReporter):
            def begin(self, stage):
                stages.append(stage)

        model = OnnxModel(linear_onnx.matrix_model(hotels.WEIGHTS))
        Run.create(tmp_path / "run", model, hotels.guests(), hotels.hotels(), k=2, reporter=Kept())
        assert stages == ["build", "store", "rank", "explain minimal", "evaluate"]


class TestFaults:
    @pytest.mark.parametrize(
        ("model", "more", "words"),
        [
            ('[model]\nkind = "lightgbm"\n', "", "model.file: name the file of the lightgbm model"),
            ('[model]\nkind = "operator"\n', "", "model.name: a model that is code needs the name"),
            (LIGHTGBM, 'seen = "nowhere.csv"', "nowhere.csv: cannot be read"),
            (LIGHTGBM, 'user_id = "guest"', "users has no column 'guest'; it has user_id, age, budget"),
            (LIGHTGBM + "[split]\nheld_out = 5\n", "", "tables hold no reviews to hold out"),
        ],
    )
    def test_each_is_one_line(self, place, model, more, words):
        (place / "ranker.txt").write_text("no model")
        ended = counterec("import", str(config(place, model, more)), "--out", str(place / "run"))
        assert ended.status in (1, 2)
        assert words in " ".join(ended.err.split())

    def test_a_text_that_is_no_model(self, place):
        (place / "ranker.txt").write_text("no model")
        ended = counterec("import", str(config(place, LIGHTGBM)), "--out", str(place / "run"))
        assert ended.status == 1
        assert "the file is no text of LightGBM's" in " ".join(ended.err.split())

    def test_a_config_without_tables(self, place):
        path = place / "reviews.toml"
        path.write_text('[data]\nsources = ["a.json"]\n')
        ended = counterec("import", str(path))
        assert ended.status == 2
        assert "data.tables: name the files of users and items there" in " ".join(ended.err.split())

    def test_a_damaged_archive(self, place):
        (place / "ranker.onnx").write_bytes(linear_onnx.matrix_model(hotels.WEIGHTS))
        run = open_run(imported(place, ONNX))
        arrays = load_tensors(place / "run" / "model.safetensors")
        with pytest.raises(StoreError, match="the model's file is damaged"):
            load_onnx({**arrays, "items": arrays["items"][:9]}, run.space, "cpu")
        broken, pairs = load_onnx({**arrays, "file": arrays["file"][:9]}, run.space, "cpu"), run.space
        with pytest.raises(ModelError, match="the ONNX model cannot be loaded"):
            broken.score(PairBatch.of(pairs, [0], [0]))
