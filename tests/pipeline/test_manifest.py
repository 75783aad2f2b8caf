"""The manifest: what was made from what, by which settings, with which checksums."""

from __future__ import annotations

import hashlib
import json
import pickle
import pickletools
from pathlib import Path

import pytest

from counterec import open_run
from counterec.errors import StoreError
from tests.pipeline.tiny import MAKER, STAGES, again, contents


def test_it_says_what_was_made_from_what(tiny_run: Path) -> None:
    manifest = json.loads((tiny_run / "manifest.json").read_text())
    assert manifest["format"] == 1
    assert manifest["config"]["lists"] == {"protocol": "full", "k": 5, "negatives": 100}
    assert manifest["config"]["seed"] == 0
    needed = {"counterec", "numpy", "torch", "polars", "safetensors", "pydantic", "python", "platform"}
    assert needed <= set(manifest["versions"])
    assert not {"pytest", "mypy"} & set(manifest["versions"]), "what only developers need computes nothing"
    assert list(manifest["stages"]) == STAGES
    assert manifest["unfinished"] == []
    for name, record in manifest["stages"].items():
        assert record["seconds"] >= 0
        assert all(len(checksum) == 64 for checksum in (record["inputs"] | record["outputs"]).values())
        assert set(record["outputs"]) == {file for file, maker in MAKER.items() if maker == name}
    assert manifest["stages"]["rank"]["inputs"].keys() >= {"model.safetensors", "split.parquet"}
    assert manifest["stages"]["read"]["counts"]["reviews"] == 540
    assert sum(manifest["stages"]["explain single"]["counts"].values()) == 150


def test_checksums_are_those_of_the_files(tiny_run: Path) -> None:
    manifest = json.loads((tiny_run / "manifest.json").read_text())
    outputs = {file: sha for record in manifest["stages"].values() for file, sha in record["outputs"].items()}
    assert outputs == {file: hashlib.sha256(data).hexdigest() for file, data in contents(tiny_run).items()}
    for record in manifest["stages"].values():
        assert record["inputs"].items() <= outputs.items()


def test_nothing_is_pickled_and_nothing_else_lies_about(tiny_run: Path) -> None:
    assert set(contents(tiny_run)) == set(MAKER)
    for file, data in contents(tiny_run).items():
        assert not is_pickle(data), file
        assert data[:4] == b"PAR1" or file.endswith((".json", ".safetensors"))
    assert is_pickle(pickle.dumps({"a": [1]}))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "damaged, it is not JSON"),
        ("[]", "damaged, it does not say of which format it is"),
        ("{}", "damaged, it does not say of which format it is"),
        ('{"format": 99}', "format version 99, this counterec reads 1"),
        ('{"format": 1}', "damaged, it lacks config, sha256, stages, unfinished, versions"),
    ],
)
def test_one_that_cannot_be_used_is_refused_in_one_line(own_run: Path, content: str, says: str) -> None:
    (own_run / "manifest.json").write_text(content)
    for attempt in (lambda: open_run(own_run), lambda: again(own_run)):
        with pytest.raises(StoreError, match=says) as caught:
            attempt()
        assert "manifest.json" in str(caught.value)
        assert str(caught.value).endswith("restore it, or run into another folder with --out")


def is_pickle(data: bytes) -> bool:
    try:
        return bool(list(pickletools.genops(data)))
    except Exception:
        return False
