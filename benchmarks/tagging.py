"""What a packaged part-of-speech tagger would give: our letters against letters from its tags.

    python -m benchmarks.tagging --gold ASTE/14res ASTE/14lap

The tagger is the one inside TextBlob: as ``PatternTagger`` runs it (lexicon and endings), and with Brill's rules of
morphology and context, which lie in the same package. Its tags decide the words whose letter is in doubt, or all words
of open classes; the rest of the extractor is ours. Times are those of the processor, the best of three.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

from textblob._text import find_tags as _find_tags
from textblob.en import lexicon, parser
from textblob.en import tag as pattern_tag

from benchmarks.gold import Gold, load_gold, scores
from counterec.extraction.grammar import corpus, extractor
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.grammar.phrases import read
from counterec.extraction.grammar.word_classes import _both_letters, _certain, settled

Tagger = Callable[[list[str]], list[str]]
Settled = Callable[[list[str]], str]

LETTER_OF = {"NN": "N", "JJ": "A", "RB": "R", "VB": "V", "VBD": "F", "VBN": "F", "VBG": "Y"}
DOUBTS = "UZJLHa"
OPEN = DOUBTS + "NARVFY"
PLAIN_CLASS = {"O": "N", "Q": "N", "F": "V", "Y": "V"}
"""The letters of a class beside its main one."""


def as_shipped(words: list[str]) -> list[str]:
    return [tag for _, tag in parser.find_tags(words)]


def with_context(words: list[str]) -> list[str]:
    rules = {"morphology": lexicon.morphology, "context": lexicon.context}
    return [tag for _, tag in _find_tags(words, lexicon=lexicon, **rules)]


def settled_by(tagger: Tagger, decides: str, words: list[str]) -> str:
    """Return a sentence's letters, those it ``decides`` from tags."""
    both = "".join(map(_both_letters, words))
    chosen = [_letter(tag) or own if own in decides else own for own, tag in zip(both[::2], tagger(words), strict=True)]
    certain = _certain("", "".join(chosen))
    return "".join([noun if own == "N" else own for own, noun in zip(certain, both[1::2], strict=True)])


def _letter(tag: str | None) -> str | None:
    return LETTER_OF.get(tag or "") or LETTER_OF.get((tag or "")[:2])


TAGGERS: dict[str, Tagger] = {"as shipped": as_shipped, "with rules of context": with_context}
WAYS: dict[str, Settled] = {
    "ours": settled,
    **{
        f"tagger {how}, {what}": partial(settled_by, tagger, decides)
        for how, tagger in TAGGERS.items()
        for what, decides in (("where in doubt", DOUBTS), ("all open classes", OPEN))
    },
}


def agreement(sentences: Sequence[list[str]]) -> Iterator[str]:
    """How often the settled letters agree with the tags, over words that both take for open classes."""
    for how, tagger in TAGGERS.items():
        cells: Counter[tuple[str, str]] = Counter()
        for words in sentences:
            for letter, tag in zip(settled(words), tagger(words), strict=True):
                pair = PLAIN_CLASS.get(letter, letter), PLAIN_CLASS.get(other := _letter(tag) or "", other)
                if pair[0] in "NVAR" and pair[1] and pair[1] in "NVAR":
                    cells[pair] += 1
        same, total = sum(cells[letter, letter] for letter in "NVAR"), sum(cells.values())
        apart = [(pair, number) for pair, number in cells.most_common() if pair[0] != pair[1]][:4]
        named = ", ".join(f"{ours} for {theirs} {number:,}" for (ours, theirs), number in apart)
        yield f"- tagger {how}: {same / total:.3f} of {total:,} words; most often apart, ours for its: {named}"


def seconds(work: Callable[[], object]) -> float:
    found = []
    for _ in range(3):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def speeds(texts: list[str], sentences: list[list[str]]) -> Iterator[str]:
    works: dict[str, Callable[[], object]] = {
        "our letters": lambda: list(map(settled, sentences)),
        **{f"tagger {how}": partial(_each, tagger, sentences) for how, tagger in TAGGERS.items()},
        "PatternTagger, which cuts texts into words too": lambda: list(map(pattern_tag, texts)),
    }
    for what, work in works.items():
        yield f"- {what}: {len(sentences) / seconds(work):,.0f} sentences a second"


def _each(tagger: Tagger, sentences: list[list[str]]) -> list[list[str]]:
    return list(map(tagger, sentences))


def table(name: str, rows: list[Gold]) -> Iterator[str]:
    texts = [row.sentence for row in rows]
    for way, settle in WAYS.items():
        with patch.object(corpus, "settled", settle), patch.object(extractor, "settled", settle):
            fitted = GrammarExtractor().fitted(texts)
            pairs, triplets = scores(fitted, rows)
            taken = seconds(lambda: GrammarExtractor().fitted(texts).extract(texts))
        yield f"| {name} | {way} | {pairs} | {triplets} | {len(texts) / taken:,.0f} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--gold", type=Path, nargs="+", required=True)
    options.add_argument("--part", default="train")
    chosen = options.parse_args()
    gold = {folder.name: load_gold(folder / f"{chosen.part}_triplets.txt") for folder in chosen.gold}
    texts = [row.sentence for rows in gold.values() for row in rows]
    sentences = [sentence.words for text in texts for sentence in read(text)]
    print("## Letters and tags\n", *agreement(sentences), "", sep="\n")
    for line in speeds(texts, sentences):
        print(line, flush=True)
    columns = ["set", "who_decides", "pairs_P", "R", "F1", "triplets_P", "R", "F1", "learn_and_extract,_sentences/s"]
    print("\n| " + " | ".join(columns).replace("_", " ") + " |\n" + "|---" * len(columns) + "|")
    for name, rows in gold.items():
        for line in table(name, rows):
            print(line, flush=True)


if __name__ == "__main__":
    main()
