"""The grammar of the synthetic reviews: rules read from ``phrases.toml``, which explains the notation, and sentences
made from them.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

_SLOT = re.compile(r"\{(?:(\d):)?([\w.]+)\}")
_WEIGHT = re.compile(r"(\d+)\* (.*)", re.DOTALL)
_BEFORE_VOWEL = re.compile(r"\ba (?=[aeio]|u(?!s[ae]|ni))")
_BEGINNING = re.compile(r"(?:^|(?<=\. ))[a-z]")


class AspectOpinion(NamedTuple):
    """An opinion on an aspect, to be put into words."""

    aspect: str
    positive: bool


class _Rule(NamedTuple):
    """Alternatives and their cumulative weights."""

    texts: tuple[str, ...]
    weights: tuple[int, ...]

    def draw(self, rng: np.random.Generator) -> str:
        return self.texts[bisect_right(self.weights, rng.random() * self.weights[-1])]


@dataclass(frozen=True)
class Grammar:
    """The rules by name, and the plain lists: aspects, mass nouns, abstract nouns, parts of phone names."""

    rules: Mapping[str, _Rule]
    lists: Mapping[str, tuple[str, ...]]

    def say(
        self,
        rule: str,
        rng: np.random.Generator,
        mentions: Sequence[AspectOpinion] = (),
        about: AspectOpinion | None = None,
        **words: str,
    ) -> str:
        """Draw an alternative of the rule and fill its slots; ``words`` fill the slots of these names."""

        def filled(slot: re.Match[str]) -> str:
            number, name = slot.groups()
            subject = mentions[int(number) - 1] if number else about
            if name in words:
                return words[name]
            if subject and name == "aspect":
                return subject.aspect
            if subject and name == "a":
                return "" if subject.aspect in self.lists["mass"] else "a"
            return self.say(name, rng, mentions, subject, **words)

        return _SLOT.sub(filled, self._find(rule, about).draw(rng))

    def _find(self, name: str, about: AspectOpinion | None) -> _Rule:
        """Return the most specific rule of this name, as ``phrases.toml`` explains."""
        return next(self.rules[full] for full in self._full_names(name, about) if full in self.rules)

    def _full_names(self, name: str, about: AspectOpinion | None) -> Iterator[str]:
        yield name
        if about:
            sentiment = "good" if about.positive else "bad"
            yield f"own.{about.aspect}.{sentiment}.{name}"
            if about.aspect in self.lists["abstracts"]:
                yield f"abstract.{sentiment}.{name}"
            yield f"{sentiment}.{name}"
        yield f"any.{name}"


@cache
def grammar() -> Grammar:
    """Return the grammar of ``phrases.toml``, read once."""
    source = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))
    lists = {name: tuple(value) for name, value in source.items() if isinstance(value, list)}
    tables = {name: value for name, value in source.items() if name not in lists}
    return Grammar(rules=dict(_rules(tables)), lists=lists)


def sentence(text: str) -> str:
    """Return a text as sentences: the right article before a vowel, no double spaces, a capital at each beginning."""
    text = _BEFORE_VOWEL.sub("an ", " ".join(text.split()))
    return _BEGINNING.sub(lambda letter: letter.group().upper(), text)


def _rules(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, _Rule]]:
    for name, value in table.items():
        if isinstance(value, list):
            yield prefix + name, _rule(value)
        else:
            yield from _rules(value, f"{prefix}{name}.")


def _rule(alternatives: Sequence[str]) -> _Rule:
    weighted = [match.groups() if (match := _WEIGHT.match(text)) else ("1", text) for text in alternatives]
    return _Rule(tuple(text for _, text in weighted), tuple(accumulate(int(weight) for weight, _ in weighted)))
