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

from counterec.core.explainers.complete.settings import CompleteSettings
from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.goal_names import GOALS
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.single.settings import SingleSettings
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.scorers.hybrid_settings import HybridSettings
from counterec.core.scorers.training_settings import TrainingSettings
from counterec.core.space import QualityRule
from counterec.data.dataset_source import Dataset
from counterec.data.readers import DATES, FORMATS
from counterec.data.splitting import check_threshold
from counterec.errors import ConfigError
from counterec.pipeline.config_errors import setting_message
from counterec.pipeline.experiment_settings import NET_AS_PUBLISHED, ExperimentSettings
from counterec.pipeline.models import model_names
from counterec.pipeline.rankers import GIVEN
from counterec.pipeline.renamed_settings import refuse_old_names, with_new_names
from counterec.synthetic.world_size import WorldSize

MASKED = "-masked"
"""The ending of a method's name where only aspects that the user has mentioned may move."""


RULE_TABLES = ("groups", "boosts", "seen")
"""The settings of lists that name tables of rules."""
RULES = ("at_most_per_group", *RULE_TABLES, "ranker")
"""The settings of lists that decide what a list is after the scores are known."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False)


class TablesConfig(_Part):
    """Tables of users and of items with attributes of their own, instead of reviews."""

    users: Path | None = None
    """One row per user: CSV or Parquet."""
    items: Path | None = None
    """One row per item, its attributes as columns."""
    candidates: Path | None = None
    """Who competes, by user and item; by default every item for everybody."""
    seen: Path | None = None
    """Items that do not compete for a user's list."""
    lists: Path | None = None
    """Lists that were made elsewhere, by user and item; it is an error if the scores do not make them."""
    user_id: str | None = None
    """The column of the users' ids; by default ``user_id``."""
    item_id: str | None = None
    """The column of the items' ids; by default ``item_id``."""
    item_name: str | None = None
    """The column of the items' names."""
    attributes: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """What the columns do not show by themselves, by attribute."""

    @property
    def files(self) -> dict[str, Path]:
        """The files that are named, in the order in which they are read."""
        named = {name: getattr(self, name) for name in ("users", "items", "candidates", "seen", "lists")}
        return {name: path for name, path in named.items() if path is not None}


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
    tables: TablesConfig | None = None
    """Users and items with attributes of their own, instead of reviews."""
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
            raise ValueError(
                "name the files to read in data.sources, or give data.world: one of the two, or data.tables"
            )
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
    near_synonyms: bool = False
    """Whether nouns that the training part uses alike count as one aspect."""
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

    @field_validator("extractor", mode="before")
    @classmethod
    def _simple_is_gone(cls, name: object) -> object:
        if name == "simple":
            raise ValueError("the extractor 'simple' was removed; use 'grammar', the default")
        return name


OF_AN_IMPORT = ("file", "name", "frames", "columns", "inputs", "output", "column")
"""The settings of a model that only an import has."""


