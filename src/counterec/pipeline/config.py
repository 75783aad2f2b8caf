"""The configuration of a run, validated at the edge; inside, the core's own settings.

An error is one line in words of the file: the key, what may stand there, and the value.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

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
from pydantic_core import ErrorDetails

from counterec.core.arrays import require
from counterec.core.explainers.constraints import VALUES, Constraints, Values
from counterec.core.explainers.goal_names import GOALS, Goal
from counterec.core.explainers.minimal.settings import MinimalSettings
from counterec.core.explainers.relaxed.settings import RelaxedSettings
from counterec.core.explainers.tolerances import MARGIN
from counterec.core.scorers.settings import HybridSettings, TrainingSettings
from counterec.core.space import QualityRule
from counterec.data.prepare import check_threshold
from counterec.data.problems import shown
from counterec.data.source import FORMATS, Dataset
from counterec.data.values import DATES
from counterec.errors import ConfigError, UsageError
from counterec.pipeline.models import require_known_model
from counterec.references import trust
from counterec.synthetic.world import WorldSize

TABLE = "a table of settings"
EXPECTED = {
    "bool": "true or false",
    "bytes": "text in quotes",
    "dataclass": TABLE,
    "date": "a date",
    "dict": "a table of names and values",
    "finite_number": "a finite number",
    "float": "a number",
    "int": "a whole number",
    "list": "a list in square brackets",
    "mapping": "a table of names and values",
    "model": TABLE,
    "none": "nothing",
    "path": "a path in quotes",
    "string": "text in quotes",
    "tuple": "a list in square brackets",
}
"""The beginning of a kind of error in Pydantic → what may stand there."""
LIMITS = {"ge": "{} or more", "gt": "above {}", "le": "{} or less", "lt": "below {}", "multiple_of": "a multiple of {}"}
UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
OTHER = "a value of another kind"
"""What is said where Pydantic has an error that we have no words for."""


def setting_message(error: ValidationError, settings: Any, schema: type) -> str:
    """The first thing that is wrong with the settings, in one line."""
    errors = error.errors()
    key = _key(errors[0]["loc"], settings)
    first = errors[0]
    if first["type"] == "value_error":
        return _said(key, first["msg"].removeprefix("Value error, "))
    if first["type"] in UNKNOWN:
        return _said(key, f"there is no such setting; {_advice(key, schema)}")
    if first["type"] == "missing":
        return _said(key, "it is missing" if isinstance(key[-1], str) else "an entry is missing")
    same = [other for other in errors if _key(other["loc"], settings) == key]
    expected = dict.fromkeys(_expected(other) for other in same)
    return _said(key, f"it must be {' or '.join(expected)}, not {shown(first['input'])}")


def _said(key: Sequence[str | int], text: str) -> str:
    return f"{_as_written(key)}: {text}" if key else text


def _as_written(key: Sequence[str | int]) -> str:
    """A key as the file has it; entries of a list are counted from 1."""
    names = ".".join(part for part in key if isinstance(part, str))
    places = "".join(f", entry {part + 1}" for part in key if isinstance(part, int))
    return names + places


def _key(location: Sequence[str | int], settings: Any) -> tuple[str | int, ...]:
    """The part of a location that is in the file: Pydantic adds the names of types that were tried."""
    key: list[str | int] = []
    here = settings
    for part in location:
        if isinstance(part, str) and isinstance(here, dict):
            if part == "[key]":
                break
            key.append(part)
            here = here.get(part)
        elif isinstance(part, int) and isinstance(here, list | tuple):
            key.append(part)
            here = here[part] if part < len(here) else None
        else:
            break
    return tuple(key)


def _expected(error: ErrorDetails) -> str:
    """What may stand where a value is refused."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "literal_error":
        return str(context["expected"])
    for name, form in LIMITS.items():
        if name in context:
            return form.format(f"{context[name]:g}")
    if kind in ("too_long", "too_short"):
        number = context.get("max_length", context.get("min_length"))
        return f"a list of {number} {'entry' if number == 1 else 'entries'}"
    return next((words for name, words in EXPECTED.items() if kind.startswith(name)), OTHER)


