"""The extractor: gold sets, agreement with ratings, false positives, speed, and the vocabulary.

    python -m benchmarks.extraction --gold ASTE/14res ASTE/14lap --hotels reviews.jsonl.gz --music reviews.json.gz

Every part is optional. Prints Markdown. Times are CPU times on one core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from benchmarks.gold import load_gold, scores
from benchmarks.hotels import agreements, load_hotels
from counterec.extraction.extractor import GrammarExtractor
from counterec.extraction.sentences import sentences
from counterec.pipeline.executors import Share, workers
from counterec.pipeline.mention_extraction import extracted, fitted

PLAIN = [
    "I bought it for my sister in March.",
    "It arrived on Tuesday in a brown box.",
    "We stayed three nights in June with two children.",
    "The hotel has 300 rooms on twelve floors.",
    "My previous one was of another brand.",
    "The screen measures six inches across.",
    "Breakfast is served from seven to ten.",
    "I ordered the soup and my wife had the fish.",
    "The cable runs from the amplifier to the wall.",
    "You can pair it with a phone or a tablet.",
    "The restaurant opens at noon.",
    "There are four keys and two knobs.",
    "I have used it for two months.",
    "The box contains a charger, a cable and a manual.",
    "We took the bus from the airport to the station.",
    "Is the battery included?",
    "Does the strap fit a bass?",
    "The pedal has an input on the right and an output on the left.",
    "I asked the waiter for the menu.",
    "They sent me the second part a week later.",
]
"""Sentences of our own without any opinion: everything found in them is false."""


def gold_part(folders: Sequence[Path], parts: Sequence[str]) -> Iterator[str]:
    yield "## Gold sets\n"
    yield "Precision, recall and F1 of (aspect head word, sentiment) pairs, and of exact triplets.\n"
    yield "| set | part | extractor | pairs P | R | F1 | triplets P | R | F1 |\n|---|---|---|---|---|---|---|---|---|"
    for folder in folders:
        training = [row.sentence for row in load_gold(folder / "train_triplets.txt")]
        for part in parts:
            rows = load_gold(folder / f"{part}_triplets.txt")
            plain = GrammarExtractor()
            for name, extractor in (("grammar", plain.fitted(training)), ("grammar, not fitted", plain)):
                pairs, triplets = scores(extractor, rows)
                yield f"| {folder.name} | {part} | {name} | {pairs} | {triplets} |"


def plain_part() -> Iterator[str]:
    yield "\n## False positives in sentences without an opinion\n"
    found = GrammarExtractor().extract(PLAIN)
    named = ", ".join(f"{m.aspect} ({m.opinion})" for mentions in found for m in mentions) or "none"
    yield f"- grammar: {sum(map(len, found))} in {len(PLAIN)} sentences: {named}"


def hotels_part(path: Path) -> Iterator[str]:
    rows = load_hotels(path)
    texts, stars = [row["text"] for row in rows], [row["rating"] for row in rows]
    yield "\n## Agreement with the stars that reviewers gave to aspects\n"
    names = "extractor | rating | hotels | Spearman of means | of sums | of Y | Y at the top | reviews right | of"
    yield f"| {names} | alike: hotels | of means | of Y |\n" + "|---" * 12 + "|"
    for found in agreements(GrammarExtractor().fitted(texts, stars), rows):
        ranks, alike = found.ranks, found.alike
        of_all = f"{ranks.hotels} | {ranks.of_means:.3f} | {ranks.of_sums:.3f} | {ranks.of_quality:.3f}"
        right = f"{ranks.at_the_top} | {found.right / max(1, found.reviews):.3f} | {found.reviews:,}"
        of_alike = f"{alike.hotels} | {alike.of_means:.3f} | {alike.of_quality:.3f}"
        yield f"| grammar | {found.rating} | {of_all} | {right} | {of_alike} |"


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of some work, the better of two runs."""
    found = []
    for _ in range(2):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def speed_part(texts: list[str], ratings: list[float | None]) -> Iterator[str]:
    number = sum(len(sentences(text)) for text in texts)
    yield f"\n## Speed\n\n{len(texts):,} reviews, {number:,} sentences; sentences per second of CPU time\n"
    yield "| what | sentences per second |\n|---|---|"
    extractor = GrammarExtractor().fitted(texts, ratings)  # also reads the lexicons
    learning = seconds(partial(extractor.fitted, texts, ratings))
    extracting = seconds(partial(extractor.extract, texts))
    yield f"| grammar: extract | {number / extracting:,.0f} |"
    yield f"| grammar: learn from all texts and extract | {number / (learning + extracting):,.0f} |"
    for other, work in _others(texts):
        yield f"| {other} | {'not installed' if work is None else f'{number / seconds(work):,.0f}'} |"