class ModelConfig(_Part):
    """Which recommender is trained."""

    kind: str = "hybrid"
    """The kind of model, by its name in the registry."""
    hybrid: HybridSettings = HybridSettings()
    """How a model of the kind *hybrid* is made."""
    file: Path | None = None
    """Of an imported model: its file (ONNX, LightGBM's text, or safetensors)."""
    name: str | None = None
    """Of an imported model that is code: its name in the operator's own config."""
    frames: Literal["polars", "pandas"] = "polars"
    """Of an imported model that is code: in which frames it gets its rows."""
    columns: tuple[str, ...] = ()
    """Of an imported LightGBM model: the columns it was fitted on, in order, where it does not know their names."""
    inputs: dict[str, str | tuple[str, ...]] = Field(default_factory=dict)
    """Of an imported ONNX model: by the name of an input, its columns; by default the column of that name."""
    output: str | None = None
    """Of an imported ONNX model: the output that is the score, where there are several."""
    column: int | None = None
    """Of an imported ONNX model: which column of that output, where it has several."""

    @model_serializer(mode="wrap")
    def _without_unused_import(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Settings of an import are written where there is one: the keys of all other runs stay as they were."""
        values: dict[str, Any] = dumped(self)
        unused = {
            name
            for name in OF_AN_IMPORT
            if getattr(self, name) == type(self).model_fields[name].get_default(call_default_factory=True)
        }
        if set(OF_AN_IMPORT) == unused:
            return {name: value for name, value in values.items() if name not in unused}
        return values

    def adapter(self) -> dict[str, Any]:
        """The settings of the adapter that are not left to it."""
        given = {name: getattr(self, name) for name in ("columns", "inputs", "output", "column")}
        return {name: value for name, value in given.items() if value not in ((), {}, None)}

    @model_validator(mode="after")
    def _known_kind(self) -> ModelConfig:
        _require_known_model(self.kind)
        return self


def _require_known_model(kind: str, key: str = "") -> None:
    if kind not in model_names():
        raise ValueError(f"{key}no model of kind {kind!r}; there are {', '.join(model_names())}")


class ListsConfig(_Part):
    """Which items compete, and how long a list is."""

    protocol: Literal["full", "sampled", "given"] = "full"
    """Rank the whole catalogue, the held-out items against sampled ones, or the candidates of an import."""
    k: int = Field(default=5, ge=1)
    """The length of a list."""
    negatives: int = Field(default=100, ge=1)
    """Items sampled for each user by protocol *sampled*."""
    at_most_per_group: int | None = Field(default=None, ge=1)
    """At most this many items of a group, such as a brand, in one list; ``groups`` says which belong together."""
    groups: Path | None = None
    """A table with the columns item and group, CSV or Parquet."""
    boosts: Path | None = None
    """A table with the columns item and boost: what these items get on top of their scores."""
    seen: Path | None = None
    """A table with the columns user and item: what these users have seen is not in their lists."""
    ranker: str | None = None
    """What makes the lists, if it is code of yours: the name of an entry point, or module:factory."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are used, by the names of their settings."""
        return tuple(name for name in RULES if getattr(self, name) is not None)

    @property
    def rule_tables(self) -> dict[str, Path]:
        """The tables of the rules that are used."""
        return {name: getattr(self, name) for name in RULE_TABLES if getattr(self, name) is not None}

    @model_validator(mode="after")
    def _whole_rules(self) -> ListsConfig:
        if (self.at_most_per_group is None) != (self.groups is None):
            raise ValueError("at_most_per_group and groups: the one needs the other; give both, or none")
        if self.ranker is not None and self.at_most_per_group is not None:
            raise ValueError("ranker and at_most_per_group: both make the list; give one of the two")
        return self

    @model_serializer(mode="wrap")
    def _without_unused_rules(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Rules that are not used are not written; of a ranker that is code, a folder only says that there was one."""
        values: dict[str, Any] = dumped(self)
        if self.ranker is not None and ":" in self.ranker:
            values["ranker"] = GIVEN
        return {name: value for name, value in values.items() if value is not None or name not in RULES}


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
    single: SingleSettings = SingleSettings()
    minimal: MinimalSettings = MinimalSettings()
    complete: CompleteSettings = CompleteSettings()

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
            raise ValueError("split.held_out, split.validation: tables hold no reviews to hold out; both are 0")
        if (self.lists.protocol == "given") and self.data.tables is None:
            raise ValueError("lists.protocol: given candidates belong to data.tables; use full or sampled")
        if not self.split.held_out and self.lists.protocol == "sampled":
            raise ValueError(
                "lists.protocol: protocol sampled ranks held-out items: hold out reviews, or use the protocol full"
            )
        return self


def world_seed(config: RunConfig) -> tuple[str, ...]:
    """The setting *seed*, for the stages that only need it where there is a built-in world to make."""
    return ("seed",) if config.data.world else ()


def make_config(settings: dict[str, Any], origin: str) -> RunConfig:
    """Validate settings; the error is one line that names the origin, the setting and what is wrong with it."""
    try:
        refuse_old_names(settings)
        return RunConfig.model_validate(settings)
    except ValidationError as error:
        raise ConfigError(f"{origin}: {setting_message(error, settings, RunConfig)}") from None
    except ConfigError as error:
        raise ConfigError(f"{origin}: {error}") from None


def config_of_manifest(settings: dict[str, Any], origin: str) -> RunConfig:
    """The configuration of a finished run, which may have been made when settings had other names."""
    return make_config(with_new_names(settings), origin)


def make_import_config(settings: dict[str, Any], origin: str) -> RunConfig:
    """The configuration of an import: nothing is held out, nobody is left out, given candidates compete, and *minimal*
    explains."""
    tables = settings.get("data", {}).get("tables") if isinstance(settings.get("data"), dict) else None
    if not isinstance(tables, dict):
        raise ConfigError(f"{origin}: data.tables: name the files of users and items there")
    competing = {"protocol": "given"} if tables.get("candidates") else {}
    return make_config(
        {
            **settings,
            "split": {"held_out": 0, "validation": 0, **settings.get("split", {})},
            "aspects": {"everybody": False, **settings.get("aspects", {})},  # there are no reviews of others
            "lists": {**competing, **settings.get("lists", {})},
            "explain": {"methods": ["minimal"], **settings.get("explain", {})},
        },
        origin,
    )


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
    lists = settings.get("lists")
    if isinstance(lists, dict):
        tables = {name: str(folder / lists[name]) for name in RULE_TABLES if isinstance(lists.get(name), str)}
        settings = {**settings, "lists": {**lists, **tables}}
    data = settings.get("data")
    if not isinstance(data, dict):
        return settings
    data = dict(data)
    if isinstance(data.get("sources"), list):
        named = (folder / source if isinstance(source, str) else source for source in data["sources"])
        data["sources"] = [str(source) if isinstance(source, Path) else source for source in named]
    if isinstance(data.get("items"), str):
        data["items"] = str(folder / data["items"])
    if isinstance(data.get("tables"), dict):
        data["tables"] = _joined(data["tables"], ("users", "items", "candidates", "seen", "lists"), folder)
    if isinstance(settings.get("model"), dict):
        settings = {**settings, "model": _joined(settings["model"], ("file",), folder)}
    return {**settings, "data": data}


def _joined(part: dict[str, Any], names: tuple[str, ...], folder: Path) -> dict[str, Any]:
    """The part with these paths as seen from here."""
    return {**part, **{name: str(folder / part[name]) for name in names if isinstance(part.get(name), str)}}
