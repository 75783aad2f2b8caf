"""The synthetic world as tables: reviews of phones in plain English, the true mentions in them, and phone names.

A review contains each of its mentions exactly once, one or several to a sentence, among sentences without any opinion
on an aspect. Each user writes in a style of their own: some without capitals, some with typos. Sentences follow the
rules of ``phrases.toml``, which explains their notation.
"""

from __future__ import annotations

import math
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.data.tables import REVIEWS, checked
from counterec.randomness import generator
from counterec.synthetic.world import SyntheticWorld

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


FIRST_DAY = np.datetime64("2019-01-01")
"""Day 0 of the world."""

_LONG_WORD = re.compile(r"\b[a-z]{5,}\b")
_NUMBERED = "feature"


@dataclass(frozen=True)
class _Style:
    """How one user writes: chances per sentence, for typos per long word."""

    capitals: bool
    exclaims: float
    smiles: float
    hurries: float
    misspells: float
    chats: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> _Style:
        return cls(
            capitals=rng.random() > 0.12,
            exclaims=float(rng.choice([0.03, 0.15, 0.5], p=[0.6, 0.3, 0.1])),
            smiles=float(rng.choice([0.0, 0.05, 0.2], p=[0.6, 0.3, 0.1])),
            hurries=float(rng.choice([0.0, 0.1], p=[0.8, 0.2])),
            misspells=float(rng.choice([0.0, 0.005, 0.03], p=[0.4, 0.4, 0.2])),
            chats=rng.uniform(0.7, 2.5),
        )


def synthetic_reviews(world: SyntheticWorld, seed: int) -> pl.DataFrame:
    """Return the reviews of a world, one row per interaction, in the order of the world."""
    names = list(item_names(world, seed).values())
    models = [names[item] for item in world.interactions.items]
    opinions = _opinions_by_interaction(world)
    starts = np.searchsorted(world.interactions.users, np.arange(world.size.users + 1))
    written = []
    for user, (start, end) in enumerate(pairwise(starts)):
        rng = generator(seed, "review texts", user)
        style = _Style.draw(rng)
        for own, model in zip(opinions[start:end], models[start:end], strict=True):
            written.append((_rating(own, rng), _review(own, model, style, rng)))
    days = FIRST_DAY + world.interactions.days.astype("timedelta64[D]")
    columns = [*_pair_ids(world, slice(None)), days.astype("datetime64[us]"), *zip(*written, strict=True)]
    frame = pl.DataFrame(dict(zip(REVIEWS, columns, strict=True)), schema=dict(REVIEWS))
    return checked(frame, REVIEWS, "reviews")


def synthetic_mentions(world: SyntheticWorld) -> pl.DataFrame:
    """Return the true mentions, to compare an extractor with: user_id, item_id, aspect, sentiment."""
    users, items = _pair_ids(world, world.mentions.interactions)
    names = np.array(aspect_names(world.size.aspects))
    return pl.DataFrame(
        {
            "user_id": users,
            "item_id": items,
            "aspect": names[world.mentions.aspects].tolist(),
            "sentiment": world.mentions.sentiments.astype(np.int8),
        }
    )


def aspect_names(count: int) -> tuple[str, ...]:
    """Return the first ``count`` aspects of the domain, and numbered ones beyond its own."""
    known = grammar().lists["aspects"]
    return known[:count] + tuple(f"{_NUMBERED} {number}" for number in range(len(known) + 1, count + 1))


