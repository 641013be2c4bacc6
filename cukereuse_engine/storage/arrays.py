"""Keeps dataclasses of learned numbers in files, as named NumPy arrays."""

import io
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.storage import write_atomically

_Model = TypeVar("_Model")


def to_arrays(model: Any, prefix: str = "") -> dict[str, NDArray[Any]]:
    """The fields of a dataclass, and of those within it, by name."""
    arrays: dict[str, NDArray[Any]] = {}
    for field in fields(model):
        value, name = getattr(model, field.name), f"{prefix}{field.name}"
        arrays |= to_arrays(value, f"{name}.") if is_dataclass(value) else {name: np.array(value)}
    return arrays


def from_arrays(cls: type[_Model], arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> _Model:
    """The argument of `to_arrays`. Raises `KeyError` for missing arrays."""
    values: list[Any] = []
    for field in fields(cls):  # type: ignore[arg-type]
        name = f"{prefix}{field.name}"
        if is_dataclass(field.type):
            values.append(from_arrays(field.type, arrays, f"{name}."))  # type: ignore[arg-type]
        elif isinstance(arrays[name].flat[0] if arrays[name].size else "", str):
            values.append(tuple(map(str, arrays[name])))
        else:
            values.append(arrays[name] if arrays[name].ndim else float(arrays[name]))
    return cls(*values)


def read_arrays(package: str, name: str) -> dict[str, NDArray[Any]]:
    """The arrays in a file that ships with a package; no pickle is read."""
    with (files(package) / name).open("rb") as file:
        return dict(np.load(file, allow_pickle=False))


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """The same arrays give the same bytes."""
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    write_atomically(path, packed.getvalue())
