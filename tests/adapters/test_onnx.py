"""ONNX models: bytes and files, one matrix or column by column."""

from __future__ import annotations

import pytest

from counterec.adapters import OnnxModel, RowScorer
from counterec.core.scorers.base import PairBatch
from counterec.errors import ConfigError, ModelError, UsageError
from tests.adapters import hotels
from tests.contracts.row_model import RowModelContract

pytest.importorskip("onnxruntime")
linear_onnx = pytest.importorskip("tests.adapters.linear_onnx")


class Contract(RowModelContract):
    def expected(self, rows):
        return rows.matrix(hotels.NUMBERS) @ hotels.WEIGHTS


class TestBytes(Contract):
    @pytest.fixture
    def model(self):
        return OnnxModel(linear_onnx.matrix_model(hotels.WEIGHTS))


class TestFileInDoublePrecision(Contract):
    @pytest.fixture
    def model(self, tmp_path):
        path = tmp_path / "linear.onnx"
        path.write_bytes(linear_onnx.matrix_model(hotels.WEIGHTS, double=True))
        return OnnxModel(path)


class TestColumns(Contract):
    @pytest.fixture
    def model(self):
        return OnnxModel(linear_onnx.column_model(hotels.WEIGHTS, hotels.NUMBERS), output="score")


class TestToldColumns(Contract):
    @pytest.fixture
    def model(self):
        turned = OnnxModel(
            linear_onnx.matrix_model(hotels.WEIGHTS[::-1]), inputs={"rows": list(reversed(hotels.NUMBERS))}
        )
        assert "linear" not in repr(turned)  # bytes are not for reading
        return turned


class TestOneOfTwoColumns(Contract):
    @pytest.fixture
    def model(self):
        return OnnxModel(linear_onnx.column_model(hotels.WEIGHTS, hotels.NUMBERS), output="both", column=1)


class TestFaults:
    @pytest.mark.parametrize(
        ("settings", "words"),
        [
            ({}, "has the outputs score, both; say which is the score: output="),
            ({"output": "label"}, "has no output 'label'; there are score, both"),
            ({"output": "both"}, "returned 2 columns; say which is the score: column="),
            ({"output": "both", "column": 2}, r"returned the shape \(1, 2\), which has no column 2"),
            ({"inputs": {"age": "age"}, "output": "score"}, "takes the inputs age, budget.*inputs= names age: budget"),
        ],
    )
    def test_what_is_not_plain_is_said_with_what_to_do(self, settings, words):
        with pytest.raises(ConfigError, match=words):
            _score(OnnxModel(linear_onnx.column_model(hotels.WEIGHTS, hotels.NUMBERS), **settings))

    def test_another_width_names_both(self):
        with pytest.raises(ConfigError, match=r"the input 'rows' of the ONNX model takes 3 columns, and there are 6"):
            _score(OnnxModel(linear_onnx.matrix_model(hotels.WEIGHTS[:3])))

    def test_an_input_that_is_no_column_is_named(self):
        names = [*hotels.NUMBERS[:-1], "pool"]
        with pytest.raises(ConfigError, match=r"takes an input 'pool', which is no column of users or items"):
            _score(OnnxModel(linear_onnx.column_model(hotels.WEIGHTS, names), output="score"))

    def test_a_file_that_is_no_model_is_one_line(self, tmp_path):
        path = tmp_path / "broken.onnx"
        path.write_bytes(b"no model")
        with pytest.raises(ModelError, match=r"the ONNX model broken.onnx cannot be loaded") as caught:
            _score(OnnxModel(path))
        assert "\n" not in str(caught.value)

    def test_without_the_package_the_extra_is_named(self, monkeypatch):
        def missing(name):
            raise ImportError(name)

        monkeypatch.setattr("counterec.adapters.tensors.import_module", missing)
        with pytest.raises(UsageError, match=r"onnxruntime is not installed; .* pip install 'counterec\[onnx\]'"):
            _score(OnnxModel(linear_onnx.matrix_model(hotels.WEIGHTS)))


def _score(model):
    tables = hotels.tables()
    return RowScorer(model, tables).score(PairBatch.of(tables.space, [0], [0]))
