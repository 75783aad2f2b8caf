"""The array types of the core, and how values check and freeze their arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from counterec.errors import InvalidValueError

# Values accept any precision and hold float32.
FloatVector = NDArray[np.floating[Any]]
FloatMatrix = NDArray[np.floating[Any]]
IntVector = NDArray[np.int64]
IntMatrix = NDArray[np.int64]
BoolVector = NDArray[np.bool_]
BoolMatrix = NDArray[np.bool_]


def frozen(array: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """Return a read-only view of the array with this type; it is copied only if its type differs."""
    view = np.asarray(array, dtype=dtype).view()
    view.flags.writeable = False
    return view


def freeze(value: object, /, **dtypes: DTypeLike) -> None:
    """Make these fields of a frozen dataclass read-only arrays of these types."""
    for name, dtype in dtypes.items():
        object.__setattr__(value, name, frozen(getattr(value, name), dtype))


def require(condition: bool | np.bool_, message: str) -> None:
    """Raise ``InvalidValueError`` with the message unless the condition holds."""
    if not condition:
        raise InvalidValueError(message)


def require_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Raise unless the array has exactly this shape."""
    require(array.shape == shape, f"{name} has shape {array.shape}, expected {shape}")


def require_finite(name: str, array: NDArray[Any]) -> None:
    """Raise, naming the first entry at fault, unless every entry is a finite number."""
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InvalidValueError(f"{name} holds {array[where]} at {where}; every entry must be a finite number")


def row_chunks(rows: int, size: int) -> list[slice]:
    """Cut ``rows`` rows into slices of at most ``size``."""
    return [slice(start, min(start + size, rows)) for start in range(0, rows, max(1, size))]
