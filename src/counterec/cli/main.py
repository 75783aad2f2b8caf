"""``counterec``: the commands. Exit status 0 done, 1 the data or a file is at fault, 2 usage."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from counterec.errors import CounterecError, UsageError

if TYPE_CHECKING:
    from counterec.pipeline.config import RunConfig
    from counterec.run import Run

app = typer.Typer(
    name="counterec",
    help="Why is this item in this user's list? The smallest worsening of its aspects that takes it off, verified.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
DEMO_EPOCHS = 30
"""Enough for the built-in world; a minute would be long for a first look."""
out = Console()
err = Console(stderr=True)

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no tables: the path of the run alone.")]
Json = Annotated[bool, typer.Option("--json", help="Results as JSON on standard output.")]
Processes = Annotated[int, typer.Option(min=1, help="Processes that share the work of finding mentions.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The one seed everything random is derived from.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")]


def main() -> None:
    """Run the command line; every foreseen error is one line and an exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that knows no arrows gets them spelled out
    try:
        app(prog_name="counterec")
    except UsageError as error:
        _fail(error, 2)
    except CounterecError as error:
        _fail(error, 1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _fail(error: CounterecError, status: int) -> None:
    err.print(Text.assemble(("error:", "red"), " ", " ".join(str(error).split())), soft_wrap=True)
    sys.exit(status)


@app.command()
def demo(
    out_dir: Annotated[Path, typer.Option("--out", metavar="DIR", help="The run folder.")] = Path("runs/demo"),
    seed: Seed = 0,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run everything on the built-in world of phones: reviews, recommender, explanations, evaluation."""
    from counterec.pipeline.config import make_config

    config = make_config({"data": {"world": {}}, "training": {"epochs": DEMO_EPOCHS}, "seed": seed}, "demo")
    _execute(config, out_dir, quiet, as_json)


@app.command()
def run(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE…", help="Review or mention files, or CONFIG.toml.")],
    format_: Annotated[
        str | None,
        typer.Option("--format", help="amazon, yelp, jsonl, csv, parquet, mentions, pickle or fact; else guessed."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Column map: user=…,item=…,text=…,time=…,rating=… (names in the file).")
    ] = None,
    items: Annotated[Path | None, typer.Option(help="A file of item ids and names.")] = None,
    min_user_reviews: Annotated[int | None, typer.Option(help="Leave out users with fewer reviews. [10]")] = None,
    min_aspect_mentions: Annotated[
        int | None, typer.Option(help="Leave out aspects with fewer mentions in the training part. [5]")
    ] = None,
    extractor: Annotated[str | None, typer.Option(help="Who finds the mentions: grammar or simple. [grammar]")] = None,
    aspects: Annotated[Path | None, typer.Option(metavar="FILE", help="A TOML file of your own words.")] = None,
    near_synonyms: Annotated[
        bool, typer.Option("--near-synonyms", help="Count nouns that the corpus uses alike as one aspect.")
    ] = False,
    validation: Annotated[int | None, typer.Option(help="Reviews a user held back for early stopping. [1]")] = None,
    epochs: Annotated[int | None, typer.Option(help="The most epochs of training.")] = None,
    protocol: Annotated[str | None, typer.Option(help="paper (whole catalogue) or sampled. [paper]")] = None,
    k: Annotated[int | None, typer.Option("--k", help="The length of a list. [5]")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The one seed of everything random. [0]")] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run folder. [runs/SOURCE]")] = None,
    processes: Processes = 1,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run everything on real data: a review or mention file, several of them, or a config file."""
    options = {
        ("data", "format"): format_,
        ("data", "columns"): _column_map(columns),
        ("data", "items"): items and str(items),
        ("data", "min_user_reviews"): min_user_reviews,
        ("aspects", "min_mentions"): min_aspect_mentions,
        ("aspects", "extractor"): extractor,
        ("aspects", "words"): aspects and str(aspects),
        ("aspects", "near_synonyms"): near_synonyms or None,
        ("split", "validation"): validation,
        ("training", "epochs"): epochs,
        ("lists", "protocol"): protocol,
        ("lists", "k"): k,
        ("seed",): seed,
    }
    config = _config(sources, {place: value for place, value in options.items() if value is not None})
    _execute(config, out_dir or _free_folder(sources[0], config), quiet, as_json, processes)


def _config(sources: list[Path], options: dict[tuple[str, ...], Any]) -> RunConfig:
    """The configuration a command line asks for: a config file or defaults, overridden by the options given."""
    from counterec.pipeline.config import load_config, make_config

    if len(sources) == 1 and sources[0].suffix == ".toml":
        settings = load_config(sources[0]).model_dump(mode="json")
        origin = str(sources[0])
    else:
        settings, origin = {"data": {"sources": [str(source) for source in sources]}}, "options"
    for place, value in options.items():
        part = settings
        for name in place[:-1]:
            part = part.setdefault(name, {})
        part[place[-1]] = value
    return make_config(settings, origin)


def _free_folder(source: Path, config: RunConfig) -> Path:
    """The folder named after the source, unless it holds a run on something else."""
    from counterec.pipeline.manifest import NAME, Manifest

    folder = Path("runs") / source.name.split(".")[0]
    if (folder / NAME).exists():
        before = Manifest.load(folder).config.get("data", {}).get("sources")
        if before != config.model_dump(mode="json")["data"]["sources"]:
            raise UsageError(f"{folder} holds a run on other files; choose a folder with --out")
    return folder


def _column_map(text: str | None) -> dict[str, str] | None:
    if text is None:
        return None
    found = {}
    for part in text.split(","):
        ours, _, theirs = (name.strip() for name in part.partition("="))
        if not (ours and theirs):
            raise UsageError(f"--columns {text!r}: write ours=theirs pairs, such as user=reviewer,text=body")
        found[ours] = theirs
    return found


def _execute(config: RunConfig, folder: Path, quiet: bool, as_json: bool, processes: int = 1) -> None:
    from counterec.cli.tables import statistics_json

    done = _made(config, folder, quiet or as_json, processes)
    if as_json:
        _print_json({"run": str(folder), "statistics": statistics_json(done), "evaluation": done.evaluation})
    elif quiet:
        _print_plain(str(folder))
    else:
        _summary(done)


def _made(config: RunConfig, folder: Path, quiet: bool, processes: int = 1) -> Run:
    from counterec.cli.progress import TerminalReporter
    from counterec.run import make_run

    with TerminalReporter(err, quiet) as reporter:
        return make_run(config, folder, reporter, processes=processes)


def _summary(done: Run) -> None:
    from counterec.cli.tables import example_rows, explanations_table, ranking_table, sentence_of, statistics_table

    for table in (statistics_table(done), ranking_table(done.evaluation), explanations_table(done.evaluation)):
        out.print(table)
    out.print()
    for row in example_rows(done, done.methods[0], 5):
        out.print(Text.assemble((f"To {row['user_id']}:", "dim"), " ", sentence_of(done, row)))
    out.print(Text.assemble("\nThe run is in ", (str(done.folder), "bold")), soft_wrap=True)


@app.command()
def stats(folder: RunFolder, as_json: Json = False) -> None:
    """Print the paper's Table 1 for a run's data: users, items, reviews, aspects, density."""
    from counterec.cli.tables import statistics_json, statistics_table
    from counterec.run import open_run

    opened = open_run(folder)
    if as_json:
        _print_json(statistics_json(opened))
    else:
        out.print(statistics_table(opened))


@app.command()
def show(
    folder: RunFolder,
    user: Annotated[str | None, typer.Option(metavar="ID", help="The user; the first of the run by default.")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="One item of the list.")] = None,
    method: Annotated[str | None, typer.Option(help="Which explanations; the run's first by default.")] = None,
    as_json: Json = False,
) -> None:
    """Show a user's list and why each item is in it, as a sentence and as a table."""
    from counterec.cli import showing
    from counterec.run import open_run

    opened = open_run(folder)
    user_id = user if user is not None else opened.space.users.texts[0]
    rows = showing.rows_of(opened, method or opened.methods[0], user_id, item)
    if as_json:
        _print_json(showing.as_json(opened, user_id, rows))
    else:
        showing.draw(opened, user_id, rows, out)


Mask = Annotated[bool, typer.Option("--mask", help="Only aspects the user cares about may move.")]
Fixed = Annotated[list[str], typer.Option("--fix", metavar="ASPECT", help="An aspect that must not move; repeatable.")]
Bounds = Annotated[
    list[str], typer.Option("--bound", metavar="ASPECT=LOW:HIGH", help="The values it may take; repeatable.")
]
FloorOption = Annotated[
    str | None, typer.Option("--floor", help="absent (0: as if never reviewed on it) or worst (1). [as the run]")
]
Most = Annotated[int | None, typer.Option("--most", metavar="N", help="At most so many aspects move.")]
Costs = Annotated[
    list[str], typer.Option("--cost", metavar="ASPECT=NUMBER", help="What moving it by 1 costs; repeatable. [1]")
]
Language = Annotated[str, typer.Option("--language", help="The language of the sentences: en or de.")]


@app.command()
def explain(
    folder: RunFolder,
    question: Annotated[str, typer.Option(help="why, why_not or why_rather.")] = "why",
    goal: Annotated[str, typer.Option(help="minimal, relaxed, single or complete.")] = "minimal",
    single: Annotated[bool, typer.Option("--single", help="One aspect only: the same as --goal single.")] = False,
    user: Annotated[str | None, typer.Option(metavar="ID", help="One user's list; the whole run by default.")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="The item that the question is about.")] = None,
    versus: Annotated[str | None, typer.Option(metavar="ID", help="why_rather: the item that it is ahead of.")] = None,
    takes: Annotated[
        bool, typer.Option("--takes", help="why_rather: the item takes the other's values, where its own are better.")
    ] = False,
    audience: Annotated[
        Path | None, typer.Option(metavar="FILE", help="why_not, for a seller: user ids, one a line.")
    ] = None,
    at_least: Annotated[
        int | None, typer.Option("--at-least", metavar="N", help="How many of the audience to reach. [1]")
    ] = None,
    mask: Mask = False,
    fixed: Fixed = [],  # noqa: B006
    bounds: Bounds = [],  # noqa: B006
    floor: FloorOption = None,
    most: Most = None,
    costs: Costs = [],  # noqa: B006
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the rows to a Parquet file.")
    ] = None,
    language: Language = "en",
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Explain one pair, one user's list, an audience, or the whole run (written into its folder and evaluated)."""
    from counterec.cli import explaining, options
    from counterec.run import open_run
    from counterec.wording import catalogue

    catalogue(language)
    opened = open_run(folder, options.checked_device(device))
    own = opened.config.explain.constraints
    limits = options.constrained(own, fixed, bounds, floor, most, costs, mask)
    asked = explaining.Asked(
        question=options.checked_question(question, takes),
        goal=options.checked_goal(goal, single),
        user=user,
        item=item,
        versus=versus,
        constraints=limits,
        language=language,
        as_json=as_json,
        out=out_file,
        audience=audience,
        at_least=at_least,
        quiet=quiet,
    )
    explaining.answer(opened, asked, out, err)


