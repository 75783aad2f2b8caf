"""What the text of options stands for: constraints on top of those of the run, goals, questions, devices."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from counterec import Constraints, open_run
from counterec.cli.options import constrained
from counterec.errors import CounterecError, UsageError
from counterec.run import Run
from tests.cli.files import counterec
from tests.pipeline.tiny import SETTINGS, again, changed

NONE = Constraints()
USER = "U0004"


class TestConstrained:
    def test_everything(self) -> None:
        found = constrained(
            NONE,
            keep=["price", "screen", "price"],
            bounds=["battery=2:4", "sound=1.5:", "weight=:3"],
            values="continuous",
            most=2,
            only_mentioned=True,
        )
        assert found == Constraints(
            keep=("price", "screen"),
            lowest={"battery": 2.0, "sound": 1.5},
            highest={"battery": 4.0, "weight": 3.0},
            values="continuous",
            most=2,
            masked=True,
        )

    def test_those_of_the_run_hold_unless_others_are_given(self) -> None:
        own = Constraints(("price",), {"battery": 2.0}, {"battery": 4.0}, "continuous", 2, 3, {"sound": 2.0})
        assert constrained(own) == own
        found = constrained(own, ["screen"], ["battery=1:", "weight=:4"], most=1)
        assert found == Constraints(
            keep=("price", "screen"),
            lowest={"battery": 1.0},
            highest={"battery": 4.0, "weight": 4.0},
            values="continuous",
            unreviewed_beyond=2,
            most=1,
            costs={"sound": 2.0},
        )
        assert dict(own.lowest) == {"battery": 2.0}, "the run's own are not written to"

    @pytest.mark.parametrize(
        "text", ["battery", "battery=", "battery=:", "battery= : ", "=2:3", "battery=2", "2:3", ""]
    )
    def test_a_bound_that_is_none(self, text: str) -> None:
        with pytest.raises(UsageError) as caught:
            constrained(NONE, bounds=[text])
        assert str(caught.value).startswith(f"--bound {text!r}: write aspect=low:high")

    @pytest.mark.parametrize(
        ("text", "value"), [("a=x:2", "x"), ("a=2:x", "x"), ("a=1:2:3", "2:3"), ("a=1,5:2", "1,5")]
    )
    def test_a_bound_that_is_no_number(self, text: str, value: str) -> None:
        with pytest.raises(UsageError, match=f"{value!r} is not a number"):
            constrained(NONE, bounds=[text])


class TestOnTheCommandLine:
    """Constraints mean the same in Python, on the command line and in a config file."""

    @pytest.fixture
    def aspects(self, tiny_run: Path) -> tuple[str, ...]:
        return open_run(tiny_run).space.aspects.texts

    def rows(self, folder: Path, *options: object) -> list[tuple]:
        outcome = counterec("explain", folder, "--user", USER, "--json", *options)
        assert outcome.status == 0, outcome.err
        return [(row["item_id"], row["status"], row["aspects"], row["after"]) for row in outcome.json["items"]]

    def test_they_give_the_same_answers(self, tiny_run: Path, aspects, tmp_path: Path) -> None:
        a, b, *_ = aspects
        options = ["--keep", a, "--bound", f"{b}=2:4.5", "--values", "continuous", "--most", "2"]
        written = Constraints((a,), {b: 2.0}, {b: 4.5}, "continuous", most=2)
        free = self.rows(tiny_run)
        on_the_command_line = self.rows(tiny_run, *options)
        table = open_run(tiny_run).explain(USER, constraints=written)
        in_python = table.select("item_id", "status", "aspects", "after").rows()
        assert on_the_command_line == in_python != free
        folder = shutil.copytree(tiny_run, tmp_path / "run")
        bounds = {"lowest": {b: 2.0}, "highest": {b: 4.5}}
        settings = {"keep": [a], **bounds, "values": "continuous", "most": 2}
        recorder = again(folder, changed(SETTINGS, explain={"constraints": settings, "methods": ["minimal"]}))
        assert recorder.made == ["explain minimal", "evaluate"]
        assert self.rows(folder) == on_the_command_line
        kept = open_run(folder).explanations_table("minimal").filter(user_id=USER)
        assert kept.select("item_id", "status", "aspects").rows() == [row[:3] for row in on_the_command_line]
        named = next(aspects[0] for _, _, aspects, _ in on_the_command_line if aspects)
        further = self.rows(folder, "--keep", named, "--most", "1")
        assert further != on_the_command_line
        assert all(len(aspects) <= 1 and not {a, named} & set(aspects) for _, _, aspects, _ in further)

    @pytest.mark.parametrize(
        ("options", "meant"),
        [
            ([], NONE),
            (["--keep", "battery", "--keep", "price"], Constraints(keep=("battery", "price"))),
            (["--bound", "battery=2:4"], Constraints(lowest={"battery": 2.0}, highest={"battery": 4.0})),
            (["--values", "continuous"], Constraints(values="continuous")),
            (["--most", "2"], Constraints(most=2)),
            (["--only-mentioned"], Constraints(masked=True)),
        ],
    )
    @pytest.mark.parametrize("command", ["list", "audience", "file"])
    def test_none_is_lost_on_the_way(
        self, tiny_run: Path, tmp_path: Path, monkeypatch, command: str, options: list[str], meant: Constraints
    ) -> None:
        def check(*_: object, constraints: Constraints, **__: object) -> None:
            assert constraints == meant
            raise CounterecError("checked")

        for name in ("explain", "why_not_for_all"):
            monkeypatch.setattr(Run, name, check)
        (tmp_path / "users.txt").write_text(USER)
        asked = {
            "list": ["explain", tiny_run, "--user", USER],
            "audience": ["explain", tiny_run, "--question", "why_not", "--item", "P0001", "--audience"],
            "file": ["explain", tiny_run, "--out", tmp_path / "out.parquet"],
        }[command]
        if command == "audience":
            asked = [*asked, tmp_path / "users.txt"]
        assert counterec(*asked, *options).error == "checked"
