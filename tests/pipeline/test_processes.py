"""Work shared among processes: the order of the results, and what a run makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec import make_config, make_run
from counterec.pipeline import layout
from counterec.pipeline.processes import workers
from counterec.pipeline.stages import extract
from tests.pipeline.tiny import SETTINGS, changed

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_work(processes: int) -> None:
    with workers(processes) as share:
        assert list(share(abs, range(-9, 0))) == list(range(9, 0, -1))
        assert list(share(str, [])) == []
        with pytest.raises(ZeroDivisionError):
            list(share((1).__truediv__, [1, 0, 2]))


def test_a_run_in_two_processes_has_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = tmp_path / "words.toml"
    words.write_text('forbidden = ["price"]\n')
    config = make_config(changed(SETTINGS, aspects={"words": str(words)}), "test")
    make_run(config, tmp_path / "alone")
    monkeypatch.setattr(extract, "TEXTS_AT_ONCE", 70)
    make_run(config, tmp_path / "shared", processes=2)
    for file in (layout.MENTIONS, layout.LEARNED):
        assert (tmp_path / "shared" / file).read_bytes() == (tmp_path / "alone" / file).read_bytes()
