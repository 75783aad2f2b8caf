"""``counterec plugins``: what other packages bring, and whether it works."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from counterec.cli.options import Json, Quiet
from counterec.cli.streams import out, print_json, print_line
from counterec.errors import PluginError

COLUMNS = ("kind", "name", "package", "version", "loads")


def plugins(quiet: Quiet = False, as_json: Json = False) -> None:
    """List what other packages bring, and whether it loads."""
    found = listed()
    if as_json:
        print_json(found)
    elif quiet:
        for plugin in found:
            print_line(f"{plugin['kind']} {plugin['name']}")
    elif found:
        out.print(_table(found))
    else:
        print_line(_none())


def listed() -> list[dict[str, Any]]:
    """Every plugin; ``error`` says why one does not load, in one line."""
    from counterec.plugins import GROUPS, installed

    found = []
    for kind in GROUPS:
        for plugin in installed(kind):
            error = None
            try:
                plugin.load()
            except PluginError as fault:
                error = str(fault)
            about = {"kind": kind, "name": plugin.name, "package": plugin.package, "version": plugin.version}
            found.append({**about, "loads": error is None, "error": error})
    return found


def _table(found: list[dict[str, Any]]) -> Table:
    table = Table(*COLUMNS)
    for plugin in found:
        loads = "yes" if plugin["loads"] else f"no: {plugin['error']}"
        table.add_row(*(Text(str(plugin[name])) for name in COLUMNS[:-1]), Text(loads))
    return table


def _none() -> str:
    from counterec.plugins import GROUPS

    return f"no plugins are installed; a package brings one by an entry point in {', '.join(GROUPS.values())}"
