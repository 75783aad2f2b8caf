"""What an experiment measures, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from counterec.core.arrays import require
from counterec.core.explainers.constraints import VALUES, Values

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
