"""The built-in world as tables: reviews of phones in plain English, the mentions planted in them, and phone names.

A review says each of its planted mentions exactly once, alone or several in a sentence, among sentences that hold no
opinion of any aspect. Each user writes in a style of their own: some without capitals, some with typos.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from counterec.core.arrays import IntVector
from counterec.data.tables import REVIEWS, checked
from counterec.randomness import generator
from counterec.synthetic.matrices import PlantedWorld
from counterec.synthetic.phrases import MethodAnswers, grammar, sentence

FIRST_DAY = np.datetime64("2019-01-01")
"""Day 0 of the world."""

_LONG_WORD = re.compile(r"\b[a-z]{5,}\b")
_NUMBERED = "feature"


@dataclass(frozen=True)
class _Style:
    """How one user writes; the rates are chances per sentence, for typos per long word."""

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


def planted_reviews(world: PlantedWorld, seed: int) -> pl.DataFrame:
    """The reviews of the world, one row an interaction, in the world's order."""
    names = list(item_names(world, seed).values())
    models = [names[item] for item in world.interactions.items]
    said = _said_by_interaction(world)
    starts = np.searchsorted(world.interactions.users, np.arange(world.size.users + 1))
    written = []
    for user, (start, end) in enumerate(pairwise(starts)):
        rng = generator(seed, "review texts", user)
        style = _Style.draw(rng)
        for mentions, model in zip(said[start:end], models[start:end], strict=True):
            written.append((_rating(mentions, rng), _review(mentions, model, style, rng)))
    days = FIRST_DAY + world.interactions.days.astype("timedelta64[D]")
    columns = [*_pair_ids(world, slice(None)), days.astype("datetime64[us]"), *zip(*written, strict=True)]
    frame = pl.DataFrame(dict(zip(REVIEWS, columns, strict=True)), schema=dict(REVIEWS))
    return checked(frame, REVIEWS, "reviews")


def planted_mentions(world: PlantedWorld) -> pl.DataFrame:
    """The truth to compare an extractor with: user_id, item_id, aspect, sentiment."""
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
    """The first ``count`` aspects of the domain; where it has no more, numbered ones."""
    known = grammar().lists["aspects"]
    return known[:count] + tuple(f"{_NUMBERED} {number}" for number in range(len(known) + 1, count + 1))


def item_names(world: PlantedWorld, seed: int) -> dict[str, str]:
    """A name for every item, by its id; invented, and no name twice."""
    makers, lines, marks = (grammar().lists[part] for part in ("makers", "lines", "marks"))
    # Few items have few marks among them, so that most names stay short; very many need numbers for marks.
    shape = (len(makers), len(lines), 4 + world.size.items // (len(makers) * len(lines)))
    marks += tuple(str(number) for number in range(len(marks), shape[-1]))
    drawn = generator(seed, "item names").permutation(math.prod(shape))[: world.size.items]
    parts = zip(*np.unravel_index(drawn, shape), strict=True)
    names = (f"{makers[maker]} {lines[line]} {marks[mark]}".strip() for maker, line, mark in parts)
    return dict(zip(_ids("P", world.size.items), names, strict=True))


def _ids(letter: str, count: int) -> list[str]:
    """Ids like P0001, padded so that their sorted order is their number."""
    width = max(4, len(str(count)))
    return [f"{letter}{number:0{width}d}" for number in range(1, count + 1)]


def _pair_ids(world: PlantedWorld, rows: slice | IntVector) -> tuple[list[str], list[str]]:
    """The ids of the users and items of these interactions."""
    users = np.array(_ids("U", world.size.users))[world.interactions.users[rows]]
    items = np.array(_ids("P", world.size.items))[world.interactions.items[rows]]
    return users.tolist(), items.tolist()


def _said_by_interaction(world: PlantedWorld) -> list[list[MethodAnswers]]:
    names = aspect_names(world.size.aspects)
    said: list[list[MethodAnswers]] = [[] for _ in range(len(world.interactions))]
    mentions = world.mentions
    for number, aspect, sentiment in zip(mentions.interactions, mentions.aspects, mentions.sentiments, strict=True):
        said[number].append(MethodAnswers(names[aspect], bool(sentiment > 0)))
    return said


def _rating(said: Sequence[MethodAnswers], rng: np.random.Generator) -> float:
    """One to five stars, after the mean sentiment; who says nothing in particular is content."""
    mean = np.mean([1 if mention.positive else -1 for mention in said]) if said else 0.4
    return float(np.clip(np.rint(3.2 + 1.5 * mean + rng.normal(0, 0.6)), 1, 5))


def _review(said: Sequence[MethodAnswers], model: str, style: _Style, rng: np.random.Generator) -> str:
    """One review: its mentions in sentences, and sentences about nothing among them."""
    sentences = [_opinion(group, model, style, rng) for group in _groups(said, rng)]
    for _ in range(max(0 if said else 1, rng.poisson(style.chats))):
        filler = sentence(grammar().say("filler", rng, model=model))
        sentences.insert(rng.integers(0, len(sentences) + 1), filler)
    if said and rng.random() < 0.1:
        liked = sum(mention.positive for mention in said) * 2 > len(said)
        sentences.append(grammar().say("good.closing" if liked else "bad.closing", rng))
    text = _misspelt("".join(one + _gap(one, style, rng) for one in sentences).strip(), style, rng)
    return text if style.capitals else text.lower()


def _groups(said: Sequence[MethodAnswers], rng: np.random.Generator) -> Iterator[list[MethodAnswers]]:
    """The mentions in random order, one to three a sentence."""
    order = [said[number] for number in rng.permutation(len(said))]
    while order:
        size = int(rng.choice([1, 2, 3], p=[0.55, 0.37, 0.08]))
        yield order[:size]
        order = order[size:]


def _opinion(group: list[MethodAnswers], model: str, style: _Style, rng: np.random.Generator) -> str:
    """A sentence that says these mentions."""
    alike = len({mention.positive for mention in group}) == 1
    rule = {1: "one", 2: "two_alike" if alike else "two_unlike", 3: "three"}[len(group)]
    end = "!" * int(rng.integers(1, 3)) if rng.random() < style.exclaims else "."
    if rng.random() < style.smiles:
        end += " " + grammar().say("emoji", rng, about=group[0] if alike else None)
    return sentence(grammar().say(rule, rng, group, model=model)) + end


def _gap(before: str, style: _Style, rng: np.random.Generator) -> str:
    """The space after a sentence, which some forget."""
    return "" if before.endswith(".") and rng.random() < style.hurries else " "


def _misspelt(text: str, style: _Style, rng: np.random.Generator) -> str:
    """The text with some typos in long words, the names of aspects spared: who cannot be read says nothing."""
    spared = {_NUMBERED, *" ".join(grammar().lists["aspects"]).split()}

    def typed(match: re.Match[str]) -> str:
        word = match.group()
        if word in spared or rng.random() >= style.misspells:
            return word
        at = int(rng.integers(1, len(word) - 1))
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return (swapped, word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:])[rng.integers(3)]

    return _LONG_WORD.sub(typed, text) if style.misspells else text
