"""Diagnostics of one file."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class RelatedPlace(msgspec.Struct, frozen=True):
    place: Place
    message: str


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """A finding at a step, or a place that can't be read."""

    place: Place
    rule: str
    severity: str
    message: str
    related: tuple[RelatedPlace, ...]
    fingerprint: str = ""
    """The finding's fingerprint; empty for `unread`."""
    preferred: str = ""
    """The wording to use, with the arguments of its own most used step."""


class FileDiagnoses(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    version: int | None
    """The version of the editor's text that was read; None for a file that is not open."""
    complete: bool
    """False while the index is being built: there may be more."""
    diagnoses: list[Diagnosis]
    digest: str
    """Changes when `diagnoses` do; the protocol's `resultId`."""


class Diagnose(Request, frozen=True):
    """The diagnostics of one file in its current state."""

    answer: ClassVar = FileDiagnoses
    path: str


class DiagnoseAll(Request, frozen=True):
    """The diagnostics of every file that has any."""

    answer: ClassVar = list[FileDiagnoses]
