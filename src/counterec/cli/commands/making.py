"""Commands that make something of data: ``demo``, ``run``, ``extract``, ``experiment``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from counterec.cli.commands.parameters import Json, Processes, Quiet, Seed
from counterec.cli.terminal import err, out
from counterec.errors import UsageError

DEMO_EPOCHS = 30
"""Enough for the built-in world; a minute would be long for a first look."""


def demo(
    out_dir: Annotated[Path, typer.Option("--out", metavar="DIR", help="The run folder.")] = Path("runs/demo"),
    seed: Seed = 0,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run everything on the built-in world of phones: reviews, recommender, explanations, evaluation."""
    from counterec.cli import running
    from counterec.pipeline.config import make_config

    config = make_config({"data": {"world": {}}, "training": {"epochs": DEMO_EPOCHS}, "seed": seed}, "demo")
    running.run(config, out_dir, quiet, as_json, out, err)


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
    extractor: Annotated[str | None, typer.Option(help="Which extractor finds the mentions. [grammar]")] = None,
    aspects: Annotated[Path | None, typer.Option(metavar="FILE", help="A TOML file of your own words.")] = None,
    near_synonyms: Annotated[
        bool, typer.Option("--near-synonyms", help="Count nouns that the corpus uses alike as one aspect.")
    ] = False,
    validation: Annotated[int | None, typer.Option(help="Reviews a user held back for early stopping. [1]")] = None,
    epochs: Annotated[int | None, typer.Option(help="The most epochs of training.")] = None,
    protocol: Annotated[str | None, typer.Option(help="full (whole catalogue) or sampled. [full]")] = None,
    k: Annotated[int | None, typer.Option("--k", help="The length of a list. [5]")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The one seed of everything random. [0]")] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The run folder. [runs/SOURCE]")] = None,
    processes: Processes = 1,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run everything on real data: a review or mention file, several of them, or a config file."""
    from counterec.cli import running

    options = {
        ("data", "format"): format_,
        ("data", "columns"): running.column_map(columns),
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
    config = running.config_of(sources, {place: value for place, value in options.items() if value is not None})
    folder = out_dir or running.free_folder(sources[0], config)
    running.run(config, folder, quiet, as_json, out, err, processes)


def extract(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE…", help="Files of reviews.")],
    target: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The mentions.")] = Path(
        "mentions.parquet"
    ),
    format_: Annotated[str | None, typer.Option("--format", help="As for run; else guessed.")] = None,
    columns: Annotated[str | None, typer.Option(help="Column map, as for run.")] = None,
    extractor: Annotated[str, typer.Option(help="Which extractor finds the mentions.")] = "grammar",
    aspects: Annotated[Path | None, typer.Option(metavar="FILE", help="A TOML file of your own words.")] = None,
    near_synonyms: Annotated[
        bool, typer.Option("--near-synonyms", help="Count nouns that the corpus uses alike as one aspect.")
    ] = False,
    processes: Processes = 1,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Extract (aspect, opinion, sentiment) from reviews, each with the sentence it stands in."""
    from counterec.cli import extracting, running

    named = running.column_map(columns) or {}
    extracting.extract(
        *(sources, target, format_, named, extractor, aspects, near_synonyms, processes, as_json, quiet),
        console=out,
        progress=err,
    )


def experiment(
    source: Annotated[Path, typer.Argument(metavar="RUN|CONFIG", help="A run folder, or a config file to run first.")],
    seeds: Annotated[int | None, typer.Option(min=1, help="From how many seeds everything random is made. [1]")] = None,
    protocol: Annotated[str | None, typer.Option(help="full or sampled. [both]")] = None,
    ground_truth: Annotated[
        str | None, typer.Option(help="positive, or all: the reading that ignores sentiment. [positive]")
    ] = None,
    out_dir: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="CONFIG: the run folder.")] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Measure every method of the paper, and more, on a run: its tables, its figures, a verdict on each claim."""
    from counterec.cli import experimenting, options, running
    from counterec.run import open_run

    options.checked_device(device)
    folder = source
    if source.suffix == ".toml":
        config = running.config_of([source], {})
        folder = out_dir or running.free_folder(source, config)
        running.made(config, folder, quiet or as_json, err)
    elif out_dir is not None:
        raise UsageError(f"--out is for a config file; the experiment on {source} is written into it")
    opened = open_run(folder)
    settings = experimenting.settings_of(opened, seeds, protocol, ground_truth)
    experimenting.experiment(opened, settings, device, as_json, quiet, out, err)
