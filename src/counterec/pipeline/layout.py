"""The files of a run folder: one place for each value."""

from __future__ import annotations

MANIFEST = "manifest.json"
REVIEWS = "reviews.parquet"
MENTIONS = "mentions.parquet"
OTHER_REVIEWS = "reviews_others.parquet"
"""Reviews of the catalogue's items by people with too few reviews to be users, where these count for Y."""
OTHER_MENTIONS = "mentions_others.parquet"
"""The mentions found in them."""
LEARNED = "extraction.json"
"""What the extractor learned from the training part."""
SPLIT = "split.parquet"
ASPECTS = "aspects.safetensors"
CHOOSING_ASPECTS = "aspects-choosing.safetensors"
"""X and Y without the validation part, where nothing is held out: settings are chosen with them, nothing is ranked."""
VOCABULARY = "vocabulary.json"
MODEL = "model.safetensors"
RETRAINED_MODEL = "model-again.safetensors"
"""The same training from another seed: explanations are also measured under a model they were not selected on."""
MODEL_DESCRIPTION = "model.json"
CANDIDATES = "candidates.parquet"
LISTED_CANDIDATES = ("sampled", "given")
"""The protocols whose candidates are listed one by one."""
RECOMMENDATIONS = "recommendations.parquet"
HEADS = "heads.safetensors"
"""The beginning of every user's ranking, longer than a list: items and scores."""
EVALUATION = "evaluation.json"
EXPERIMENT = "experiment/"
"""Experiments are added to a run and may take hours; their files lie here."""


def explanations_file(method: str) -> str:
    return f"explanations/{method}.parquet"


def transfer_file(method: str) -> str:
    """Where it lies how a method's explanations hold in conditions they were not selected on."""
    return f"elsewhere/{method}.json"


def choosing_files(held_out: int, validation: int) -> tuple[str, ...]:
    """The file of X and Y that settings are chosen with, where these are not the final ones."""
    return () if held_out or not validation else (CHOOSING_ASPECTS,)


def other_files(everybody: bool, *files: str) -> tuple[str, ...]:
    """Those of the files about other people's reviews that there are."""
    return files if everybody else ()


def ranking_inputs(protocol: str) -> tuple[str, ...]:
    """The files that ranking, and everything after it, depends on."""
    listed = (CANDIDATES,) if protocol in LISTED_CANDIDATES else ()
    return (ASPECTS, VOCABULARY, SPLIT, MODEL, MODEL_DESCRIPTION, *listed)


HEAD_LENGTH = 100
"""How many items of every ranking are kept: PN and PS then seldom need to score the whole catalogue again."""


def head_length(k: int) -> int:
    """The length of the kept beginning of a ranking, less one, as ``rank`` counts it."""
    return max(k + 1, HEAD_LENGTH - 1)