def _advice(key: Sequence[str | int], schema: type) -> str:
    """The name that is most like an unknown one, or all that may stand beside it."""
    known = list(settings_at(schema, [part for part in key[:-1] if isinstance(part, str)]))
    near = difflib.get_close_matches(str(key[-1]), known, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"check its spelling, there are {', '.join(known)}"


def settings_at(schema: Any, path: Sequence[str]) -> dict[str, Any]:
    """The settings of a table in a file, each with its type."""
    for name in path:
        schema = _fields(schema).get(name)
    return _fields(schema)


def every_setting(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The key of every setting and table."""
    for name, kind in _fields(schema).items():
        yield (*path, name)
        yield from every_setting(kind, (*path, name))


def _fields(schema: Any) -> dict[str, Any]:
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return {name: field.annotation for name, field in schema.model_fields.items()}
    if dataclasses.is_dataclass(schema) and isinstance(schema, type):
        hints = get_type_hints(schema)
        return {field.name: hints[field.name] for field in dataclasses.fields(schema)}
    return next((found for part in get_args(schema) if (found := _fields(part))), {})


Protocol = Literal["full", "sampled"]
PROTOCOLS: tuple[Protocol, ...] = ("full", "sampled")
NET_AS_PUBLISHED = "net_as_published"
"""The paper's net, trained as the paper says, whatever the run's training is: a model of experiments alone."""
OWN_LISTS = ("efm", "mter", "a2cf")
"""The baselines that explain lists of their own."""


@dataclass(frozen=True)
class ExperimentSettings:
    """How an experiment is made."""

    models: tuple[str, ...] = ("net",)
    """The kinds of model whose lists are explained, by their names in the registry. The paper's claims are about
    ``net``; ``net_as_published`` is trained as the paper says. Where the run has another kind, the experiment trains
    one of this kind for itself."""
    protocols: tuple[Protocol, ...] = PROTOCOLS
    """How candidates are chosen."""
    seeds: int = 1
    """How many seeds, starting from the run's own, everything random is repeated with."""
    ground_truth: Literal["positive", "all"] = "positive"
    """Whether an aspect must be praised in the held-out review, or only mentioned."""
    baselines: tuple[str, ...] = OWN_LISTS
    """Methods with lists of their own."""
    lambdas: tuple[float, ...] = (10.0, 30.0, 100.0, 300.0, 1000.0)
    """λ of Figure 2, with the paper's α."""
    alphas: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    """α that the paper tries, with its λ."""
    values: Values = "continuous"
    """What an aspect may become: any value, as in the paper, or only what an item can have."""
    telling: bool = False
    """Whether CountER prefers aspects that tell a person most, or the smallest change, as in the paper."""
    users: int = 0
    """At most this many users, drawn by the seed, have their lists explained: each seed draws anew, and every table
    says so. 0 means all of them."""
    detail_users: int = 100
    """At most this many of them, drawn by the seed, have their answers judged in other conditions."""
    sweep_users: int = 40
    """At most this many users are tried with every λ and α: as published, each pair takes a thousand steps."""
    quick: bool = False
    """Whether this is a quick look, which lies apart from a whole experiment and says what it leaves out."""

    def __post_init__(self) -> None:
        require(len(self.protocols) > 0, "protocols is empty; an experiment needs at least one protocol")
        require(set(self.protocols) <= set(PROTOCOLS), f"unknown protocol in {self.protocols}; {', '.join(PROTOCOLS)}")
        require(
            set(self.baselines) <= set(OWN_LISTS),
            f"baselines: unknown baseline in {self.baselines}; {', '.join(OWN_LISTS)}",
        )
        require(len(set(self.models)) == len(self.models), f"models is {self.models}; name each of them once")
        require(len(self.models) > 0, "models is empty; an experiment needs at least one kind of model")
        require(self.users >= 0, f"users is {self.users}; it must be 0, for all of them, or more")
        require(self.seeds >= 1, f"seeds is {self.seeds}; it must be at least 1")
        require(self.ground_truth in ("positive", "all"), f"ground_truth is {self.ground_truth!r}; positive or all")
        require(self.values in VALUES, f"unknown values {self.values!r}; {' or '.join(VALUES)}")
        for name in ("detail_users", "sweep_users"):
            require(getattr(self, name) >= 1, f"{name} is {getattr(self, name)}; it must be at least 1")
        for name in ("lambdas", "alphas"):
            given = getattr(self, name)
            require(all(value > 0 for value in given), f"{name} is {given}; every number must be above 0")


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
    """How times are written: dmy, mdy, iso, s, ms, or none to do without; found out where the column settles it."""
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
