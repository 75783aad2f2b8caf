"""Records of answers, as a server sends them."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from counterec.core.attributes import Attribute
from counterec.core.explainers.answer_row import AnswerRow
from counterec.core.explainers.constraints import Constraints
from counterec.wording.change import Change
from counterec.wording.record import AnswerRecord

_ROW: TypeAdapter[AnswerRow] = TypeAdapter(AnswerRow)
_CONSTRAINTS: TypeAdapter[Constraints] = TypeAdapter(Constraints)


def record_from(plain: dict[str, Any]) -> AnswerRecord:
    """The record; every claim is checked again."""
    changes = [Change(**{**said, "attribute": _attribute(said["attribute"])}) for said in plain["changes"]]
    constraints = None if plain["constraints"] is None else _CONSTRAINTS.validate_python(plain["constraints"])
    known = {**plain, "row": _ROW.validate_python(plain["row"]), "changes": changes, "constraints": constraints}
    return AnswerRecord(**known)


def _attribute(plain: dict[str, Any] | None) -> Attribute | None:
    return None if plain is None else Attribute.of_plain(plain)
