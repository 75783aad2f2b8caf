"""``counterec explain --audience``: what brings an item into the lists of many users."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import USER
from tests.pipeline.test_questions_on_disk import places

K = 5


@pytest.fixture
def users(disk, tmp_path: Path) -> Path:
    file = tmp_path / "users.txt"
    file.write_text("".join(f" {user}\n\n" for user in disk.users) + disk.users[3])
    return file


@pytest.fixture
def item(disk) -> str:
    """An item that some have in their lists, some could have, and some cannot."""
    listed = [item for rows in disk.lists.values() for item in rows["item_id"].to_list()[:K]]
    kept_out = {item: sum(item not in own for own in disk.candidates.values()) for item in range(len(disk.items))}
    return min(
        (name for name in set(listed) if kept_out[disk.items.index(name)] and 2 <= listed.count(name) <= 12),
        key=lambda name: (listed.count(name), name),
    )


def test_everybody_is_ranked_anew(explain, disk, users: Path, item: str) -> None:
    found = explain("--question", "why_not", "--item", item, "--audience", users, "--at-least", 4, "--json").json
    number = disk.items.index(item)
    open_to_it = [user for user in disk.users if number in disk.candidates[user]]
    had = [user for user in open_to_it if item in disk.lists[user]["item_id"].to_list()[:K]]
    assert (found["status"], found["item_id"], found["wanted"]) == ("explained", item, 4)
    assert (found["asked"], found["left_out"]) == (len(open_to_it), len(disk.users) - len(open_to_it))
    assert found["left_out"] > 0
    assert found["had_it"] == len(had) > 0
    quality = disk.quality(item).copy()
    for aspect, (before, after) in found["changes"].items():
        assert quality[disk.aspects.index(aspect)] == before < after <= 5
        assert after >= 1
        quality[disk.aspects.index(aspect)] = after
    listed = {user for user in open_to_it if places(disk, user, item, quality)[0] <= K}
    assert set(found["entered"]) <= listed - set(had)
    for user in listed - set(had) - set(found["entered"]):  # by less than the margin, which is not enough
        last = disk.lists[user]["score"][K - 1]
        assert disk.score(user, quality) < last + 1.01e-4 * max(1, abs(last))
    assert len(found["entered"]) >= 4
    assert found["kept_it"] == len(listed & set(had))


def test_for_people(explain, disk, users: Path, item: str) -> None:
    asked = ("--question", "why_not", "--item", item, "--audience", users, "--at-least", 4)
    found, outcome = explain(*asked, "--json").json, explain(*asked)
    assert (outcome.status, outcome.err) == (0, "")
    assert found["sentence"] in outcome.text
    assert f"the lists of {len(found['entered'])} of {found['asked']} users" in outcome.text
    assert "left out: " in outcome.text
    assert "is nothing that could be recommended to them." in outcome.text
    for aspect in found["changes"]:
        assert any(aspect in line and "│" in line for line in outcome.out.splitlines())


def test_constraints_hold(explain, disk, users: Path, item: str) -> None:
    asked = ("--question", "why_not", "--item", item, "--audience", users, "--json")
    (first, *_) = explain(*asked).json["changes"]
    found = explain(*asked, "--keep", first).json
    assert first not in found["changes"]


def test_whose_lists(explain, disk, tmp_path: Path) -> None:
    """The file names an unknown user, or only users who cannot get the item."""
    file = tmp_path / "users.txt"
    file.write_text(f"{USER}\n\nU004\n")
    outcome = explain("--question", "why_not", "--item", "P0001", "--audience", file)
    assert outcome.status == 2
    assert outcome.error.startswith(f"{file}, line 3: no user 'U004' here; did you mean ")
    file.write_text(USER)
    taken = disk.items[np.setdiff1d(np.arange(len(disk.items)), disk.candidates[USER])[0]]
    outcome = explain("--question", "why_not", "--item", taken, "--audience", file)
    assert outcome.status == 2
    assert outcome.error == f"{taken} competes for the list of none of these 1 users"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "holds no user id; write one per line"),
        (b" \n\n", "holds no user id; write one per line"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
    ],
)
def test_a_file_of_nobody(explain, tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "users.txt").write_bytes(content)
    outcome = explain("--question", "why_not", "--item", "P0001", "--audience", tmp_path / "users.txt")
    assert outcome.status == 1
    assert outcome.error.startswith(f"{tmp_path / 'users.txt'}: {says}")
