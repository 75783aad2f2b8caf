"""What the text of options stands for: constraints on top of those of the run, goals, questions, devices."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from counterec import Constraints, open_run
from counterec.cli.options import checked_goal, checked_question, constrained, each_once, named_number
from counterec.core.explainers.constraints import VALUES
from counterec.core.explainers.goal_names import GOALS
from counterec.errors import ConfigError, CounterecError, UsageError
from counterec.run import Run
from tests.cli.files import counterec
from tests.pipeline.tiny import SETTINGS, again, changed

NONE = Constraints()
USER = "U0004"


class TestConstrained:
    def test_nothing_is_nothing(self) -> None:
        assert constrained(NONE) == NONE

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

    def test_values_by_their_names(self) -> None:
        for values in VALUES:
            assert constrained(NONE, values=values).values == values
            assert constrained(Constraints(values="continuous"), values=values).values == values

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

    def test_both_ends_one_by_one_and_the_same_twice(self) -> None:
        found = constrained(NONE, bounds=["battery=2:", "battery=:4", "battery=2:4"])
        assert (found.lowest, found.highest) == ({"battery": 2.0}, {"battery": 4.0})

    def test_names_with_signs_and_spaces_in_them(self) -> None:
        found = constrained(NONE, bounds=["a=b = 2 : 3 ", "wi-fi:=1:"])
        assert found.lowest == {"a=b": 2.0, "wi-fi:": 1.0}

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

    @pytest.mark.parametrize("text", ["battery", "battery=", "=2", "", "2"])
    def test_a_number_without_a_name_or_a_name_without_a_number(self, text: str) -> None:
        with pytest.raises(UsageError) as caught:
            named_number("--set", text)
        assert str(caught.value) == f"--set {text!r}: write aspect=number, such as battery=2"

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (
                {"keep": ["battery"], "bounds": ["battery=2:"]},
                "battery must not move, and yet has a bound (at least 2)",
            ),
            (
                {"keep": ["battery"], "bounds": ["battery=:2"]},
                "battery must not move, and yet has a bound (at most 2)",
            ),
            ({"bounds": ["battery=4:2"]}, "battery at least 4 and at most 2: no value is both"),
            ({"bounds": ["battery=4:", "battery=:2"]}, "battery at least 4 and at most 2: no value is both"),
            ({"bounds": ["battery=1:", "battery=2:"]}, "--bound: battery is given twice, as 1 and as 2"),
            ({"bounds": ["battery=:4", "battery=:3"]}, "--bound: battery is given twice, as 4 and as 3"),
            ({"bounds": ["battery=nan:"]}, "battery at least nan: a bound is a finite number"),
            ({"most": 0}, "at most 0 aspects"),
            ({"values": "any"}, "--values 'any': use reachable or continuous"),
            ({"values": ""}, "--values '': use reachable or continuous"),
        ],
    )
    def test_contradictions_are_named(self, options, says: str) -> None:
        with pytest.raises(UsageError) as caught:
            constrained(NONE, **options)
        assert says in str(caught.value)

    def test_contradictions_of_the_run_and_the_command_line(self) -> None:
        with pytest.raises(ConfigError, match="battery must not move, and yet has a bound"):
            constrained(Constraints(keep=("battery",)), bounds=["battery=2:"])
        with pytest.raises(ConfigError, match="battery at least 3 and at most 2: no value is both"):
            constrained(Constraints(lowest={"battery": 3.0}), bounds=["battery=:2"])

    def test_each_once_takes_nothing_for_nothing(self) -> None:
        assert each_once("--set", [("a", None), ("b", 1.0), ("b", 1.0)]) == {"b": 1.0}


class TestNames:
    def test_goals(self) -> None:
        assert [checked_goal(goal) for goal in GOALS] == list(GOALS)
        with pytest.raises(UsageError, match="unknown goal 'tidy'; use one of relaxed, single, minimal, complete"):
            checked_goal("tidy")

    @pytest.mark.parametrize(
        ("name", "match_values", "kind"),
        [
            ("why", False, "why"),
            ("why_not", False, "why_not"),
            ("why-not", False, "why_not"),
            ("why_rather", False, "why_rather"),
            ("why-rather", True, "why_rather_takes"),
        ],
    )
    def test_questions(self, name: str, match_values: bool, kind: str) -> None:
        assert checked_question(name, match_values) == kind

    @pytest.mark.parametrize("name", ["why", "why_not"])
    def test_only_a_comparison_can_match_values(self, name: str) -> None:
        with pytest.raises(UsageError, match="--match-values needs --question why_rather"):
            checked_question(name, True)


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

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (["--keep", "A", "--bound", "A=2:"], "A must not move, and yet has a bound (at least 2)"),
            (["--bound", "A=4:2"], "A at least 4 and at most 2: no value is both"),
            (["--bound", "A=1:", "--bound", "A=3:"], "A is given twice, as 1 and as 3"),
            (["--bound", "A=9:"], "A at least 9: its scale is 1 to 5, or 0 for absent"),
            (["--bound", "A=:0.5"], "A at most 0.5: its scale is 1 to 5, or 0 for absent"),
            (["--keep", "nothing"], "no aspect 'nothing' here"),
            (["--bound", "nothing=2:"], "no aspect 'nothing' here"),
            (["--most", "-1"], "at most -1 aspects: at least 1 must be allowed to move"),
        ],
    )
    @pytest.mark.parametrize("question", ["why", "why_not"])
    def test_contradictions_are_usage(self, tiny_run: Path, aspects, options, says: str, question: str) -> None:
        def real(text: str) -> str:
            return text.replace("A ", f"{aspects[0]} ") if " " in text else text.replace("A", aspects[0])

        pair = ["--user", USER] if question == "why" else ["--user", USER, "--item", "P0001", "--question", "why_not"]
        outcome = counterec("explain", tiny_run, *pair, *map(real, options))
        assert outcome.status == 2
        assert real(says) in outcome.error

    def test_every_aspect_fixed(self, tiny_run: Path, aspects) -> None:
        options = [option for aspect in aspects for option in ("--keep", aspect)]
        outcome = counterec("explain", tiny_run, "--user", USER, *options)
        assert outcome.status == 2
        assert outcome.error == "every aspect must not move: nothing is left to change"
