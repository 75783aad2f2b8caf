"""New reviews → the run with them, without training again.

Each update reads its files once and keeps what they brought, so that they are not needed any more. A review of an item
that the user has reviewed before is left out, whatever part the first one is in: nothing is counted twice, and nothing
that is held out comes in by another door. The model gets new numbers for its users and items, and is otherwise the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from counterec.core.space import MentionNumbers, Vocabulary
from counterec.core.space_growth import Renumbering, grown_space
from counterec.data import tables
from counterec.data.filtering import filtered_mentions, filtered_reviews
from counterec.data.readers import Tally, read, read_item_names
from counterec.errors import ReadError, UsageError
from counterec.extraction.registry import extractor_code
from counterec.pipeline import layout
from counterec.pipeline.aspect_choice import PAIR, counted_once
from counterec.pipeline.aspect_names import renamed
from counterec.pipeline.config import RunConfig
from counterec.pipeline.english_reviews import EnglishReviews
from counterec.pipeline.files import write_json
from counterec.pipeline.manifest import UPDATE
from counterec.pipeline.mention_extraction import chosen_extractor, fitted
from counterec.pipeline.models import Arrays, model_kind
from counterec.pipeline.processes import workers
from counterec.pipeline.serialization import load_tensors, save_space, save_tensors, write_table
from counterec.pipeline.stage import CountedOnce, Stage, StageContext
from counterec.pipeline.stages.explain import explain_stage
from counterec.pipeline.stages.extract import found_mentions
from counterec.pipeline.stages.rank import rank_stage
from counterec.pipeline.stages.read import mentions_given, source_of, spooled
from counterec.pipeline.without_history import WithoutHistory
from counterec.plugins import guarded


def update_read_name(number: int) -> str:
    """What the stage is called that reads the files of an update."""
    return f"{UPDATE} {number}: read"


def update_read_stage(config: RunConfig, number: int, users: Path | None, items: Path | None) -> Stage:
    """The files of an update → its reviews, and the ids and names that it brings.

    ``config`` has the new files as its sources; ``users`` is a file of ids, ``items`` one of ids and names.
    """
    given = mentions_given(config)
    others = layout.other_files(config.aspects.everybody, layout.OTHER_REVIEWS)
    earlier = [layout.of_update(before, layout.REVIEWS) for before in range(1, number)]
    files = (layout.REVIEWS, layout.ARRIVALS, *((layout.MENTIONS,) if given else ()))
    named = [path for path in (users, items) if path is not None]
    return Stage(
        name=update_read_name(number),
        config=config,
        settings=("data.format", "data.columns", "data.dates", "aspects.everybody"),
        inputs=(layout.SPLIT, *others, *earlier),
        outputs=tuple(layout.of_update(number, file) for file in files),
        code=("counterec.data", "counterec.pipeline.stages.read"),
        work=lambda context: _read(context, number, users, items),
        sources=(*config.data.sources, *named),
    )


def _read(context: StageContext, number: int, users: Path | None, items: Path | None) -> None:
    sources, tally = context.stage.config.data.sources, Tally()
    reviews, mentions = tables.empty(tables.REVIEWS).lazy(), tables.empty(tables.MENTIONS).lazy()
    counts = {"reviews_read": 0, "earlier_reviews_dropped": 0}
    given = layout.of_update(number, layout.MENTIONS) in context.stage.outputs
    if sources:
        parts = spooled(context, (chunk for path in sources for chunk in read(source_of(context.config, path), tally)))
        if given:
            reviews, mentions, counts = filtered_mentions(parts, 1, 1)
        else:
            reviews, counts = filtered_reviews(parts, 1, 1)
    known = _known_pairs(context, number).lazy()
    new = reviews.join(known, on=PAIR, how="anti", maintain_order="left")
    write_table(new, context.new(layout.of_update(number, layout.REVIEWS)))
    if given:
        said = mentions.join(known, on=PAIR, how="anti", maintain_order="left")
        write_table(said, context.new(layout.of_update(number, layout.MENTIONS)))
    added = pl.scan_parquet(context.new(layout.of_update(number, layout.REVIEWS))).select(pl.len()).collect().item()
    again = counts["reviews_read"] - counts["earlier_reviews_dropped"] - added
    write_json(context.new(layout.of_update(number, layout.ARRIVALS)), _arrivals(users, items, tally))
    context.counts |= {name: counts[name] for name in ("reviews_read", "earlier_reviews_dropped")}
    context.counts |= {"already_known": again, "reviews_added": added, **tally.as_dict()}
    for warning in [*tally.warnings(), *_left_out(context.counts)]:
        context.warn(warning)


def _known_pairs(context: StageContext, number: int) -> pl.DataFrame:
    """Who has reviewed what before: in the run, held out or not, among other people's reviews, in earlier updates."""
    folder = context.folder
    known = [folder.split.select(PAIR)]
    if context.config.aspects.everybody:
        known.append(folder.table(layout.OTHER_REVIEWS, PAIR))
    known += [folder.table(layout.of_update(before, layout.REVIEWS), PAIR) for before in range(1, number)]
    return pl.concat(known)


