"""``counterec serve``: a page to explore a run, and to play what-if."""

from __future__ import annotations

from typing import Annotated

import typer

from counterec.cli.options import Device, Json, Quiet, RunFolder, checked_device
from counterec.cli.streams import print_json, print_line
from counterec.errors import UsageError

LOOPBACK = "127.0.0.1"
PORT = 8080


def serve(
    folder: RunFolder,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for a free one.")] = PORT,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Show no review text, and pseudonyms instead of user ids.")
    ] = False,
    device: Device = "cpu",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Show a run as a page: its lists, why each item is there, and what if."""
    from counterec.report.privacy import EVERYTHING, Privacy
    from counterec.run import open_run

    run = open_run(folder, checked_device(device))
    try:
        from counterec.service.page.site import Site
        from counterec.service.server import application
        from counterec.service.server import serve as serve_application
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{error.name} is not installed; it comes with the extra page: pip install 'counterec[page]'"
        ) from None

    def started(chosen: int) -> None:
        address = f"http://{LOOPBACK if host == '0.0.0.0' else host}:{chosen}/"
        if as_json:
            print_json({"run": str(folder), "url": address})
        elif not quiet:
            print_line(f"{folder} is shown at {address} (Ctrl-C ends it)")
        if open_it:
            import webbrowser

            webbrowser.open(address)

    serve_application(application(Site(run, Privacy.without_text() if no_text else EVERYTHING)), host, port, started)
