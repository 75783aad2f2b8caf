"""``counterec serve``: a page to explore a run and to play what-if, and an API for programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.options import Device, Json, RunFolder, checked_device
from counterec.cli.output import print_json, print_line
from counterec.errors import UsageError

LOOPBACK = "127.0.0.1"
PORT = 8080


def serve(
    folder: RunFolder,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for all, which needs --token-file.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for a free one.")] = PORT,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Show no review text, and pseudonyms instead of user ids.")
    ] = False,
    api_only: Annotated[bool, typer.Option("--api-only", help="No page: the API under /api/v1 alone.")] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes that answer; more than 1 with --api-only.")] = 1,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file with the token that clients must show.")
    ] = None,
    device: Device = "cpu",
    as_json: Json = False,
) -> None:
    """Serve a run: a page for people, an API for programs."""
    if workers > 1 and not api_only:
        raise UsageError(f"--workers {workers} needs --api-only: the page lives in one process")
    if open_it and api_only:
        raise UsageError("--open and --api-only: there is no page to open")
    _require_extra("fastapi" if api_only else "nicegui", "service" if api_only else "page")

    from counterec.report.privacy import Privacy
    from counterec.run import open_run
    from counterec.service.serve import ServiceSettings, read_token
    from counterec.service.serve import serve as serve_run

    key = Privacy.without_text().key if no_text else None
    settings = ServiceSettings(
        folder=folder,
        host=host,
        device=checked_device(device),
        api_only=api_only,
        pseudonym_key=None if key is None else key.hex(),
        token=None if token_file is None else read_token(token_file),
    )
    open_run(folder)  # refuse a broken folder before anything is started

    def announce(chosen: int) -> None:
        address = f"http://{LOOPBACK if host in ('0.0.0.0', '::') else host}:{chosen}/"
        if as_json:
            print_json({"run": str(folder), "url": address, "api": f"{address}api/v1"})
        else:
            what = "is answered for" if api_only else "is shown"
            print_line(f"{folder} {what} at {address} (its API: {address}api/v1/docs; Ctrl-C ends it)")
        sys.stdout.flush()  # a program that started this server waits for the line
        if open_it:
            import webbrowser

            webbrowser.open(address)

    try:
        serve_run(settings, port, workers, announce)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise UsageError(f"cannot listen on {host}:{port} ({reason}); choose another --port") from None


def _require_extra(module: str, extra: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise UsageError(
            f"{module} is not installed; it comes with the extra {extra}: pip install 'counterec[{extra}]'"
        )
