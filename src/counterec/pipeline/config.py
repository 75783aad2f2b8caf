"""The configuration of a run, validated at the edge; inside, the core's own settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.scorers.settings import HybridSettings, TrainingSettings
from counterec.core.space import QualityRule
from counterec.data.dataset_source import Dataset
from counterec.data.readers import DATES, FORMATS
from counterec.data.splitting import check_threshold
from counterec.errors import ConfigError, UsageError
from counterec.pipeline.config_errors import setting_message
from counterec.pipeline.experiment_settings import NET_AS_PUBLISHED, ExperimentSettings
from counterec.pipeline.models import require_known_model
from counterec.references import trust
from counterec.synthetic.world_size import WorldSize

MASKED = "-masked"
"""The ending of a method's name where only aspects that the user has mentioned may move."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False)


class DataConfig(_Part):
    """Where the data comes from, and who is kept."""

    sources: tuple[Path, ...] = ()
    """Files of reviews or mentions, read as one."""
    format: str | None = None
    """Their format; guessed where it is unambiguous."""
    columns: dict[str, str] = Field(default_factory=dict)
    """Our name of a column (user, item, text, time, rating, aspect, opinion, sentiment) → its name in the file."""
    dates: str | None = None
    """How times are written: dmy, mdy, iso, s, ms, order (mere order numbers), or none to do without; found out where
    the column settles it."""
    items: Path | None = None
    """A file of item ids and names."""
    world: WorldSize | None = None
    """The built-in world of this size, instead of files."""
    tables: Literal["frames"] | None = None
    """Of a run by ``Run.create``: users and items are data frames with attributes of their own, instead of reviews."""
    min_user_reviews: int = Field(default=10, ge=1)
    """Users with fewer reviews are left out."""
    min_item_reviews: int = Field(default=1, ge=1)
    """Items with fewer reviews, by any user, are left out before users are counted."""

    @model_serializer(mode="wrap")
    def _without_unused_tables(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = dumped(self)
        return {name: value for name, value in values.items() if value is not None or name != "tables"}

    @model_validator(mode="after")
    def _one_origin(self) -> DataConfig:
        if [bool(self.sources), self.world is not None, self.tables is not None].count(True) != 1:
            raise ValueError("name the files to read in data.sources, or give data.world: one of the two")
        if self.format is not None and self.format not in FORMATS:
            raise ValueError(f"unknown format {self.format!r}; one of {', '.join(FORMATS)}")
        if self.dates is not None and self.dates not in DATES:
            raise ValueError(f"unknown form of dates {self.dates!r}; one of {', '.join(DATES)}")
        return self


class SplitConfig(_Part):
    """How many of each user's last reviews are held out."""

    held_out: int = Field(default=5, ge=0)
    """The last reviews of a user, which are the test part; 0 for production: the final model knows all reviews, and
    nothing can be measured on held-out ones."""
    validation: int = Field(default=1, ge=0)
    """The reviews before those, on which settings are chosen; 0 is as published."""


class AspectsConfig(_Part):
    """How aspects are found, and which are kept."""

    extractor: str = "grammar"
    """Which extractor finds the mentions in the texts: the built-in one, or one that another package brings."""
    words: Path | None = None
    """A TOML file of your own aspects, forbidden words and synonyms."""
    min_mentions: int = Field(default=5, ge=1)
    """Aspects that the training part mentions less often are left out."""
    most: int = Field(default=0, ge=0)
    """Number of aspects, by how many users use them about how many items; 0: 20, 40 or 80, chosen on validation."""
    most_per_review: int = Field(default=3, ge=0)
    """A review counts an aspect once a sentence and at most so many times; 0 for no limit."""
    quality: QualityRule | Literal["auto"] = "auto"
    """How opinions become values: by Eq. 1, or as the *share* of praise, which does not saturate on dense data; *auto*:
    chosen on validation."""
    everybody: bool = True
    """Whether reviews of users who are left out count for Y; never for X, nor for the lists."""
    ceiling: float = Field(default=5.0, gt=1)
    """N of Eq. 1, the top of the rating scale."""


class ModelConfig(_Part):
    """Which recommender is trained."""

    kind: str = "hybrid"
    """The kind of model, by its name in the registry."""
    hybrid: HybridSettings = HybridSettings()
    """How a model of the kind *hybrid* is made."""

    @model_validator(mode="after")
    def _known_kind(self) -> ModelConfig:
        _require_known_model(self.kind)
        return self


def _require_known_model(kind: str, key: str = "") -> None:
    try:
        require_known_model(kind)
    except UsageError as error:
        raise ValueError(f"{key}{error}") from None


class ListsConfig(_Part):
    """Which items compete, and how long a list is."""

    protocol: Literal["full", "sampled", "given"] = "full"
    """Rank the whole catalogue, the held-out items against sampled ones, or candidates given to ``Run.create``."""
    k: int = Field(default=5, ge=1)
    """The length of a list."""
    negatives: int = Field(default=100, ge=1)
    """Items sampled for each user by protocol *sampled*."""


class ExplainConfig(_Part):
    """How the lists are explained."""

    methods: tuple[str, ...] = ("minimal", "relaxed", "relaxed-masked", "single", "single-masked")
    """One goal each, with ``-masked`` where only aspects that the user has mentioned may move."""
    constraints: Constraints = Constraints()
    """What no change may do; the mask is part of a method's name instead."""
    margin_share: float = Field(default=MARGIN, ge=0)
    """A flip clears its target by this share of the standard deviation of the user's candidate scores."""
    telling: bool = True
    """Whether *minimal* and *single* name, of the aspects that would do, those that tell a person most."""
    relaxed: RelaxedSettings = RelaxedSettings()
    minimal: MinimalSettings = MinimalSettings()

    @field_validator("constraints", mode="wrap")
    @classmethod
    def _with_its_key(cls, given: object, made: ValidatorFunctionWrapHandler) -> Constraints:
        try:
            return made(given)
        except ConfigError as error:
            raise ValueError(str(error)) from error

    @model_validator(mode="after")
    def _known_methods(self) -> ExplainConfig:
        if self.constraints.masked:
            raise ValueError(
                f"explain.constraints.masked: name the methods with {MASKED} instead, such as minimal{MASKED}"
            )
        if not self.methods:
            raise ValueError(f"methods: no method is named; {', '.join(GOALS)}, with {MASKED} or without")
        for method in self.methods:
            if method.removesuffix(MASKED) not in GOALS:
                raise ValueError(f"methods: unknown method {method!r}; {', '.join(GOALS)}, with {MASKED} or without")
            if self.methods.count(method) > 1:
                raise ValueError(f"methods: method {method!r} is named twice; name it once")
        return self


def goal_settings(goal: Goal) -> tuple[str, ...]:
    """Return the part of the configuration that has the settings of a goal, if it has any."""
    return (f"explain.{goal}",) if goal in ExplainConfig.model_fields else ()


class RunConfig(_Part):
    """Everything a run depends on."""

    data: DataConfig
    dataset: Dataset | None = None
    """The published dataset that the sources are, if they are one; no number depends on it."""
    split: SplitConfig = SplitConfig()
    aspects: AspectsConfig = AspectsConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingSettings = TrainingSettings()
    lists: ListsConfig = ListsConfig()
    explain: ExplainConfig = ExplainConfig()
    experiment: ExperimentSettings = ExperimentSettings()
    seed: int = Field(default=0, ge=0)
    """The one seed everything random is derived from."""

    @model_validator(mode="after")
    def _leaves_training(self) -> RunConfig:
        try:
            check_threshold(self.data.min_user_reviews, self.split.held_out, self.split.validation)
        except ConfigError as error:
            raise ValueError(f"data.min_user_reviews, split.held_out: {error}") from error
        return self

    @model_validator(mode="after")
    def _fits_together(self) -> RunConfig:
        for kind in self.experiment.models:
            if kind != NET_AS_PUBLISHED:
                _require_known_model(kind, "experiment.models: ")
        if self.data.tables is not None and (self.split.held_out or self.split.validation):
            raise ValueError("split.held_out, split.validation: data frames hold no reviews to hold out; both are 0")
        if (self.lists.protocol == "given") and self.data.tables is None:
            raise ValueError("lists.protocol: only Run.create takes given candidates; use full or sampled")
        if not self.split.held_out and self.lists.protocol == "sampled":
            raise ValueError(
                "lists.protocol: protocol sampled ranks held-out items: hold out reviews, or use the protocol full"
            )
        return self


def world_seed(config: RunConfig) -> tuple[str, ...]:
    """The setting *seed*, for the stages that only need it where there is a built-in world to make."""
    return ("seed",) if config.data.world else ()


def make_config(settings: dict[str, Any], origin: str) -> RunConfig:
    """Validate settings of the caller's own; the error is one line that names the origin, the setting and the fault.

    Code that they name as ``module:attribute`` may be imported from now on.
    """
    config = check_config(settings, origin)
    trust([config.aspects.extractor, config.model.kind, *config.experiment.models])
    return config


def check_config(settings: dict[str, Any], origin: str) -> RunConfig:
    """Validate settings that may come from a run folder: code that they name is not imported."""
    try:
        return RunConfig.model_validate(settings)
    except ValidationError as error:
        raise ConfigError(f"{origin}: {setting_message(error, settings, RunConfig)}") from None
    except ConfigError as error:
        raise ConfigError(f"{origin}: {error}") from None


def make_frames_config(lists: dict[str, Any], explain: dict[str, Any], kind: str = "operator") -> RunConfig:
    """Return the configuration of a run on data frames: nothing is held out, nobody left out, *minimal* explains."""
    settings = {
        "data": {"tables": "frames"},
        "split": {"held_out": 0, "validation": 0},
        "aspects": {"everybody": False},  # there are no reviews of others
        "model": {"kind": kind},
        "lists": lists,
        "explain": {"methods": ["minimal"], **explain},
    }
    return check_config(settings, "frames")


def load_config(path: Path) -> RunConfig:
    """Read a config file; paths in it are relative to the file."""
    return make_config(load_settings(path), str(path))


def load_settings(path: Path) -> dict[str, Any]:
    """Read the settings of a config file as they stand there, but for its paths, which become those from here."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a TOML file ({error})") from None
    return _with_absolute_paths(settings, path.parent)


def _with_absolute_paths(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    aspects = settings.get("aspects")
    if isinstance(aspects, dict) and isinstance(aspects.get("words"), str):
        settings = {**settings, "aspects": {**aspects, "words": str(folder / aspects["words"])}}
    data = settings.get("data")
    if not isinstance(data, dict):
        return settings
    data = dict(data)
    if isinstance(data.get("sources"), list):
        named = (folder / source if isinstance(source, str) else source for source in data["sources"])
        data["sources"] = [str(source) if isinstance(source, Path) else source for source in named]
    if isinstance(data.get("items"), str):
        data["items"] = str(folder / data["items"])
    return {**settings, "data": data}
