"""``counterec serve``: a page to explore a run and to play what-if, and an API for programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterec.cli.options import Device, Json, Quiet, RunFolder, checked_device
from counterec.cli.streams import print_json, print_line
from counterec.errors import UsageError

if TYPE_CHECKING:
    from counterec.service.settings import Limits, ServiceSettings

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
    jobs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where batch jobs are kept: a local disk. [the user's state]")
    ] = None,
    models: Annotated[
        list[str],
        typer.Option("--model", metavar="NAME", help="A model that stateless questions may name; repeatable."),
    ] = [],  # noqa: B006
    origins: Annotated[
        list[str],
        typer.Option("--allow-origin", metavar="URL", help="Another site whose pages may ask; repeatable."),
    ] = [],  # noqa: B006
    limits: Annotated[
        list[str],
        typer.Option("--limit", metavar="NAME=N", help="Another limit, such as pairs=500 or rate=50; repeatable."),
    ] = [],  # noqa: B006
    log_json: Annotated[bool, typer.Option("--log-json", help="Log one JSON object per line.")] = False,
    device: Device = "cpu",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Serve a run: a page for people, an API for programs."""
    if workers > 1 and not api_only:
        raise UsageError(f"--workers {workers} needs --api-only: the page lives in one process")
    if open_it and api_only:
        raise UsageError("--open and --api-only: there is no page to open")
    _require_extra("fastapi" if api_only else "nicegui", "service" if api_only else "page")
    settings = _settings(folder, host, checked_device(device), no_text, token_file, jobs, models, origins, limits)
    settings = replace(settings, log_json=log_json, quiet=quiet or not (api_only or log_json))

    def started(chosen: int) -> None:
        address = f"http://{LOOPBACK if host in ('0.0.0.0', '::') else host}:{chosen}/"
        if as_json:
            print_json({"run": str(folder), "url": address, "api": f"{address}api/v1"})
        elif not quiet:
            what = "is answered for" if api_only else "is shown"
            print_line(f"{folder} {what} at {address} (its API: {address}api/v1/docs; Ctrl-C ends it)")
        if open_it:
            import webbrowser

            webbrowser.open(address)

    _serve(settings, port, started, workers, api_only)


def _serve(settings: ServiceSettings, port: int, started: Callable[[int], None], workers: int, api_only: bool) -> None:
    import sys

    from counterec.run import open_run
    from counterec.service.api_server import serve_api
    from counterec.service.front.request_log import log_to_standard_error

    def told(chosen: int) -> None:
        started(chosen)
        sys.stdout.flush()  # whoever started this server in the background waits for the line

    open_run(settings.folder)  # what is wrong with the folder is said before anything is started
    log_to_standard_error(settings.log_json, settings.quiet)
    try:
        if api_only:
            serve_api(settings, port, told, workers)
        else:
            from counterec.service.page_server import serve_page

            serve_page(settings, port, told)
    except OSError as error:
        raise UsageError(f"cannot listen on {settings.host}:{port} ({error.strerror}); choose another --port") from None


def _settings(
    folder: Path,
    host: str,
    device: str,
    no_text: bool,
    token_file: Path | None,
    jobs: Path | None,
    models: list[str],
    origins: list[str],
    limits: list[str],
) -> ServiceSettings:
    from counterec.report.privacy import Privacy
    from counterec.service.settings import ServiceSettings, token_of

    return ServiceSettings(
        folder=folder,
        host=host,
        device=device,
        no_text=no_text,
        pseudonym_key=Privacy.without_text().key if no_text else None,
        token=None if token_file is None else token_of(token_file),
        limits=_limits(limits),
        jobs_folder=jobs,
        models=tuple(dict.fromkeys(models)),
        origins=tuple(dict.fromkeys(origins)),
    )


def _limits(given: list[str]) -> Limits:
    from counterec.service.settings import Limits

    known, found = {limit.name for limit in fields(Limits)}, {}
    for text in given:
        name, _, number = (part.strip() for part in text.partition("="))
        if name not in known:
            raise UsageError(f"--limit {text!r}: there is no limit {name!r}; one of {', '.join(sorted(known))}")
        if not number.isdecimal() or len(number) > 15:
            raise UsageError(f"--limit {text!r}: write {name}=NUMBER, such as {name}={getattr(Limits(), name)}")
        found[name] = int(number)
    return Limits(**found)


def _require_extra(module: str, extra: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise UsageError(
            f"{module} is not installed; it comes with the extra {extra}: pip install 'counterec[{extra}]'"
        )
