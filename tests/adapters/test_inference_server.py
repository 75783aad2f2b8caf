"""A model behind an Open Inference Protocol v2 endpoint: a small server on the loopback, and its faults."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from counterec.adapters import FrameTables, InferenceServerModel, RowScorer
from counterec.core.scorers.protocols import PairBatch
from counterec.errors import ConfigError, InvalidValueError, ModelError
from tests.adapters import hotels
from tests.contracts.row_model import RowModelContract

METADATA = {
    "name": "ranker",
    "platform": "test",
    "inputs": [{"name": "rows", "datatype": "FP64", "shape": [-1, 6]}],
    "outputs": [{"name": "score", "datatype": "FP64", "shape": [-1, 1]}],
}


class Handler(BaseHTTPRequestHandler):
    """Answers as the protocol says; the name of a model says what goes wrong with it."""

    protocol_version = "HTTP/1.1"
    posts: list[dict] = []  # noqa: RUF012

    def do_GET(self):
        self._answer(200, METADATA) if "missing" not in self.path else self._answer(404, {"error": "no such model"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Handler.posts.append({"path": self.path, "body": body, "key": self.headers.get("X-Key")})
        (given,) = body["inputs"]
        rows = np.array(given["data"], dtype=float).reshape(given["shape"])
        scores = rows @ hotels.WEIGHTS
        if "failing" in self.path:
            return self._answer(400, {"error": "out of memory"})
        if "unnamed" in self.path:
            return self._answer(200, {"outputs": []})
        if "page" in self.path:
            return self._answer(200, ["hello"])
        found = {"name": "score", "datatype": "FP64", "shape": [len(rows), 1], "data": scores.tolist()}
        return self._answer(200, {"model_name": "ranker", "outputs": [found]})

    def _answer(self, status, content):
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format, *args):
        pass


@pytest.fixture(scope="module")
def server():
    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.daemon_threads = True
    Thread(target=found.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{found.server_address[1]}"
    found.shutdown()
    found.server_close()


class TestContract(RowModelContract):
    @pytest.fixture
    def model(self, server):
        return InferenceServerModel(f"{server}/v2/models/ranker")

    def expected(self, rows):
        return rows.matrix(hotels.NUMBERS) @ hotels.WEIGHTS


class TestRequests:
    def test_all_rows_go_in_one_request_with_names_shapes_and_types(self, server):
        Handler.posts.clear()
        tables = hotels.tables()
        model = InferenceServerModel(f"{server}/v2/models/ranker/versions/3", headers={"X-Key": "secret"})
        RowScorer(model, tables).score(PairBatch.of(tables.space, [0, 1], [2, 3]))
        (post,) = Handler.posts
        assert post["path"] == "/v2/models/ranker/versions/3/infer"
        assert post["key"] == "secret"
        assert "secret" not in repr(model)
        assert post["body"]["outputs"] == [{"name": "score"}]
        (given,) = post["body"]["inputs"]
        assert (given["name"], given["shape"], given["datatype"]) == ("rows", [2, 6], "FP64")
        assert len(given["data"]) == 12


class TestFaults:
    @pytest.mark.parametrize(
        ("name", "kind", "words"),
        [
            ("missing", ModelError, "answered 404: no such model"),
            ("failing", ModelError, "answered 400: out of memory"),
            ("unnamed", InvalidValueError, "answered without the output 'score'"),
            ("page", InvalidValueError, "answered with what is no JSON object"),
        ],
    )
    def test_each_is_one_line(self, server, name, kind, words):
        with pytest.raises(kind, match=words) as caught:
            _score(InferenceServerModel(f"{server}/v2/models/{name}"))
        assert "\n" not in str(caught.value)

    def test_nobody_listening_is_one_line(self):
        with pytest.raises(ModelError, match=r"cannot be reached .*; is the server running\?"):
            _score(InferenceServerModel("http://127.0.0.1:9/v2/models/ranker"))

    @pytest.mark.parametrize("url", ["127.0.0.1/v2/models/x", "http://host/models/x", "ftp://host/v2/models/x"])
    def test_an_address_of_no_model_is_refused(self, url):
        with pytest.raises(ConfigError, match="is no model's address"):
            InferenceServerModel(url)

    def test_json_has_no_word_for_absent(self, server):
        items = hotels.hotels().to_dict(as_series=False)
        items["distance"][0] = None
        tables = FrameTables.of(hotels.guests(), hotels.frame(items, "polars"))
        with pytest.raises(InvalidValueError, match="no word for an absent value, and the input 'rows' has one"):
            _score(InferenceServerModel(f"{server}/v2/models/ranker"), tables, item=11)


def _score(model, tables=None, item=0):
    tables = tables or hotels.tables()
    return RowScorer(model, tables).score(PairBatch.of(tables.space, [0], [item]))
