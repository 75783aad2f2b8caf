"""Products of bytes are used where this PyTorch has them, and they are exact."""

from __future__ import annotations

import pytest
import torch

from counterec.core.scorers.integer_screen import is_fast, multiplies_bytes


@pytest.fixture(autouse=True)
def looked_up_anew():
    multiplies_bytes.cache_clear()
    yield
    multiplies_bytes.cache_clear()


def refusing(*_: torch.Tensor) -> torch.Tensor:
    raise RuntimeError("int_mm_out_cpu: Expected self dtype to be of type int8 but got unsigned char")


def signed(most: torch.Tensor, least: torch.Tensor) -> torch.Tensor:
    """Takes the highest bit of every byte for a sign."""
    return most.to(torch.int8).to(torch.int32) @ least.to(torch.int32)


@pytest.mark.parametrize("product", [refusing, signed])
def test_a_version_that_refuses_them_or_is_not_exact_does_without(product, monkeypatch) -> None:
    monkeypatch.setattr(torch, "_int_mm", product)
    assert not multiplies_bytes()
    assert not is_fast(torch.device("cpu"))


def test_a_version_that_does_not_know_them_does_without(monkeypatch) -> None:
    monkeypatch.delattr(torch, "_int_mm")
    assert not is_fast(torch.device("cpu"))