def item_names(world: SyntheticWorld, seed: int) -> dict[str, str]:
    """Return an invented name for every item, by its id; no name occurs twice."""
    makers, lines, marks = (grammar().lists[part] for part in ("makers", "lines", "marks"))
    # Few items use few marks, so that most names stay short; very many need numbers as marks.
    shape = (len(makers), len(lines), 4 + world.size.items // (len(makers) * len(lines)))
    marks += tuple(str(number) for number in range(len(marks), shape[-1]))
    drawn = generator(seed, "item names").permutation(math.prod(shape))[: world.size.items]
    parts = zip(*np.unravel_index(drawn, shape), strict=True)
    names = (f"{makers[maker]} {lines[line]} {marks[mark]}".strip() for maker, line, mark in parts)
    return dict(zip(_ids("P", world.size.items), names, strict=True))


def _ids(letter: str, count: int) -> list[str]:
    """Return ids such as P0001, padded so that their sorted order is their number."""
    width = max(4, len(str(count)))
    return [f"{letter}{number:0{width}d}" for number in range(1, count + 1)]


def _pair_ids(world: SyntheticWorld, rows: slice | IntVector) -> tuple[list[str], list[str]]:
    """Return the ids of the users and items of these interactions."""
    users = np.array(_ids("U", world.size.users))[world.interactions.users[rows]]
    items = np.array(_ids("P", world.size.items))[world.interactions.items[rows]]
    return users.tolist(), items.tolist()


def _opinions_by_interaction(world: SyntheticWorld) -> list[list[AspectOpinion]]:
    names = aspect_names(world.size.aspects)
    opinions: list[list[AspectOpinion]] = [[] for _ in range(len(world.interactions))]
    mentions = world.mentions
    for number, aspect, sentiment in zip(mentions.interactions, mentions.aspects, mentions.sentiments, strict=True):
        opinions[number].append(AspectOpinion(names[aspect], bool(sentiment > 0)))
    return opinions


def _rating(opinions: Sequence[AspectOpinion], rng: np.random.Generator) -> float:
    """Draw one to five stars around the mean sentiment; a reviewer without any opinion is content."""
    mean = np.mean([1 if opinion.positive else -1 for opinion in opinions]) if opinions else 0.4
    return float(np.clip(np.rint(3.2 + 1.5 * mean + rng.normal(0, 0.6)), 1, 5))


def _review(opinions: Sequence[AspectOpinion], model: str, style: _Style, rng: np.random.Generator) -> str:
    """Write one review: its opinions in sentences, and sentences about nothing among them."""
    sentences = [_opinion_sentence(group, model, style, rng) for group in _groups(opinions, rng)]
    for _ in range(max(0 if opinions else 1, rng.poisson(style.chats))):
        filler = sentence(grammar().say("filler", rng, model=model))
        sentences.insert(rng.integers(0, len(sentences) + 1), filler)
    if opinions and rng.random() < 0.1:
        liked = sum(opinion.positive for opinion in opinions) * 2 > len(opinions)
        sentences.append(grammar().say("good.closing" if liked else "bad.closing", rng))
    text = _misspelt("".join(one + _gap(one, style, rng) for one in sentences).strip(), style, rng)
    return text if style.capitals else text.lower()


def _groups(opinions: Sequence[AspectOpinion], rng: np.random.Generator) -> Iterator[list[AspectOpinion]]:
    """Yield the opinions in random order, one to three per sentence."""
    order = [opinions[number] for number in rng.permutation(len(opinions))]
    while order:
        size = int(rng.choice([1, 2, 3], p=[0.55, 0.37, 0.08]))
        yield order[:size]
        order = order[size:]


def _opinion_sentence(group: list[AspectOpinion], model: str, style: _Style, rng: np.random.Generator) -> str:
    """Write a sentence that contains these opinions."""
    alike = len({opinion.positive for opinion in group}) == 1
    rule = {1: "one", 2: "two_alike" if alike else "two_unlike", 3: "three"}[len(group)]
    end = "!" * int(rng.integers(1, 3)) if rng.random() < style.exclaims else "."
    if rng.random() < style.smiles:
        end += " " + grammar().say("emoji", rng, about=group[0] if alike else None)
    return sentence(grammar().say(rule, rng, group, model=model)) + end


def _gap(before: str, style: _Style, rng: np.random.Generator) -> str:
    """Return the space after a sentence, which some users forget."""
    return "" if before.endswith(".") and rng.random() < style.hurries else " "


def _misspelt(text: str, style: _Style, rng: np.random.Generator) -> str:
    """Return the text with typos in some long words, never in the name of an aspect, which would hide the mention."""
    spared = {_NUMBERED, *" ".join(grammar().lists["aspects"]).split()}

    def typed(match: re.Match[str]) -> str:
        word = match.group()
        if word in spared or rng.random() >= style.misspells:
            return word
        at = int(rng.integers(1, len(word) - 1))
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return (swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:])[rng.integers(3)]

    return _LONG_WORD.sub(typed, text) if style.misspells else text
