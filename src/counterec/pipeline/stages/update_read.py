"""The files of an update → the reviews that are new, and the ids and names that it brings.

Each update reads its files once and keeps what they brought, so that they are not needed any more. A review of an item
that the user has reviewed before is left out, whatever part the first one is in: nothing is counted twice, and nothing
that is held out comes in by another door.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from counterec.data import tables
from counterec.data.filtering import filtered_mentions, filtered_reviews
from counterec.data.readers import Tally, read, read_item_names
from counterec.errors import ReadError
from counterec.pipeline import layout
from counterec.pipeline.config import RunConfig
from counterec.pipeline.files import write_json
from counterec.pipeline.manifest import UPDATE
from counterec.pipeline.serialization import write_table
from counterec.pipeline.stage import Stage, StageContext
from counterec.pipeline.stages.read import mentions_given, source_of, spooled

PAIR = ["user_id", "item_id"]


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
        code=("counterec.data", "counterec.synthetic", "counterec.pipeline.stages.read"),
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