def _others(texts: list[str]) -> Iterator[tuple[str, Callable[[], object] | None]]:
    """Yield what people would use instead, over the same sentences; None for what is not installed."""
    cut = [text[s[0].start : s[-1].end] for text in texts[: max(1, len(texts) // 10)] for s in sentences(text)] * 10
    try:
        from textblob import TextBlob

        yield "TextBlob: sentiment alone", lambda: [TextBlob(line).sentiment for line in cut]
    except ImportError:
        yield "TextBlob: sentiment alone", None
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    judge = SentimentIntensityAnalyzer()
    yield "VADER: sentiment alone", lambda: [judge.polarity_scores(line) for line in cut]
    try:
        import spacy  # type: ignore[import-not-found,unused-ignore]

        tokenizer = spacy.blank("en").tokenizer
        yield "spaCy: tokenizer alone", lambda: [tokenizer(line) for line in cut]
    except ImportError:
        yield "spaCy: tokenizer alone", None


def processes_part(texts: list[str], ratings: list[float | None]) -> Iterator[str]:
    """Time learning and extracting as a run does them, in one process and in two, over all texts."""
    number = sum(len(sentences(text)) for text in texts)
    yield f"\n{len(texts):,} reviews, {number:,} sentences; learn and extract, sentences per second of the clock\n"
    yield "| processes | sentences per second | load average before |\n|---|---|---|"
    ids = pl.arange(len(texts), eager=True).cast(pl.String)
    reviews = pl.DataFrame({"user_id": ids, "item_id": ids, "time": ids, "rating": ratings, "text": texts})
    reviews = reviews.with_columns(time=pl.lit(None, pl.Datetime("us")), rating=pl.col("rating").cast(pl.Float64))
    for processes in (1, 2):
        with workers(processes) as share:
            _learn_and_extract(reviews.head(120), 10, share)  # starts the processes
            load = os.getloadavg()[0]
            started = time.perf_counter()
            _learn_and_extract(reviews, 250, share)
            elapsed = time.perf_counter() - started
        yield f"| {processes} | {number / elapsed:,.0f} | {load:.1f} |"


def _learn_and_extract(reviews: pl.DataFrame, at_once: int, share: Share) -> None:
    batches = list(reviews.iter_slices(at_once))
    learned = fitted(GrammarExtractor(), lambda: batches, share)
    pl.concat(extracted(learned, lambda: batches, share=share))


def vocabulary_part(name: str, texts: list[str], ratings: list[float | None]) -> Iterator[str]:
    yield f"\n## The first 100 aspects of {name}, with mentions and share of praise\n"
    found = GrammarExtractor().fitted(texts, ratings).extract(texts)
    counts = Counter(mention.aspect for mentions in found for mention in mentions)
    praise = Counter(mention.aspect for mentions in found for mention in mentions if mention.sentiment > 0)
    first = sorted(counts, key=lambda aspect: (-counts[aspect], aspect))[:100]
    yield (
        f"**grammar** ({sum(counts.values()):,} mentions of {len(counts):,} aspects): "
        + ", ".join(f"{aspect} {counts[aspect]:,} ({praise[aspect] / counts[aspect]:.0%})" for aspect in first)
        + "\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, nargs="*", default=[])
    parser.add_argument("--parts", nargs="*", default=["train", "dev"])
    parser.add_argument("--hotels", type=Path)
    parser.add_argument("--music", type=Path)
    parser.add_argument("--speed", action="store_true", help="needs --hotels or --music")
    parser.add_argument("--vocabulary", action="store_true", help="needs --hotels or --music")
    options = parser.parse_args()
    corpora = dict(_corpora(options.hotels, options.music))
    for line in gold_part(options.gold, options.parts) if options.gold else ():
        print(line, flush=True)
    for line in plain_part():
        print(line, flush=True)
    for line in hotels_part(options.hotels) if options.hotels and not (options.speed or options.vocabulary) else ():
        print(line, flush=True)
    for name, (texts, ratings) in corpora.items():
        for line in speed_part(texts[:3000], ratings[:3000]) if options.speed else ():
            print(line, flush=True)
        for line in processes_part(texts, ratings) if options.speed else ():
            print(line, flush=True)
        for line in vocabulary_part(name, texts, ratings) if options.vocabulary else ():
            print(line, flush=True)


def _corpora(hotels: Path | None, music: Path | None) -> Iterator[tuple[str, tuple[list[str], list[float | None]]]]:
    if hotels:
        rows = load_hotels(hotels)
        yield "hotels", ([row["text"] for row in rows], [row["rating"] for row in rows])
    if music:
        with gzip.open(music, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        yield "musical instruments", ([row["reviewText"] for row in rows], [row["overall"] for row in rows])


if __name__ == "__main__":
    main()
