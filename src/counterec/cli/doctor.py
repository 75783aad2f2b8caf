"""``counterec doctor``: what a bug report should say about the machine and the installation."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from counterec.cli.options import Json, Quiet
from counterec.cli.streams import print_json, print_line

ADAPTERS = {"lightgbm": "lightgbm", "onnx": "onnxruntime", "pandas": "pandas", "sklearn": "sklearn"}
EXTRAS = {
    "report": ("altair", "vl_convert"),
    "baselines": ("cornac",),
    "ray": ("ray",),
    **{extra: (module,) for extra, module in ADAPTERS.items()},
    "adapters": tuple(ADAPTERS.values()),
    "service": ("fastapi", "fastapi_offline", "prometheus_client", "uvicorn"),
    "page": ("nicegui", "fastapi", "uvicorn"),
}
"""The optional parts → the modules that each needs."""
GIB = 2**30


def doctor(quiet: Quiet = False, as_json: Json = False) -> None:
    """Print what a bug report should say of this machine."""
    found = diagnosis()
    if as_json:
        print_json(found)
    elif not quiet:
        for line in _lines(found):
            print_line(line)


def diagnosis() -> dict[str, Any]:
    """Everything that doctor says, as plain values."""
    from counterec.pipeline.versions import versions

    return {
        "versions": versions(),
        "executable": sys.executable,
        "package": str(Path(__file__).resolve().parents[1]),
        "missing": _missing(),
        "device": _device(),
        "threads": _threads(),
        "memory_free_gib": _free_memory(),
        "disk_free_gib": _free_disk(),
        "extras": {name: _extra(name, modules) for name, modules in EXTRAS.items()},
        "models": _models(),
    }


def _missing() -> list[str]:
    """The packages that counterec needs and that are not there."""
    try:
        needed = requires("counterec") or []
    except PackageNotFoundError:
        return ["counterec (run from a checkout, not installed)"]
    return [name for name in (_required(line) for line in needed) if name and not _installed(name)]


def _required(requirement: str) -> str | None:
    found = re.match(r"[\w.-]+", requirement)
    return found.group() if found and "extra ==" not in requirement else None


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _device() -> dict[str, Any]:
    try:
        import torch
    except ImportError as error:
        return {"cuda": False, "name": f"unknown, PyTorch cannot be imported ({error})"}
    if not torch.cuda.is_available():
        return {"cuda": False, "name": "cpu"}
    free, total = torch.cuda.mem_get_info()
    name = torch.cuda.get_device_name()
    return {"cuda": True, "name": name, "free_gib": round(free / GIB, 1), "total_gib": round(total / GIB, 1)}


def _threads() -> dict[str, Any]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    given = {name: os.environ[name] for name in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS") if name in os.environ}
    try:
        import torch
    except ImportError:
        return {"cores": cores, **given}
    return {"cores": cores, "torch": torch.get_num_threads(), **given}


def _free_memory() -> float | None:
    """GiB that can be had without swapping; None where the system does not say."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _text_of(Path("/proc/meminfo")), re.MULTILINE)
    if found:
        return round(int(found.group(1)) * 1024 / GIB, 1)
    try:
        return round(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GIB, 1)
    except (OSError, ValueError, AttributeError):
        return None


def _text_of(path: Path) -> str:
    """The text of a file; empty where there is none, as on systems other than Linux."""
    try:
        return path.read_text()
    except OSError:
        return ""


def _free_disk() -> float | None:
    """GiB free where runs are written by default."""
    import shutil

    try:
        return round(shutil.disk_usage(Path.cwd()).free / GIB, 1)
    except OSError:
        return None


def _extra(name: str, modules: tuple[str, ...]) -> str:
    absent = [module for module in modules if find_spec(module) is None]
    return f"not installed; pip install 'counterec[{name}]'" if absent else "installed"


def _models() -> list[str]:
    from counterec.pipeline.models import model_names

    return list(model_names())


def _lines(found: dict[str, Any]) -> list[str]:
    """The diagnosis as lines ``name: value``, which can be pasted as they are."""
    device, threads = found["device"], found["threads"]
    memory = f", {device['free_gib']} of {device['total_gib']} GiB free" if device["cuda"] else ""
    lines = [f"{name}: {value}" for name, value in found["versions"].items()]
    lines += [f"executable: {found['executable']}", f"package: {found['package']}"]
    lines += [f"missing: {name}" for name in found["missing"]]
    lines.append(f"device: {device['name']}{memory}")
    lines.append("threads: " + ", ".join(f"{name} {value}" for name, value in threads.items()))
    for what in ("memory", "disk"):
        free = found[f"{what}_free_gib"]
        lines.append(f"{what}: {'unknown' if free is None else f'{free} GiB free'}")
    lines += [f"extra {name}: {state}" for name, state in found["extras"].items()]
    lines.append(f"models: {', '.join(found['models'])}")
    return lines
