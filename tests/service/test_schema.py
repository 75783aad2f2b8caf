"""Schemathesis over the whole OpenAPI document: no 5xx, no answer outside its schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from counterec.service.app import api_of
from tests.service.serving import Served

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
FEW, MANY = 6, 300
"""Random cases of one operation: in every run of the tests, and in the slow one; fixed ones come on top."""
PATIENT = {
    "deadline": None,
    "database": None,
    "derandomize": True,
    "suppress_health_check": list(HealthCheck),
}

schema = schemathesis.openapi.from_dict(api_of(None).openapi())
schema.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])


def with_known_ids(case: Case) -> None:
    """Let about half of the ids be such as the run has: otherwise nothing but unknown ones would be tried."""
    known = {"user_id": "U0004", "item_id": "P0001", "versus": "P0002", "aspect": "battery"}
    for values in _dictionaries(case.body), _dictionaries(case.query):
        for each in values:
            for name, value in each.items():
                if name in known and isinstance(value, str) and len(value) % 2:
                    each[name] = known[name]


def _dictionaries(value: Any) -> list[dict[str, Any]]:
    """All dictionaries in a value."""
    if isinstance(value, dict):
        return [value, *(found for each in value.values() for found in _dictionaries(each))]
    if isinstance(value, list):
        return [found for each in value for found in _dictionaries(each)]
    return []


def cases_of(method: str, path: str, count: int) -> Callable[..., None]:
    """A test that tries so many random cases of one operation, and fixed ones."""

    @schema.include(method=method, path=path).parametrize()
    @settings(max_examples=count, **PATIENT)
    def test(case: Case, served: Served) -> None:
        with_known_ids(case)
        case.call_and_validate(base_url=served.api, checks=CHECKS, timeout=60)

    return test


# A test with a name of its own for each operation: of several with one name, processes side by side would run only one.
for described in schema.get_all_operations():
    operation = described.ok()
    name = re.sub(r"\W+", "_", operation.label.lower()).strip("_")
    globals()[f"test_few_cases_of_{name}"] = cases_of(operation.method, operation.path, FEW)
    globals()[f"test_many_cases_of_{name}"] = pytest.mark.slow_service(cases_of(operation.method, operation.path, MANY))


def test_every_operation_is_tried() -> None:
    described = sum(len(methods) for methods in schema.raw_schema["paths"].values())
    assert sum(name.startswith("test_few_cases_of_") for name in globals()) == described > 9