@app.command()
def whatif(
    folder: RunFolder,
    user: Annotated[str, typer.Option(metavar="ID", help="Whose list.")],
    settings: Annotated[
        list[str],
        typer.Option("--set", metavar="ASPECT=VALUE", help="A new value; ITEM:ASPECT=VALUE for further items."),
    ] = [],  # noqa: B006
    item: Annotated[str | None, typer.Option(metavar="ID", help="The item that changes.")] = None,
    mask: Mask = False,
    fixed: Fixed = [],  # noqa: B006
    bounds: Bounds = [],  # noqa: B006
    floor: FloorOption = None,
    most: Most = None,
    language: Language = "en",
    as_json: Json = False,
) -> None:
    """Rank a user's candidates anew, had one or several items had other values."""
    from counterec.cli import options, supposing
    from counterec.core.explainers.constraints import Constraints
    from counterec.run import open_run
    from counterec.wording import catalogue

    catalogue(language)
    opened = open_run(folder)
    allowed = options.constrained(Constraints(), fixed, bounds, floor, most, (), mask)
    changes = supposing.changes_from(opened, item, settings)
    supposing.suppose(opened, user, changes, allowed, language, as_json, out)


@app.command()
def extract(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE…", help="Files of reviews.")],
    target: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The mentions.")] = Path(
        "mentions.parquet"
    ),
    format_: Annotated[str | None, typer.Option("--format", help="As for run; else guessed.")] = None,
    columns: Annotated[str | None, typer.Option(help="Column map, as for run.")] = None,
    extractor: Annotated[str, typer.Option(help="grammar or simple.")] = "grammar",
    aspects: Annotated[Path | None, typer.Option(metavar="FILE", help="A TOML file of your own words.")] = None,
    near_synonyms: Annotated[
        bool, typer.Option("--near-synonyms", help="Count nouns that the corpus uses alike as one aspect.")
    ] = False,
    processes: Processes = 1,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Extract (aspect, opinion, sentiment) from reviews, each with the sentence it stands in."""
    from counterec.cli import extracting

    named = _column_map(columns) or {}
    extracting.extract(
        *(sources, target, format_, named, extractor, aspects, near_synonyms, processes, as_json, quiet),
        console=out,
        progress=err,
    )


@app.command()
def evidence(
    folder: RunFolder,
    aspect: Annotated[str, typer.Option(metavar="NAME", help="The aspect.")],
    user: Annotated[str | None, typer.Option(metavar="ID", help="Whose attention to it.")] = None,
    item: Annotated[str | None, typer.Option(metavar="ID", help="Or whose quality on it.")] = None,
    as_json: Json = False,
) -> None:
    """List the sentences behind a number in X or Y."""
    from counterec.cli.evidence import show_evidence

    show_evidence(folder, user, item, aspect, as_json, out)


@app.command()
def aspects(
    folder: RunFolder,
    most: Annotated[int, typer.Option(min=1, help="How many.")] = 100,
    as_json: Json = False,
) -> None:
    """Show the aspects of a run: mentions in the training part, share of praise, example sentences."""
    from counterec.cli.evidence import show_vocabulary

    show_vocabulary(folder, most, as_json, out)


@app.command()
def bundle(
    folder: RunFolder,
    target: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The zip file. [RUN.zip, beside the run]")
    ] = None,
    as_json: Json = False,
) -> None:
    """Pack what a reader needs to repeat a run, without the text of any review."""
    from counterec.cli.bundling import bundle_run

    bundle_run(folder, target, as_json, out)


@app.command()
def experiment(
    source: Annotated[Path, typer.Argument(metavar="RUN|CONFIG", help="A run folder, or a config file to run first.")],
    seeds: Annotated[int | None, typer.Option(min=1, help="From how many seeds everything random is made. [1]")] = None,
    protocol: Annotated[str | None, typer.Option(help="paper or sampled. [both]")] = None,
    ground_truth: Annotated[
        str | None, typer.Option(help="positive, or all: the reading that ignores sentiment. [positive]")
    ] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="CONFIG: the run folder.")] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Measure every method of the paper, and more, on a run: its tables, its figures, a verdict on each claim."""
    from counterec.cli import experimenting, options
    from counterec.run import open_run

    options.checked_device(device)
    folder = source
    if source.suffix == ".toml":
        config = _config([source], {})
        folder = out_dir or _free_folder(source, config)
        _made(config, folder, quiet or as_json)
    elif out_dir is not None:
        raise UsageError(f"--out is for a config file; the experiment on {source} is written into it")
    opened = open_run(folder)
    settings = experimenting.settings_of(opened, seeds, protocol, ground_truth)
    experimenting.experiment(opened, settings, device, as_json, quiet, out, err)


def _print_json(value: Any) -> None:
    _print_plain(json.dumps(value, indent=2))


def _print_plain(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
