"""How the run was made: settings, versions, seed, stages and checksums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from counterec.pipeline.portable_config import outside_files, portable
from counterec.report.document.inputs import ReportInputs
from counterec.report.html import Section, folded, paragraph, seconds, table
from counterec.wording.markup import Markup, element, together

SHOWN_DIGITS = 16
"""How much of a checksum is shown; the manifest has all of it."""


def settings_section(inputs: ReportInputs) -> Section:
    """The section."""
    manifest = inputs.folder.manifest
    ended = [record.ended for record in manifest.finished.values() if record.ended]
    when = f" It was finished on {max(ended)[:10]}." if ended else ""
    seed = f"Everything random was drawn from the seed {inputs.folder.config.seed}.{when}"
    body = together(
        paragraph(seed),
        folded("Settings", _settings(inputs)),
        folded("Versions", table(["package", "version"], list(manifest.made_with.items()), label="Versions", texts=2)),
        folded("Stages", _stages(inputs)),
        folded("Checksums", _checksums(inputs)),
    )
    return Section("settings", "How this was made", body)


def _settings(inputs: ReportInputs) -> Markup:
    """Every setting; a path is only a name."""
    rows = [[name, shown] for name, shown in _flat(portable(inputs.folder.config))]
    return table(["setting", "value"], rows, label="Settings", texts=2)


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple, dict)):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value)


def _stages(inputs: ReportInputs) -> Markup:
    rows = [[name, seconds(record.seconds)] for name, record in inputs.folder.manifest.finished.items()]
    return table(["stage", "time"], rows, label="Stages")


def _checksums(inputs: ReportInputs) -> Markup:
    """The beginning of the SHA-256 of every file that was read or written."""
    manifest = inputs.folder.manifest
    read = {f"{name} (source)": sha for name, (_, sha) in outside_files(inputs.folder.config, manifest).items()}
    written = {name: sha for record in manifest.finished.values() for name, sha in record.outputs.items()}
    rows = [[name, element("code", sha[:SHOWN_DIGITS])] for name, sha in {**read, **written}.items()]
    note = f"The first {SHOWN_DIGITS} digits of each SHA-256; manifest.json has them in full."
    return together(table(["file", "SHA-256"], rows, label="Checksums", texts=2), paragraph(note, small=True))
