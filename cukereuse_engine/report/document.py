"""The JSON report as typed data: one class for each object of `schema/cukereuse-report-2.schema.json`.

What a field means is written in the schema, once. Nothing is computed here.
"""

from msgspec import Struct

SCHEMA_VERSION = 2


class Tool(Struct, frozen=True):
    name: str
    version: str


class Findings(Struct, frozen=True):
    total: int
    suppressed: int
    by_rule: dict[str, int]
    by_severity: dict[str, int]


class Summary(Struct, frozen=True):
    feature_files: int
    parse_errors: int
    steps: int
    unique_step_texts: int
    clusters: int
    exact_duplication_rate: float
    eliminable_steps: int
    findings: Findings


class Compared(Struct, frozen=True):
    ref: str
    commit: str
    feature_files: int
    steps: int
    unique_step_texts: int
    elsewhere: int


class Suite(Struct, frozen=True):
    root: str
    step_definitions: int
    summary: Summary


class Problem(Struct, frozen=True):
    path: str
    line: int
    column: int
    message: str


class Place(Struct, frozen=True):
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    keyword: str
    scenario: str


class Definition(Struct, frozen=True):
    path: str
    line: int
    column: int
    keyword: str
    expression: str
    function: str
    framework: str


class Wording(Struct, frozen=True):
    text: str
    template: str
    occurrences: int


class Subject(Struct, frozen=True):
    text: str
    occurrences: int
    wordings: list[Wording]
    places: list[Place]
    definitions: list[Definition]


class Reason(Struct, frozen=True):
    id: str
    text: str
    value: float | None
    against: bool
    about: str


class Finding(Struct, frozen=True):
    rule: str
    severity: str
    fingerprint: str
    suite: str
    message: str
    confidence: float | None
    worth: int
    kind: str | None
    reasons: list[Reason]
    cluster_id: str
    preferred: Subject | None
    others: list[Subject]


class Text(Struct, frozen=True):
    text: str
    occurrences: int


class Member(Struct, frozen=True):
    path: str
    line: int
    column: int
    keyword: str
    scenario: str
    text: int


class Cluster(Struct, frozen=True):
    id: str
    suite: str
    canonical: str
    kind: str
    strategy: str
    score: float
    reasons: list[str]
    occurrences: int
    files: int
    savings: float
    texts: list[Text]
    members: list[Member]
