"""A run in a few lines, as a notebook shows it."""

from __future__ import annotations

from counterec.errors import StoreError
from counterec.pipeline import layout
from counterec.pipeline.folder import RunFolder
from counterec.wording.markup import element, isolated
from counterec.wording.record_html import notebook_card

COUNTED = ("users", "items", "reviews", "aspects")


def run_card(folder: RunFolder) -> str:
    """What the run is made from, by which methods it is explained, and what can be asked of it."""
    try:
        found = folder.statistics
        counts = ", ".join(f"{found[name]:,} {name}" for name in COUNTED)
    except StoreError:  # it was cut short
        counts = "nothing is counted yet"
    done = [method for method in folder.methods if folder.has(layout.explanations_file(method))]
    explained = f"explained by {', '.join(done)}" if done else "not explained yet"
    rows = (
        ("data", counts),
        ("model", folder.config.model.kind),
        ("lists", f"{folder.config.lists.k} items, protocol {folder.config.lists.protocol}, {explained}"),
        ("ask", "run.list_of(user), run.explain(user, item), run.what_if(user, …), run.report()"),
    )
    lines = [element("tr", element("th", name, scope="row"), element("td", isolated(said))) for name, said in rows]
    title = element("p", "Run ", element("strong", isolated(folder.path.resolve().name)), class_="ce-lead")
    return notebook_card(title, element("table", element("tbody", lines)))
