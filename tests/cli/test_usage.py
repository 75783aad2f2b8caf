"""Wrong usage of every command: one line that says what is wrong, status 2, and nothing is made."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import USER
from tests.cli.files import counterec, write
from tests.pipeline.disk import Disk
from tests.pipeline.tiny import contents

RUN = [
    ("--k 0", "lists.k: it must be 1 or more, not 0"),
    ("--format xml", "unknown format 'xml'; one of amazon, yelp, jsonl, csv, parquet, mentions"),
    ("--protocol mine", "'full', 'sampled' or 'given', not 'mine'"),
    ("--seed -1", "seed: "),
    ("--epochs 0", "epochs is 0"),
    ("--min-user-reviews 6", "--min-user-reviews 6 leaves users no training review"),
    ("--columns 'user= ,item=x'", "write ours=theirs pairs"),
    ("--columns users=x", "unknown column 'users' for jsonl; choose from user, item"),
    ("--aspects nofile.toml", "nofile.toml: cannot be read"),
    ("--k 1000", "--k 1000: of 16 items, at most 10 compete for a list, and one has to stay below it; pass at most 9"),
    ("MENTIONS", "some hold reviews and some mentions; run them separately"),
    ("a.toml b.toml", "are both config files; name one"),
    ("--shard 4", "--shard '4': write it as 3/16, the fourth of sixteen; the first is 0/16"),
    ("--shard 2/2", "--shard 2/2: shards are counted from 0, so that of 2 the last is 1/2"),
    ("--force --shard 0/2", "--shard and --force do not go together"),
    ("--engine ray --shard 0/2", "--engine ray makes all pieces by itself; leave out --shard"),
]
EXTRACT = [
    ("--extractor magic -o m.parquet", "unknown extractor 'magic'; use 'grammar'"),
    ("-o m.xml", "name a .csv, .jsonl or .parquet file"),
    ("-o m.parquet --aspects none.toml", "none.toml: cannot be read"),
]
EXPERIMENT = [
    ("--protocol pager", "--protocol 'pager': use full or sampled; both by default"),
    ("--models abacus", "--models 'abacus': there are "),
    ("--out elsewhere", "--out is for a config file"),
]
SHOW = [
    ("--user u004", "no user 'u004' here; did you mean 'U00"),
    ("--user ''", "no user '' here; there are 30, such as 'U0001'"),
    ("--user [/b]", "no user '[/b]' here"),
    ("--item P001", "no item 'P001' here; did you mean 'P"),
    ("--user USER --item LAST", "LAST is not in the list of USER, which holds FIRST, "),
    ("--method magic", "no explanations by 'magic'; there are "),
    ("--aspect ASPECT", "pass either --user ID or --item ID"),
    ("--aspect ASPECT --user USER --item FIRST", "pass either --user ID or --item ID"),
    ("--aspect glamour --user USER", "'glamour': no such aspect is mentioned"),
    ("--aspect ASPECT --user nobody", "no user 'nobody' here"),
]
EXPLAIN = [
    ("--goal tidy", "unknown goal 'tidy'; use one of relaxed, single, minimal, complete"),
    ("--question whence", "unknown question 'whence'; use why, why_not or why_rather"),
    ("--item FIRST", "--user is missing"),
    ("--versus LAST", "--user is missing"),
    ("--question why_not --item LAST", "--user is missing; name the user whose list the question is about"),
    ("--user USER --question why_not", "why_not needs an item"),
    ("--user USER --question why_rather", "why_rather needs an item"),
    ("--user USER --item FIRST --question why_rather", "needs a second item"),
    ("--user USER --item FIRST --question why_rather --versus FIRST", "than itself"),
    ("--user USER --item FIRST --question why_rather --versus OUTSIDE", "not compete"),
    ("--user USER --item FIRST --versus LAST", "ask why_rather"),
    ("--user USER --item OUTSIDE", "does not compete for the list of USER"),
    ("--user USER --item LAST", "; ask why_not"),
    ("--user USER --item LAST --question why_not --goal complete", "the goal complete"),
    ("--user USER --match-values", "--match-values needs --question why_rather"),
    ("--user USER --by magic", "unknown by 'magic'; use one of aspects, history, both"),
    ("--by history", "answers by history are not stored in the run; name a user, or a file with --out"),
    ("--user USER --item FIRST --question why_not --by history", "by history, only why can be answered, not why_not"),
    ("--user USER --by history --goal single", "goals and constraints do not apply"),
    ("--user USER --by history --keep ASPECT", "goals and constraints do not apply"),
    ("--user USER --keep ASPECT --bound ASPECT=2:", "ASPECT must not move, and yet has a bound (at least 2)"),
    ("--user USER --bound ASPECT=4:2", "ASPECT at least 4 and at most 2: no value is both"),
    ("--user USER --bound ASPECT=1: --bound ASPECT=3:", "ASPECT is given twice, as 1 and as 3"),
    ("--user USER --bound ASPECT=9:", "ASPECT at least 9: its scale is 1 to 5, or 0 for absent"),
    ("--user USER --keep glamour", "no aspect 'glamour' here"),
    ("--user USER --most 0", "at most 0 aspects: at least 1 must be allowed to move"),
    ("--user USER --values low", "--values 'low': use reachable or continuous"),
    ("--user USER --out rows.xlsx", "name a .csv, .jsonl or .parquet file"),
    ("--user USER --at-least 3", "--at-least needs --audience"),
    ("--question why_not --audience USERS", "--audience needs --item"),
    ("--item FIRST --audience USERS", "--audience needs --question why_not and --goal minimal"),
    ("--question why_not --item FIRST --audience USERS --goal single", "needs --question why_not and --goal minimal"),
    ("--question why_not --item FIRST --audience USERS --at-least 0", "--at-least 0: must be 1 or more"),
    ("--question why_not --item FIRST --audience USERS --at-least 31", "at least 31 users cannot be won"),
    ("--question why_not --item FIRST --audience USERS --user USER", "--user cannot be combined with --audience"),
    ("--question why_not --item FIRST --audience USERS --out x.csv", "--out cannot be combined with --audience"),
]
WHATIF = [
    ("--item FIRST", "nothing to change; pass --set, such as --set battery=2.1"),
    ("--item FIRST --set ASPECT", "--set 'ASPECT': write aspect=number, such as battery=2"),
    ("--item FIRST --set =3", "write aspect=number"),
    ("--item FIRST --set ASPECT=low", "--set 'ASPECT=low': 'low' is not a number"),
    ("--item FIRST --set ASPECT=9", "is 9; its scale is 1 to 5, or 0 for absent"),
    ("--item FIRST --set ASPECT=0.5", "is 0.5; its scale is 1 to 5, or 0 for absent"),
    ("--item FIRST --set ASPECT=nan", "is nan; its scale is 1 to 5"),
    ("--item FIRST --set glamour=3", "no aspect 'glamour' here"),
    ("--set nothing:ASPECT=3", "no item 'nothing' here"),
    ("--set ASPECT=3", "names no item; pass --item ID or write ITEM:aspect=value"),
    ("--item FIRST --set LAST:ASPECT=3", "--item FIRST: no --set changes this item"),
    ("--item OUTSIDE --set ASPECT=3", "OUTSIDE does not compete for the list of USER"),
    ("--item FIRST --set ASPECT=3 --set FIRST:ASPECT=2", "is given twice"),
]


@pytest.mark.parametrize(
    ("command", "options", "says"),
    [
        *(("run SOURCE --out NEW", *case) for case in RUN),
        *(("extract SOURCE", *case) for case in EXTRACT),
        *(("experiment TINY", *case) for case in EXPERIMENT),
        *(("show TINY", *case) for case in SHOW),
        *(("explain TINY", *case) for case in EXPLAIN),
        *(("whatif TINY --user USER", *case) for case in WHATIF),
    ],
)
def test_it_is_said_in_one_line(
    tiny_run: Path,
    source: Path,
    disk: Disk,
    ranking: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    options: str,
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "users.txt").write_text("\n".join(disk.users))
    outside = disk.items[np.setdiff1d(np.arange(len(disk.items)), disk.candidates[USER])[0]]
    names = {"SOURCE": str(source), "NEW": "new", "TINY": str(tiny_run), "USERS": "users.txt", "USER": USER}
    names |= {"FIRST": ranking[0], "LAST": ranking[-1], "OUTSIDE": outside, "ASPECT": disk.aspects[0]}
    names |= {"MENTIONS": str(write(tmp_path, "mentions-csv"))}

    def real(text: str) -> str:
        for name, meant in names.items():
            text = text.replace(name, meant)
        return text

    before, there = contents(tiny_run), contents(tmp_path)
    outcome = counterec(*map(real, shlex.split(f"{command} {options}")))
    assert outcome.status == 2, outcome.err
    assert real(says) in outcome.error
    assert (contents(tiny_run), contents(tmp_path)) == (before, there)


@pytest.mark.parametrize("command", ["show", "report", "explain", "whatif --user u --set a=1", "experiment", "merge"])
def test_a_folder_that_is_no_run_is_named(tmp_path: Path, command: str) -> None:
    name, *options = command.split()
    outcome = counterec(name, tmp_path, *options)
    assert outcome.status == 1
    assert f"{tmp_path}: not a run folder" in outcome.error
