"""The notebook among the examples runs from top to bottom, and shows what it is there to show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of Jupyter's own parts
]

TOUR = Path(__file__).parent.parent / "examples" / "tour.ipynb"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the last line of every code cell gives, by its kind of content."""
    notebook = nbformat.read(TOUR, as_version=4)
    folder = tmp_path_factory.mktemp("tour")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setenv("IPYTHONDIR", str(folder))
        nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return [cell.outputs[-1].data for cell in notebook.cells if cell.cell_type == "code"]


def test_runs_lists_and_answers_show_themselves(outputs: list[dict[str, Any]]) -> None:
    shown = [output.get("text/html", "") for output in outputs]
    assert "80 users" in shown[0]
    assert "The list of U0001" in shown[1]
    assert "would not be recommended." in shown[2]
    assert "checked" in shown[2]


def test_the_same_change_by_hand_takes_it_off(outputs: list[dict[str, Any]]) -> None:
    assert "off the list of 5." in outputs[3]["text/plain"]


def test_the_overview_and_the_report(outputs: list[dict[str, Any]]) -> None:
    assert "decided" in outputs[4]["text/html"]
    assert outputs[5]["text/plain"].startswith("'report.html, ")


def test_it_is_kept_without_what_a_run_leaves_in_it() -> None:
    notebook = nbformat.read(TOUR, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)
