"""Plugins: found by entry points, loaded when used, and one line that names the package where one is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterec.errors import PluginError, UsageError
from counterec.plugins import GROUPS, guarded, installed, plugin_named
from tests.cli.files import counterec
from tests.packages import write_package

POINTS = {
    "counterec.extractors": {
        "fine": "fine_plugin:make",
        "missing": "no_such_module:make",
        "constant": "fine_plugin:NUMBER",
    },
    "counterec.rankers": {"raises": "raising_plugin:ranker", "quits": "quitting_plugin:ranker"},
    "counterec.models": {"other": "fine_plugin:make"},
}
MODULES = {
    "fine_plugin.py": "NUMBER = 7\ndef make(scorer): ...\n",
    "raising_plugin.py": "raise RuntimeError('no licence\\nsecond line')\n",
    "quitting_plugin.py": "raise SystemExit(3)\n",
}


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_package(tmp_path / "site", "some-package", POINTS, MODULES, version="2.5")
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_nothing_is_there_unless_it_is_installed() -> None:
    assert [plugin for kind in GROUPS for plugin in installed(kind)] == []
    assert counterec("plugins").text.startswith("no plugins are installed; a package brings one by an entry point in")
    assert counterec("plugins", "--json").json == []
    assert counterec("plugins", "--quiet").out == ""


def test_a_plugin_knows_its_package(packages: Path) -> None:
    plugin = plugin_named("extractor", "fine")
    assert (plugin.kind, plugin.name, plugin.package, plugin.version) == ("extractor", "fine", "some-package", "2.5")
    assert plugin.code == "fine_plugin"
    assert plugin.load().__name__ == "make"


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("extractor", "missing", r"does not work \(ModuleNotFoundError: No module named 'no_such_module'\)"),
        ("extractor", "constant", "fine_plugin:NUMBER is a int, not a function or class that makes an extractor"),
        ("ranker", "raises", r"does not work \(RuntimeError: no licence\); repair or uninstall some-package"),
        ("ranker", "quits", r"does not work \(SystemExit: 3\)"),
        ("model", "other", "fine_plugin:make is a function, not a ModelKind of the same name"),
    ],
)
def test_a_broken_one_is_one_line_that_names_the_package(packages: Path, kind, name: str, why: str) -> None:
    with pytest.raises(PluginError, match=why) as error:
        plugin_named(kind, name).load()
    assert f"the {kind} '{name}' of the package some-package 2.5" in str(error.value)
    assert "\n" not in str(error.value)


def test_the_list_says_what_loads(packages: Path) -> None:
    found = {(one["kind"], one["name"]): one for one in counterec("plugins", "--json").json}
    assert {key: one["loads"] for key, one in found.items()} == {
        ("model", "other"): False,
        ("extractor", "constant"): False,
        ("extractor", "fine"): True,
        ("extractor", "missing"): False,
        ("ranker", "quits"): False,
        ("ranker", "raises"): False,
    }
    assert found["extractor", "fine"] == {
        "kind": "extractor",
        "name": "fine",
        "package": "some-package",
        "version": "2.5",
        "loads": True,
        "error": None,
    }
    printed = counterec("plugins")
    assert printed.status == 0
    assert "no such" not in printed.err
    assert printed.text.count("some-package") >= 6
    assert "extractor fine\n" in counterec("plugins", "-q").out


def test_an_unknown_name_lists_those_that_there_are(packages: Path) -> None:
    with pytest.raises(UsageError, match="no extractor 'magic'; there are constant, fine, missing"):
        plugin_named("extractor", "magic")


def test_an_unknown_name_where_nothing_is_installed() -> None:
    with pytest.raises(UsageError, match="no ranker 'magic'; no package that is installed brings any"):
        plugin_named("ranker", "magic")


def test_a_name_that_two_packages_bring_is_refused(packages: Path) -> None:
    write_package(packages, "another", {"counterec.extractors": {"fine": "fine_plugin:make"}}, {})
    with pytest.raises(PluginError, match="the extractor 'fine' is brought by another and some-package"):
        plugin_named("extractor", "fine")


def test_a_name_becomes_a_file_and_must_look_like_one(packages: Path) -> None:
    write_package(packages, "odd", {"counterec.rankers": {"../up": "fine_plugin:make"}}, {})
    with pytest.raises(PluginError, match="its name must be made of letters"):
        plugin_named("ranker", "../up").load()


def test_what_a_plugin_raises_later_names_it_and_what_is_ours_is_left_alone(packages: Path) -> None:
    named = r"the model 'other' of the package some-package 2.5 .*ZeroDivisionError"
    with pytest.raises(PluginError, match=named), guarded("model", "other"):
        _ = 1 / 0
    with pytest.raises(ZeroDivisionError), guarded("model", "net"):
        _ = 1 / 0
    with pytest.raises(UsageError, match="as it is"), guarded("model", "other"):
        raise UsageError("as it is")