def _arrivals(users: Path | None, items: Path | None, tally: Tally) -> dict[str, object]:
    names = read_item_names(items, tally) if items else {}
    return {"users": _ids(users) if users else [], "items": sorted(names), "item_names": names}


def _ids(path: Path) -> list[str]:
    """The ids in a file, one per line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"{path}: cannot be read as a list of user ids, one per line ({error})") from None
    return sorted({line.strip() for line in lines if line.strip()})


def _left_out(counts: dict[str, int]) -> Iterator[str]:
    if counts["earlier_reviews_dropped"]:
        yield f"{counts['earlier_reviews_dropped']:,} earlier reviews of an item by the same user (dropped)"
    if counts["already_known"]:
        yield f"{counts['already_known']:,} reviews of an item that the user has reviewed before (known; left out)"


def update_extract_stage(config: RunConfig, number: int) -> Stage:
    """The reviews of an update → their mentions, by what the extractor learned when the run was made."""
    words = config.aspects.words
    return Stage(
        name=f"{UPDATE} {number}: extract",
        config=config,
        settings=("aspects.extractor", "aspects.near_synonyms"),
        inputs=(layout.REVIEWS, layout.SPLIT, layout.of_update(number, layout.REVIEWS)),
        outputs=(layout.of_update(number, layout.MENTIONS),),
        code=(
            "counterec.extraction",
            "counterec.pipeline.mention_extraction",
            "counterec.pipeline.english_reviews",
            "counterec.pipeline.stages.extract",
            "counterec.data",
            *extractor_code(config.aspects.extractor),
        ),
        work=lambda context: _extract(context, number),
        sources=(words,) if words else (),
    )


def _extract(context: StageContext, number: int) -> None:
    """Let the extractor learn from the run's training part, as it did before, and read the new reviews."""
    aspects, folder = context.config.aspects, context.folder
    trained = EnglishReviews(folder.file(layout.REVIEWS))
    new = EnglishReviews(folder.file(layout.of_update(number, layout.REVIEWS)))
    training = folder.split.filter(pl.col("part") == "train")
    words = next(iter(context.stage.sources), None)
    chosen = chosen_extractor(aspects.extractor, words, aspects.near_synonyms)
    with workers(context.options.processes) as share, guarded("extractor", aspects.extractor):
        progress = CountedOnce(context.reporter, new.total, "reviews", new.total + len(training))
        extractor = fitted(chosen, lambda: trained.of(training), share, progress.advance)
        mentions = found_mentions(extractor, new, progress, share)
    progress.finish()
    write_table(mentions, context.new(layout.of_update(number, layout.MENTIONS)))
    context.counts |= {"mentions": len(mentions), "reviews_not_in_english": new.foreign}


def update_stage(config: RunConfig, numbers: range) -> Stage:
    """The run, and what all its updates brought → X, Y and the model with it."""
    brought = (layout.REVIEWS, layout.MENTIONS, layout.ARRIVALS)
    changed = (layout.REVIEWS, layout.MENTIONS, layout.SPLIT, layout.ASPECTS, layout.VOCABULARY, layout.MODEL)
    return Stage(
        name=UPDATE,
        config=config,
        settings=("aspects.most_per_review", "model.kind"),
        inputs=(
            *changed,
            layout.MODEL_DESCRIPTION,
            *(layout.of_update(number, file) for number in numbers for file in brought),
        ),
        outputs=tuple(map(layout.updated_place, changed)),
        code=(
            "counterec.core.space_growth",
            "counterec.data",
            "counterec.extraction",
            "counterec.pipeline.aspect_choice",
            "counterec.pipeline.without_history",
            *model_kind(config.model.kind).all_code,
        ),
        work=lambda context: _update(context, numbers),
    )


