"""Clones and checkouts -> `catalogue.parquet`, `catalogue.json`, `catalogue.html`: the steps of all repositories, and
the repositories and teams that have each. Teams are those of CODEOWNERS.

Two steps are the same if their texts are equal with masked arguments and ignored case; a step definition counts by its
expression, read as a step. After `analyse`, the clusters of `auto` group wordings of one intent; the best wording is
that of most repositories. A unit is a repository.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from corpus_tools.pages import catalogue_page
from corpus_tools.support import arrow
from corpus_tools.support.bound_suites import relative, suites
from corpus_tools.support.checkpoint import CheckpointedStage, digest, unit
from corpus_tools.support.code_owners import CodeOwners, code_owners
from corpus_tools.support.repositories import Checkout, slug, sources
from corpus_tools.support.workers import UnitRunner, local_runner
from cukereuse_engine.catalogue.document import VERSION, CatalogueDocument, CatalogueEntry, Owner
from cukereuse_engine.functions.tokens import portable
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.gherkin.karate import karate_statements
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.nearest import wording
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.refactor.creation.spoken import spoken
from cukereuse_engine.report.visible import encodable
from cukereuse_engine.scanning.functions import load_functions
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.storage import write_atomically
from cukereuse_engine.text.template import SLOT, mask

TABLE, DOCUMENT, PAGE = "catalogue.parquet", "catalogue.json", "catalogue.html"
COLUMNS = {
    "key": "string",  # the step, in lower case, with a slot for each argument
    "step": "string",  # the step for people, with … for each argument
    "repo": "string",
    "text": "string",  # its most used text there; for an unused definition, its expression as a step
    "uses": "int64",  # number of steps
    "expression": "string",  # empty if no step definition is known
    "language": "string",
    "framework": "string",
    "path": "string",  # of the definition, relative to the repository
    "line": "int32",
    "team": "string",  # owners of the definition's file by CODEOWNERS, else of the feature with most of its steps
    "form": "string",  # digest of the function's normal form, whose names count without their file, class or module
    "form_weight": "int32",  # number of the function's tokens that name something
    "intent": "int64",  # equal intents mean the same; -1: no other step means the same
    "best": "bool",  # true for the preferred wording of the intent
    "repositories": "int64",  # number of repositories with the step
}
_OWN = [name for name in COLUMNS if name not in ("intent", "best", "repositories")]
_FORMAT = 4


@dataclass(frozen=True, slots=True)
class Catalogued:
    repositories: int
    steps: int
    shared: int
    """Steps that several repositories have."""
    defined: int
    """Steps that several repositories define."""
    has_intents: bool
    """True if `analyse` had run with the strategy auto."""


@dataclass(frozen=True)
class _Task:
    source: Checkout
    rows: Path
    by_suite: bool


def catalogue(
    corpus: Path,
    *,
    by_suite: bool = False,
    jobs: int = 1,
    runner: UnitRunner | None = None,
    progress: Progress = SILENT,
) -> Catalogued:
    """Write the three files. `by_suite`: each suite counts as a repository. Raises `CukereuseError` if there is nothing
    to read, `Cancelled` when `progress` does."""
    repositories = sources(corpus)
    members = corpus / "cluster_members_auto.parquet"
    shared = {"format": _FORMAT, "by_suite": by_suite}
    inputs = [(source.repo, source.stamp) for source in repositories]
    key = {**shared, "sources": inputs, "intents": digest(members) if members.is_file() else ""}
    stage = CheckpointedStage(corpus, "catalogue", key, of_parts=shared)
    outputs = [corpus / name for name in (TABLE, DOCUMENT, PAGE)]
    if not stage.complete():
        tasks = [
            _Task(source, stage.part(f"{unit(slug(source.repo), source.repo, source.stamp)}.rows"), by_suite)
            for source in repositories
        ]
        _read_missing(tasks, runner or local_runner(jobs), progress)
        rows = [row for task in tasks for table in arrow.batches(task.rows) for row in table.to_pylist()]
        entries = _entries(rows, _intents(members))
        document = CatalogueDocument(VERSION, len({row["repo"] for row in rows}), entries)
        arrow.write(outputs[0], COLUMNS, [arrow.table(COLUMNS, list(_table(rows, entries)))])
        write_atomically(outputs[1], msgspec.json.encode(document))
        write_atomically(outputs[2], catalogue_page.render(document))
        stage.finish(outputs, keep={task.rows for task in tasks})
    written = msgspec.json.decode(outputs[1].read_bytes(), type=CatalogueDocument)
    several = [entry for entry in written.entries if len(entry.repositories) > 1]
    defining = sum(map(_is_defined_in_several, several))
    return Catalogued(written.repositories, len(written.entries), len(several), defining, members.is_file())


def _read_missing(tasks: Sequence[_Task], runner: UnitRunner, progress: Progress) -> None:
    """Read the repositories that no earlier run has read."""
    with progress.stage("reading steps and definitions", len(tasks), "repositories") as watched:
        missing = [task for task in tasks if not task.rows.is_file()]
        watched.advance(len(tasks) - len(missing))
        runner(read_repository, missing, watched)


def _is_defined_in_several(entry: CatalogueEntry) -> bool:
    return len({owner.repo for owner in entry.owners if owner.expression}) > 1


def read_repository(task: _Task) -> None:
    """Read a repository: the work of a unit."""
    owned = code_owners(task.source.folder)
    if task.by_suite:
        rows = [
            row
            for suite, glue in suites(task.source)
            for row in _rows(task.source.of_suite(suite.root), owned, [(suite, glue)])
        ]
    else:
        rows = _rows(task.source, owned, suites(task.source))
    columns = {name: COLUMNS[name] for name in _OWN}
    arrow.write(task.rows, columns, [arrow.table(columns, rows)])


@dataclass(slots=True)
class _Said:
    """What steps say that one definition serves, or that share a template."""

    texts: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    """Paths of features."""

    @property
    def most(self) -> str:
        return min(self.texts, key=lambda text: (-self.texts[text], len(text), text), default="")


def _rows(source: Checkout, owned: CodeOwners, its_suites: Iterable[tuple[Suite, Glue]]) -> list[tuple[object, ...]]:
    """The rows of suites that count as one repository."""
    said: dict[str, _Said] = defaultdict(_Said)
    definitions: dict[str, tuple[StepDefinition, str, int]] = {}
    for suite, glue in its_suites:
        for place, text, steps in _uses(suite, glue):
            said[place].texts[text] += len(steps)
            said[place].files.update(step.path for step in steps)
        definitions |= {
            definition.id: (definition, *form)
            for definition, form in _definitions(glue, said)
            if definition.id not in definitions
        }
    rows = [_row(source, owned, *defined, said.pop(id_, _Said())) for id_, defined in definitions.items()]
    return rows + [_undefined(source, owned, its) for its in said.values()]


def _uses(suite: Suite, glue: Glue) -> Iterator[tuple[str, str, Sequence[Step]]]:
    """Each text with its steps, by the definitions that serve it, or by its template if none is known."""
    statements = karate_statements(suite.steps)
    for text in suite.texts:
        if text.identity in statements:
            continue
        steps = suite.steps[text.identity]
        bound = {definition.id for definition in glue.bind(steps[0]).definitions} if glue.definitions else set()
        for place in bound or {text.template.key}:
            yield place, text.text, steps


def _definitions(glue: Glue, used: Container[str]) -> Iterator[tuple[StepDefinition, tuple[str, int]]]:
    """The suite's own definitions and those that it uses, with the digest of the function's form and its weight."""
    functions = load_functions(glue, jobs=1) if glue.definitions else None
    for definition in {each.id: each for each in (*glue.own_definitions, *glue.definitions)}.values():
        if definition.id in used or glue.is_checked(definition):
            form = functions.form(definition) if functions is not None else None
            weight = form.weight if form is not None and not form.is_partial else 0
            yield definition, (_digest(form.tokens) if form is not None and weight else "", weight)


def _row(
    source: Checkout, owned: CodeOwners, definition: StepDefinition, form: str, weight: int, said: _Said
) -> tuple[object, ...]:
    as_step = encodable(wording(definition))
    path = relative(source, definition.path)
    return (
        as_step.lower(),
        as_step.replace(SLOT, "…"),
        source.repo,
        encodable(said.most or _spoken(definition)) or as_step.replace(SLOT, "…"),
        said.texts.total(),
        encodable(definition.shown),
        definition.language,
        definition.framework,
        path,
        definition.line,
        _team(source, owned, said, path),
        form,
        weight,
    )


def _team(source: Checkout, owned: CodeOwners, said: _Said, path: str = "") -> str:
    """The owners of a definition's file; without any, those of the feature with most of the steps."""
    most = min(said.files, key=lambda file: (-said.files[file], file), default="")
    return encodable(" ".join(owned.of(path) or (owned.of(relative(source, most)) if most else ())))


