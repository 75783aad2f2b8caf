"""What a packaged part-of-speech tagger would give: our word classes against classes from its tags.

    python -m benchmarks.tagging --gold ASTE/14res ASTE/14lap

The tagger is the one inside TextBlob: as ``PatternTagger`` runs it (lexicon and endings), and with Brill's rules of
morphology and context, which are in the same package. Its tags decide the words whose class is ambiguous, or all words
of open classes; the rest of the extractor is ours. Times are CPU times, the best of three.
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
from counterec.extraction.grammar.extractor import GrammarExtractor
from counterec.extraction.grammar.joined_phrases import JoinedSentence, joined_sentences
from counterec.extraction.grammar.tagger import resolved_at_once, tag, with_noun_kinds
from counterec.extraction.grammar.word_class_patterns import WordClass
from counterec.extraction.grammar.word_traits import noun_kinds, own_classes, traits

Tagger = Callable[[list[str]], list[str]]
TagSentence = Callable[[list[str]], str]

CLASS_OF = {
    "NN": WordClass.NOUN,
    "JJ": WordClass.ADJECTIVE,
    "RB": WordClass.ADVERB,
    "VB": WordClass.VERB,
    "VBD": WordClass.PAST,
    "VBN": WordClass.PAST,
    "VBG": WordClass.ING,
}
AMBIGUOUS = frozenset(
    (
        WordClass.NOUN_OR_VERB,
        WordClass.VERB_OR_NOUN,
        WordClass.ADJECTIVE_OR_NOUN,
        WordClass.NOUN_OR_ADJECTIVE,
        WordClass.ADJECTIVE_OR_VERB,
        WordClass.ADJECTIVE_OR_ADVERB,
    )
)
OPEN = AMBIGUOUS | frozenset(CLASS_OF.values())
MAIN = (WordClass.NOUN, WordClass.VERB, WordClass.ADJECTIVE, WordClass.ADVERB)
MAIN_CLASS = {
    WordClass.GENERAL_NOUN: WordClass.NOUN,
    WordClass.OPINION_NOUN: WordClass.NOUN,
    WordClass.PAST: WordClass.VERB,
    WordClass.ING: WordClass.VERB,
}
"""The main class of each other open one."""


def as_shipped(words: list[str]) -> list[str]:
    return [tag for _, tag in parser.find_tags(words)]


def with_context(words: list[str]) -> list[str]:
    rules = {"morphology": lexicon.morphology, "context": lexicon.context}
    return [tag for _, tag in _find_tags(words, lexicon=lexicon, **rules)]


def tag_by(tagger: Tagger, decides: frozenset[WordClass], words: list[str]) -> str:
    """Return a sentence's word classes, taking those it ``decides`` from the tagger."""
    of_words = traits(words)
    both = zip(own_classes(of_words), tagger(words), strict=True)
    chosen = [_class_of(penn) or letter if letter in decides else letter for letter, penn in both]
    return with_noun_kinds(resolved_at_once("".join(chosen)), noun_kinds(of_words))


def _class_of(penn: str | None) -> WordClass | None:
    return CLASS_OF.get(penn or "") or CLASS_OF.get((penn or "")[:2])


TAGGERS: dict[str, Tagger] = {"as shipped": as_shipped, "with rules of context": with_context}
WAYS: dict[str, TagSentence] = {
    "ours": tag,
    **{
        f"tagger {how}, {what}": partial(tag_by, tagger, decides)
        for how, tagger in TAGGERS.items()
        for what, decides in (("where ambiguous", AMBIGUOUS), ("all open classes", OPEN))
    },
}


def agreement(sentences: Sequence[list[str]]) -> Iterator[str]:
    """Yield how often our classes agree with the tags, over words that both take for open classes."""
    for how, tagger in TAGGERS.items():
        cells: Counter[tuple[WordClass, WordClass]] = Counter()
        for words in sentences:
            for letter, penn in zip(tag(words), tagger(words), strict=True):
                ours, theirs = WordClass(letter), _class_of(penn) or WordClass.OTHER
                pair = MAIN_CLASS.get(ours, ours), MAIN_CLASS.get(theirs, theirs)
                if pair[0] in MAIN and pair[1] in MAIN:
                    cells[pair] += 1
        same, total = sum(cells[main, main] for main in MAIN), sum(cells.values())
        apart = [(pair, number) for pair, number in cells.most_common() if pair[0] != pair[1]][:4]
        named = ", ".join(f"{ours.name} for {theirs.name} {number:,}" for (ours, theirs), number in apart)
        yield f"- tagger {how}: {same / total:.3f} of {total:,} words; most often different, ours for its: {named}"


def seconds(work: Callable[[], object]) -> float:
    found = []
    for _ in range(3):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def speeds(texts: list[str], sentences: list[list[str]]) -> Iterator[str]:
    works: dict[str, Callable[[], object]] = {
        "our classes": lambda: list(map(tag, sentences)),
        **{f"tagger {how}": partial(_each, tagger, sentences) for how, tagger in TAGGERS.items()},
        "PatternTagger, which also splits texts into words": lambda: list(map(pattern_tag, texts)),
    }
    for what, work in works.items():
        yield f"- {what}: {len(sentences) / seconds(work):,.0f} sentences per second"


def _each(tagger: Tagger, sentences: list[list[str]]) -> list[list[str]]:
    return list(map(tagger, sentences))


def table(name: str, rows: list[Gold]) -> Iterator[str]:
    texts = [row.sentence for row in rows]
    for way, tag_sentence in WAYS.items():
        with patch.object(JoinedSentence, "tags", lambda sentence, tag_it=tag_sentence: tag_it(sentence.words)):
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
    sentences = [sentence.words for text in texts for sentence in joined_sentences(text)]
    print("## Word classes and tags\n", *agreement(sentences), "", sep="\n")
    for line in speeds(texts, sentences):
        print(line, flush=True)
    columns = ["set", "who_decides", "pairs_P", "R", "F1", "triplets_P", "R", "F1", "learn_and_extract,_sentences/s"]
    print("\n| " + " | ".join(columns).replace("_", " ") + " |\n" + "|---" * len(columns) + "|")
    for name, rows in gold.items():
        for line in table(name, rows):
            print(line, flush=True)


if __name__ == "__main__":
    main()