def _update(context: StageContext, numbers: range) -> None:
    folder, before = context.folder, context.folder.space
    pairs = pl.concat([folder.table(layout.of_update(number, layout.REVIEWS), PAIR) for number in numbers])
    arrivals = [folder.json(layout.of_update(number, layout.ARRIVALS)) for number in numbers]
    named = {kind: [text for one in arrivals for text in one[kind]] for kind in ("users", "items")}
    users = Vocabulary.of("user", [*before.users.texts, *pairs["user_id"], *named["users"]])
    items = Vocabulary.of("item", [*before.items.texts, *pairs["item_id"], *named["items"]])
    mentions = _new_mentions(context, numbers)
    space = grown_space(before, users, items, _numbered(context, mentions, users, items))
    arrived = {
        "users": [user for user in users.texts if user not in before.users],
        "items": [item for item in items.texts if item not in before.items],
    }
    names = {**{item: name for one in arrivals for item, name in one["item_names"].items()}, **folder.item_names}
    tensors, vocabulary = (context.new(layout.updated_place(file)) for file in (layout.ASPECTS, layout.VOCABULARY))
    save_space(space, names, tensors, vocabulary, folder.aspect_of_name, arrived)
    split = pl.concat([folder.split, pairs.with_columns(pl.lit("train").alias("part"))]).sort(PAIR)
    write_table(tables.checked(split, tables.SPLIT, "split"), context.new(layout.updated_place(layout.SPLIT)))
    texts = [folder.file(layout.REVIEWS), *(folder.file(layout.of_update(n, layout.REVIEWS)) for n in numbers)]
    write_table(pl.concat(map(pl.scan_parquet, texts)), context.new(layout.updated_place(layout.REVIEWS)))
    said = pl.concat([folder.table(layout.MENTIONS), mentions])
    write_table(said, context.new(layout.updated_place(layout.MENTIONS)))
    _renumber_model(context, Renumbering.between(before, users, items))
    unknown, trained = WithoutHistory.of(space, arrived), context.manifest.stages.get("fit")
    context.counts |= {
        "users": len(users),
        "items": len(items),
        "reviews": len(split),
        "aspects": len(space.aspects),
        "density": len(split) / (len(users) * len(items)),
        "updates": len(numbers),
        "reviews_added": len(pairs),
        "mentions_added": len(mentions),
        "users_added": len(arrived["users"]),
        "items_added": len(arrived["items"]),
        "users_without_history": len(unknown.users),
        "items_without_history": len(unknown.items),
        "trained": None if trained is None else trained.ended,
        "trained_on_reviews": len(folder.split),
    }


def _new_mentions(context: StageContext, numbers: range) -> pl.DataFrame:
    """The mentions of all updates; ``review`` counts the rows of the run's reviews and then those of each update."""
    folder, found = context.folder, [tables.empty(tables.MENTIONS)]
    first = _height(folder.file(layout.REVIEWS))
    for number in numbers:
        own = folder.table(layout.of_update(number, layout.MENTIONS))
        found.append(own.with_columns(pl.col("review") + first))
        first += _height(folder.file(layout.of_update(number, layout.REVIEWS)))
    return pl.concat(found)


def _height(path: Path) -> int:
    height: int = pl.scan_parquet(path).select(pl.len()).collect().item()
    return height


def _numbered(context: StageContext, mentions: pl.DataFrame, users: Vocabulary, items: Vocabulary) -> MentionNumbers:
    """The mentions that count, of aspects that the run has."""
    aspects = context.folder.space.aspects
    by_aspect = renamed(mentions, context.folder.aspect_of_name)
    counted = counted_once(by_aspect, context.config.aspects.most_per_review or None)
    kept = counted.filter(pl.col("aspect").is_in(list(aspects.texts)))
    return MentionNumbers(
        users.numbers(kept["user_id"]),
        items.numbers(kept["item_id"]),
        aspects.numbers(kept["aspect"]),
        kept["sentiment"].to_numpy(),
    )


def _renumber_model(context: StageContext, to: Renumbering) -> None:
    kind = model_kind(context.config.model.kind)
    arrays = load_tensors(context.folder.file(layout.MODEL))
    with guarded("model", kind.name):
        save_tensors(renumbered(context.config)(arrays, to), context.new(layout.updated_place(layout.MODEL)))


def renumbered(config: RunConfig) -> Callable[[Arrays, Renumbering], Arrays]:
    """How the run's model gets new numbers."""
    found = model_kind(config.model.kind).renumbered
    if found is None:
        raise UsageError(
            f"a model of kind {config.model.kind!r} does not say how it is used with more users and items: give its "
            "ModelKind a function renumbered, or run again on all reviews"
        )
    return found


def updated_stages(config: RunConfig) -> list[Stage]:
    """Lists and answers of an updated run: the stages of a run, reading and writing the updated files."""
    return [
        updated_stage(stage)
        for stage in (rank_stage(config), *(explain_stage(config, m) for m in config.explain.methods))
    ]


def updated_stage(stage: Stage) -> Stage:
    """The same stage for the updated run."""
    return replace(stage, name=f"updated: {stage.name}", place=layout.updated_place)