def _spoken(definition: StepDefinition) -> str:
    """A step that would bind to an unused definition, with the name of each parameter as its argument; empty if the
    expression can't be written in words."""
    pieces = spoken(definition) or []
    return "".join(piece if isinstance(piece, str) else piece.value for piece in pieces)


def _undefined(source: Checkout, owned: CodeOwners, said: _Said) -> tuple[object, ...]:
    wording = encodable(said.most)
    masked = mask(wording)
    shown = masked.replace(SLOT, "…")
    team = _team(source, owned, said)
    return (masked.lower(), shown, source.repo, wording, said.texts.total(), "", "", "", "", 0, team, "", 0)


def _digest(tokens: Sequence[str]) -> str:
    return hashlib.blake2b("\0".join(map(portable, tokens)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _intents(members: Path) -> dict[str, int]:
    """Maps each text to its cluster; empty if `analyse` has not run."""
    if not members.is_file():
        return {}
    arrow.require(members, {"cluster_id": "int64", "text": "string"})
    intent_of: dict[str, int] = {}
    for table in arrow.batches(members):
        columns = (table.column(name).to_pylist() for name in ("text", "cluster_id"))
        intent_of.update(zip(*columns, strict=True))
    return intent_of


def _entries(rows: Iterable[dict[str, Any]], intents: dict[str, int]) -> list[CatalogueEntry]:
    """The entries of most repositories first, then those with most uses."""
    by_key: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_key[row["key"]].append(row)
    entries = [_entry(key, group, intents) for key, group in by_key.items()]
    by_intent: dict[int, list[CatalogueEntry]] = defaultdict(list)
    for entry in entries:
        if entry.intent >= 0:
            by_intent[entry.intent].append(entry)
    best = {min(group, key=_rank).key for group in by_intent.values() if len(group) > 1}
    alone = {group[0].key for group in by_intent.values() if len(group) == 1}
    marked = [
        msgspec.structs.replace(entry, best=entry.key in best, intent=-1 if entry.key in alone else entry.intent)
        for entry in entries
    ]
    return sorted(marked, key=_rank)


def _entry(key: str, rows: list[dict[str, Any]], intents: dict[str, int]) -> CatalogueEntry:
    fields = Owner.__struct_fields__
    owners = [Owner(**{name: row[name] for name in fields}) for row in rows]
    owners.sort(key=lambda owner: (-owner.uses, owner.repo, owner.path, owner.line))
    repositories: dict[str, set[str]] = defaultdict(set)
    uses: Counter[str] = Counter()
    for owner in owners:
        repositories[owner.text].add(owner.repo)
        uses[owner.text] += owner.uses
    text = min(repositories, key=lambda text: (-len(repositories[text]), -uses[text], len(text), text))
    intent = next((intents[owner.text] for owner in owners if owner.text in intents), -1)
    return CatalogueEntry(rows[0]["step"], text, key, owners, intent)


def _rank(entry: CatalogueEntry) -> tuple[int, int, str]:
    return -len(entry.repositories), -entry.uses, entry.key


def _table(rows: Iterable[dict[str, Any]], entries: Iterable[CatalogueEntry]) -> Iterator[tuple[object, ...]]:
    by_key = {entry.key: entry for entry in entries}
    for row in sorted(rows, key=lambda row: (row["key"], row["repo"], row["path"], row["line"], row["expression"])):
        entry = by_key[row["key"]]
        yield (*(row[name] for name in _OWN), entry.intent, entry.best, len(entry.repositories))
