"""Steps that are similar to a text, and the cluster of a step."""

from typing import ClassVar

import msgspec

from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.places import Place


class SimilarStep(msgspec.Struct, frozen=True, kw_only=True):
    """A wording of the suite, or of another repository, compared with the query."""

    text: str
    """Its text that is most similar to the given one."""
    occurrences: int
    """Steps of this wording."""
    score: float
    """0 to 1, for ranking only."""
    indel: float
    """Indel similarity of the masked texts."""
    cosine: float | None
    """Cosine similarity of the masked texts, if there are vectors."""
    reasons: list[str]
    barred_by: list[str]
    """Guards that keep the two apart: opposites stay in the list, with this mark."""
    places: list[Place]
    """The places of some of its steps."""
    known_to: list[str] = []
    """Other repositories that have it, from the catalogue, if the suite does not."""


class Similar(Request, frozen=True):
    """The wordings most like a text, or like the step on a line; the suite's own first, then other repositories'."""

    answer: ClassVar = list[SimilarStep]
    path: str
    """The file whose suite is searched; empty: all suites."""
    line: int = 0
    """The 1-based line of the step to search for, which is left out of the answer."""
    text: str = ""
    """The text to search for, if `line` is 0."""
    limit: int = 10
    apply: bool = False
    """True for only those wordings to which the step can be changed: guards do not keep them apart."""


class ClusterWording(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    """Its most used text."""
    occurrences: int
    definitions: list[Place]
    places: list[Place]


class ClusterAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The cluster of a step."""

    id: str
    kind: str
    canonical: str
    score: float
    reasons: list[str]
    wordings: list[ClusterWording]
    """Most used first."""


class GetCluster(Request, frozen=True):
    """The cluster of the step on a line; None if it is in no cluster."""

    answer: ClassVar = ClusterAnswer | None
    path: str
    line: int
