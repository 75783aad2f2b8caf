"""A run packed for a reader who wants to repeat it: one zip file, without a word of any review.

Only files named here go in: a file that a later stage adds stays out until it is named.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from counterec.errors import StoreError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import beside_of, sha256, writing
from counterec.pipeline.manifest import Manifest, verified_path
from counterec.pipeline.portable_config import CONFIG, outside_files, portable
from counterec.pipeline.toml_writer import as_toml

ENVIRONMENT, CHECKSUMS = "environment.json", "checksums.json"
FILES = (
    layout.SPLIT,
    layout.ASPECTS,
    layout.VOCABULARY,
    layout.MODEL,
    layout.RETRAINED_MODEL,
    layout.MODEL_DESCRIPTION,
    layout.CANDIDATES,
    layout.RULES,
    layout.RECOMMENDATIONS,
    layout.EVALUATION,
)
"""Ids, aspects and numbers. Not reviews and mentions, which are text, nor what the extractor learned from it."""
FOLDERS = ("explanations", "elsewhere", "experiment", "figures")
"""Where stages write further tables, measures and plots."""
PUBLISHED = (".parquet", ".json", ".csv", ".txt", ".md", ".svg", ".png")
TEXT_COLUMNS = {"text", "opinion", "sentence", "words"}
"""A table with one of these columns holds what people wrote, wherever it lies."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip file can hold, and the only one here: the same run gives the same bytes."""


def pack(folder: Path, manifest: Manifest, config: RunConfig, texts: Mapping[str, str], target: Path) -> list[str]:
    """Pack a finished run, and texts made for its reader (name → text), into a zip file; return the names in it."""
    if manifest.unfinished:
        raise StoreError(f"{folder}: the last run was cut short; run it again before packing it")
    members = {name: text.encode() for name, text in texts.items()}
    members |= {name: path.read_bytes() for name, path in _packed(folder, manifest).items()}
    members |= _own_words(config, manifest)
    members[CONFIG] = as_toml(portable(config)).encode("utf-8", "replace")
    members[ENVIRONMENT] = _json(manifest.made_with)
    members[CHECKSUMS] = _json(_checksums(manifest, members))
    with writing(target):
        beside = beside_of(target)
        with zipfile.ZipFile(beside, "w") as archive:
            for name, content in sorted(members.items()):
                archive.writestr(_entry(name), content)
        beside.replace(target)
    return sorted(members)


def _packed(folder: Path, manifest: Manifest) -> dict[str, Path]:
    """The verified files of the run that a reader may have."""
    written = {file for record in manifest.stages.values() for file in record.outputs}
    named = sorted(file for file in written if _as_trained(file) in FILES or _is_published(_as_trained(file)))
    packed = {file: verified_path(folder, manifest, file) for file in named}
    return {file: path for file, path in packed.items() if not _holds_text(path)}


def _as_trained(file: str) -> str:
    """The name of a file of an updated run before it was updated: what a reader may have does not depend on that."""
    return file.removeprefix(layout.UPDATED)


def _is_published(file: str) -> bool:
    return file.split("/")[0] in FOLDERS and file.endswith(PUBLISHED)


def _holds_text(path: Path) -> bool:
    return path.suffix == ".parquet" and not TEXT_COLUMNS.isdisjoint(pl.read_parquet_schema(path))


def _own_words(config: RunConfig, manifest: Manifest) -> dict[str, bytes]:
    """The user's own aspect words, if the file is unchanged: nobody else has them."""
    outside = outside_files(config, manifest).items()
    given = {name: path for name, (path, sha) in outside if path == config.aspects.words and _is_still(path, sha)}
    return {name: path.read_bytes() for name, path in given.items()}


def _is_still(path: Path, checksum: str) -> bool:
    return path.is_file() and sha256(path) == checksum


def _checksums(manifest: Manifest, members: Mapping[str, bytes]) -> dict[str, Any]:
    """What was made from what, packed or not, and what the bundle holds.

    The manifest's warnings stay out: they may quote a broken row.
    """
    stages = {name: {"inputs": r.inputs, "outputs": r.outputs} for name, r in manifest.stages.items()}
    bundle = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(members.items())}
    return {"run": stages, "bundle": bundle}


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # the same permissions wherever it is packed
    entry.external_attr = 0o644 << 16
    return entry
