"""The service under load, on loopback, from a second process: requests a second, latency, memory.

    python -m benchmarks.service RUN... [--workers 1 2] [--connections 8] [--requests 1500] [--endurance 20000]
        [--yelp-size NEW_RUN] [--out PAGE]

Explain asks about one pair, a different one each time, by the goal *minimal*; what-if changes one aspect of one listed
item. Nothing is cached by result. A bare FastAPI handler that returns a constant is measured beside it. Client and
server share the machine. Each measurement ends after ``--seconds``, whatever is left. ``--yelp-size`` measures one more
run, which is made if it is not there: a world of the size of the paper's Yelp with a small net, hardly trained. Memory
is watched on the first run, with the first number of server processes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from scripts.generated_run import make_generated

from counterec.run import Run, open_run
from counterec.synthetic.world import YELP


@dataclass(frozen=True)
class Load:
    """What was measured: the latencies of all requests, how many failed, and how long it took."""

    latencies: Sequence[float]
    failed: int
    seconds: float

    def row(self, name: str, processes: int) -> str:
        """A row of the table."""
        ms = 1000 * np.percentile(self.latencies, (50, 95, 99))
        rate = len(self.latencies) / self.seconds
        return (
            f"| {name} | {processes} | {len(self.latencies):,} | {rate:,.0f} | {ms[0]:.1f} | {ms[1]:.1f} | "
            f"{ms[2]:.1f} | {self.failed} |"
        )


def main() -> None:
    options = parse()
    if options.yelp_size and not options.yelp_size.exists():
        make_generated(options.yelp_size, YELP)
    lines = [*heading(options)]
    for folder in [*options.runs, *([options.yelp_size] if options.yelp_size else [])]:
        lines += of_run(folder, options)
    if options.endurance:
        lines += endurance(options)
    print("\n".join(lines))
    if options.out is not None:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def of_run(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    """The section of a run: a bare handler, and the service with each number of processes."""
    run = open_run(folder)
    size = f"{len(run.space.users):,} users, {len(run.space.items):,} items, {len(run.space.aspects):,} aspects"
    yield f"\n## {run.config.model.kind}: {size}\n"
    yield "| request | server processes | requests | per second | p50, ms | p95, ms | p99, ms | failed |"
    yield "|---|---|---|---|---|---|---|---|"
    asked, changed = explain_bodies(run, options.requests), what_ifs(run, options)
    with started("-m", "benchmarks.bare_handler", "0") as (url, _):
        yield measured(url, "/api/v1/explain", asked, options).row("a bare handler", 1)
    for workers in options.workers:
        with serving(folder, workers) as (url, _):
            measured(url, "/api/v1/explain", asked[:50], options)  # everything is loaded
            yield measured(url, "/api/v1/explain", asked, options).row("explain", workers)
            yield measured(url, "/api/v1/what-if", changed, options).row("what-if", workers)


def serving(folder: Path, workers: int) -> AbstractContextManager[tuple[str, int]]:
    """The service of a run without the page."""
    serve = ("-m", "counterec.cli.main", "serve", folder, "--api-only", "--port", "0", "--json")
    return started(*serve, "--workers", workers)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--yelp-size", type=Path, metavar="NEW_RUN")
    parser.add_argument("--workers", type=int, nargs="+", default=[1])
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--requests", type=int, default=1500)
    parser.add_argument("--endurance", type=int, default=0, help="requests over which the memory is watched")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def heading(options: argparse.Namespace) -> Iterator[str]:
    yield "# The service under load\n"
    yield f"`python -m benchmarks.service` on {machine()}. Client and server share {os.cpu_count()} cores;"
    yield f"{options.connections} connections at once; load average before: {os.getloadavg()[0]:.1f}."


def machine() -> str:
    """The processor and the system."""
    cpu = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in cpu.read_text().splitlines() if "model name" in line]
    return f"{names[0] if names else platform.processor()}, {platform.system()}, Python {platform.python_version()}"


def explain_bodies(run: Run, count: int) -> list[bytes]:
    """Questions about recommendations in a random order: every pair once before any comes again."""
    rows, _, items = run.recommendations.pairs()
    users, texts = run.recommendations.users[rows].tolist(), run.space
    pairs = list(zip(users, items.tolist(), strict=True))
    random.Random(0).shuffle(pairs)
    found = (pairs * (count // len(pairs) + 1))[:count]
    return [
        json.dumps(
            {"pairs": [{"user_id": texts.users.texts[user], "item_id": texts.items.texts[item]}], "goal": "minimal"}
        ).encode()
        for user, item in found
    ]


def what_ifs(run: Run, options: argparse.Namespace) -> list[bytes]:
    """One aspect of one listed item at another value that it can have."""
    choice, bodies = random.Random(1), []
    for body in explain_bodies(run, options.requests):
        pair = json.loads(body)["pairs"][0]
        item = run.space.items.number(pair["item_id"])
        aspect = choice.choice(np.flatnonzero(run.space.item_quality[item] != run.space.scale.absent).tolist())
        low = float(run.space.scale.low[aspect])
        changes = {pair["item_id"]: {run.space.aspects.texts[aspect]: low}}
        bodies.append(json.dumps({"user_id": pair["user_id"], "changes": changes}).encode())
    return bodies


@contextmanager
def started(*arguments: object) -> Iterator[tuple[str, int]]:
    """A server process: its address, and its number."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *map(str, arguments)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        told = "".join(iter(process.stdout.readline, "}\n")) + "}"
        try:
            yield json.loads(told)["url"], process.pid
        finally:
            process.terminate()


def measured(url: str, path: str, bodies: Sequence[bytes], options: argparse.Namespace) -> Load:
    """Send the bodies over several connections, each as soon as its last answer is there."""
    return asyncio.run(_measured(url, path, bodies, options.connections, options.seconds))


async def _measured(url: str, path: str, bodies: Sequence[bytes], connections: int, seconds: float) -> Load:
    address, left = urlsplit(url), iter(bodies)
    latencies: list[float] = []
    failed, begun = 0, time.perf_counter()

    async def connection() -> None:
        nonlocal failed
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        for body in left:
            if time.perf_counter() - begun > seconds:
                break
            head = f"POST {path} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
            sent = time.perf_counter()
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            status = await _answer(reader)
            latencies.append(time.perf_counter() - sent)
            failed += status != 200
        writer.close()

    await asyncio.gather(*(connection() for _ in range(connections)))
    return Load(latencies, failed, time.perf_counter() - begun)


async def _answer(reader: asyncio.StreamReader) -> int:
    """Read an answer; its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
    await reader.readexactly(length)
    return int(head.split()[1])


def endurance(options: argparse.Namespace) -> Iterator[str]:
    """The memory of the server over many requests."""
    yield "\n## Memory of the first run\n"
    yield "| requests so far | memory of all server processes, MiB |"
    yield "|---|---|"
    part = max(1, options.endurance // 10)
    bodies = explain_bodies(open_run(options.runs[0]), part)
    with serving(options.runs[0], options.workers[0]) as (url, process):
        for done in range(0, options.endurance + 1, part):
            yield f"| {done:,} | {memory(process):.0f} |"
            if done < options.endurance:
                measured(url, "/api/v1/explain", bodies, options)


def memory(process: int) -> float:
    """The resident memory of a process and those it has started, in MiB."""
    total = 0.0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if process in (int(entry.name), parent):
                lines = (entry / "status").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
        except OSError:
            continue
    return total


if __name__ == "__main__":
    main()
