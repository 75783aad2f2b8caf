"""Packages on the path that nobody installed: a folder with modules and the files that an installer writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_package(
    folder: Path, name: str, points: Mapping[str, Mapping[str, str]], modules: Mapping[str, str], version: str = "1.0"
) -> Path:
    """Write a package into a folder of the path; ``points`` are its entry points by group, ``modules`` its files."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (about / "top_level.txt").write_text("".join(f"{Path(file).stem}\n" for file in modules))
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in own.items()) for group, own in points.items()
    ]
    (about / "entry_points.txt").write_text("\n".join(lines))
    for file, text in modules.items():
        (folder / file).write_text(text)
    return folder
