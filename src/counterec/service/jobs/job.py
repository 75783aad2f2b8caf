"""A batch job: what is asked, and how far it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from counterec.core.explainers.constraints import Constraints
from counterec.core.explainers.goal_names import Goal
from counterec.core.explainers.question import Kind

State = Literal["waiting", "running", "done", "cancelled", "failed"]
ENDED: tuple[State, ...] = ("done", "cancelled", "failed")


@dataclass(frozen=True)
class JobSpec:
    """What a job is to answer: one question about pairs by numbers (user, item, other item)."""

    question: Kind
    goal: Goal
    constraints: Mapping[str, Any] | None
    """As ``Constraints`` takes them; None for those of the run."""
    pairs: Sequence[tuple[int, int, int | None]]

    def allowed(self) -> Constraints | None:
        """The constraints as the library has them."""
        if self.constraints is None:
            return None
        return Constraints(**{**self.constraints, "keep": tuple(self.constraints.get("keep", ()))})


@dataclass(frozen=True)
class Job:
    """A job as it is now."""

    job_id: str
    state: State
    question: Kind
    goal: Goal
    pairs: int
    answered: int
    created: str
    detail: str | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more will be answered."""
        return self.state in ENDED

    def told(self) -> dict[str, Any]:
        """The job by names."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
