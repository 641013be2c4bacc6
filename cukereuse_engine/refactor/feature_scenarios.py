"""A feature file's scenarios, as the official parser reads them: their lines, and what is run.

Only for files that the official parser accepts. Never changes a text.
"""

import json
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from operator import itemgetter
from typing import Any, cast

from gherkin.dialect import DIALECTS
from gherkin.errors import ParserError
from gherkin.pickles.compiler import Compiler

from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.flavour import MARKDOWN_SUFFIX
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.parse import tree
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.refactor.edits import edited, span_edit
from cukereuse_engine.refactor.rename_plan import FileEdits, TextEdit

Node = dict[str, Any]
"""One node of the official parser's tree (gherkin-official, `GherkinDocument`)."""


class FoldKind(StrEnum):
    """What scenarios and their steps can be folded into."""

    OUTLINE = "outline"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Least:
    """The minimum of a suggestion. Smaller ones are not even checked."""

    scenarios: int = 2
    lines: int | None = None
    """Lines saved; None: any number, even a negative one."""

    def allows(self, scenarios: int, saved: int) -> bool:
        return scenarios >= self.scenarios and (self.lines is None or saved >= self.lines)


ANY = Least()


@dataclass(frozen=True, slots=True)
class FoldSuggestion:
    """Edits of one file that express the same with fewer steps."""

    kind: FoldKind
    path: str
    line: int
    """1-based: where its first scenario begins."""
    last_line: int
    """Where its last scenario ends."""
    message: str
    scenarios: int
    """Number of its scenarios."""
    steps: int
    """Number of steps that each of them shares with the others."""
    file: FileEdits
    gone: tuple[str, ...] = ()
    """Names of scenarios that no scenario has afterwards."""

    @property
    def lines_saved(self) -> int:
        return _lines_saved(self.file.edits)


class Scenarios:
    """One file's tree and lines."""

    def __init__(self, path: str, data: bytes, text: str, document: Node) -> None:
        self.path = path
        self.text = text
        self._data = data
        self._encoding = decode(data).encoding
        self.document = document
        self.lines, self.starts = split_lines(text)
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.comments = {comment["location"]["line"] for comment in document["comments"]}

    @classmethod
    def read(cls, path: str, data: bytes) -> "Scenarios | None":
        """None for Markdown, and for a file that the official parser rejects."""
        decoded = decode(data)
        if decoded.failed or path.lower().endswith(MARKDOWN_SUFFIX) or re.search(r"\r(?!\n)", decoded.text):
            return None
        document = _parsed(decoded.text)
        return cls(path, data, decoded.text, document) if document is not None and document.get("feature") else None

    @property
    def dialect(self) -> dict[str, list[str]]:
        return cast("dict[str, list[str]]", DIALECTS[self.document["feature"]["language"]])

    def containers(self) -> Iterator[list[Node]]:
        """Children of the feature, and of each of its rules."""
        children = self.document["feature"]["children"]
        yield children
        for child in children:
            if "rule" in child:
                yield child["rule"]["children"]

    def indent(self, line: int) -> str:
        """The white space that a 1-based line begins with."""
        text = self.lines[line - 1]
        return text[: len(text) - len(text.lstrip())]

    def edit_lines(self, first: int, last: int, new: str) -> TextEdit:
        """Replace lines `first` to `last`, 1-based, without the last one's line end."""
        start = self.starts[first - 1]
        return span_edit(self.text, start, self.starts[last - 1] + len(self.lines[last - 1]), new)

    def edit(self, line: int, column: int, length: int, new: str) -> TextEdit:
        """Replace `length` code points from a 1-based place on."""
        start = self.starts[line - 1] + column - 1
        return span_edit(self.text, start, start + length, new)

    def remove_lines(self, first: int, last: int) -> TextEdit:
        """Lines `first` to `last` with their ends."""
        end = self.starts[last] if last < len(self.starts) else len(self.text)
        return span_edit(self.text, self.starts[first - 1], end, "")

    def suggestion(
        self, kind: FoldKind, members: Sequence[Node], steps: int, message: str, edits: list[TextEdit], least: Least
    ) -> FoldSuggestion | None:
        """The suggestion for these scenarios; None if it is below `least`, or if the edits change what is run."""
        if not least.allows(len(members), _lines_saved(edits)):
            return None
        ordered = tuple(sorted(edits, key=lambda edit: edit.start))
        lines = {member["location"]["line"] for member in members}
        is_excerpt, text = self._edited(lines, ordered)
        before, after = self._only(lines) if is_excerpt else self.document, _parsed(text)
        if after is None or pickles(before) != pickles(after):
            return None
        now = {*_names(after), *(name for line, name in self._titles if line not in lines)}
        gone = tuple(dict.fromkeys(name for _, name in self._titles if name not in now))
        file = FileEdits(self.path, content_hash(self._data), ordered, False, self._encoding)
        first, last = members[0]["location"]["line"], last_line(members[-1])
        return FoldSuggestion(kind, self.path, first, last, message, len(members), steps, file, gone)

    def _only(self, lines: Set[int]) -> Node:
        """The tree without the scenarios that don't begin at `lines`."""

        def left(children: Sequence[Node]) -> list[Node]:
            return [
                {"rule": {**child["rule"], "children": left(child["rule"]["children"])}} if "rule" in child else child
                for child in children
                if "scenario" not in child or child["scenario"]["location"]["line"] in lines
            ]

        feature = self.document["feature"]
        return {**self.document, "feature": {**feature, "children": left(feature["children"])}}

    def _edited(self, lines: Set[int], edits: Sequence[TextEdit]) -> tuple[bool, str]:
        """The file after `edits`. If these allow it (True), without the scenarios that don't begin at `lines`: no
        scenario affects what another runs, and a file of thousands is not parsed again for each suggestion."""
        kept: list[tuple[int, int]] = []
        for line, start, end in self._parts:
            if line in lines or line is None:
                first = kept.pop()[0] if kept and kept[-1][1] == start else start
                kept.append((first, end))
        if not all(any(start <= edit.start and edit.end <= end for start, end in kept) for edit in edits):
            return False, edited(self.text, edits)
        after = []
        for start, end in kept:
            inside = [
                replace(edit, start=edit.start - start, end=edit.end - start)
                for edit in edits
                if start <= edit.start and edit.end <= end
            ]
            after.append(edited(self.text[start:end], inside))
        return True, "".join(after)

    @cached_property
    def _parts(self) -> list[tuple[int | None, int, int]]:
        """The whole text in order, as (line of a scenario's title, or None, start, end)."""
        children = (item for container in self.containers() for entry in container for item in entry.items())
        nodes = sorted(((_first_line(child), kind, child) for kind, child in children), key=itemgetter(0))
        starts = [0, *(self.starts[first - 1] for first, _, _ in nodes), len(self.text)]
        titles = [None, *(node["location"]["line"] if kind == "scenario" else None for _, kind, node in nodes)]
        return list(zip(titles, starts, starts[1:], strict=False))

    @cached_property
    def _titles(self) -> list[tuple[int, str]]:
        """Line and name of each scenario."""
        return [
            (entry["scenario"]["location"]["line"], entry["scenario"]["name"])
            for container in self.containers()
            for entry in container
            if "scenario" in entry
        ]


def _lines_saved(edits: Sequence[TextEdit]) -> int:
    return sum(edit.old.count("\n") - edit.new.count("\n") for edit in edits)


def _names(document: Node) -> list[str]:
    """The names of all scenarios, as written."""
    containers = [document["feature"], *(child["rule"] for child in document["feature"]["children"] if "rule" in child)]
    return [child["scenario"]["name"] for node in containers for child in node["children"] if "scenario" in child]


def _first_line(node: Node) -> int:
    """The 1-based line of a node's title, or of its first tag."""
    return min(int(part["location"]["line"]) for part in (node, *node.get("tags", ())))


def last_line(scenario: Node) -> int:
    """The 1-based line of its last step or row."""
    nodes = [scenario, *scenario["steps"]]
    nodes += [row for step in scenario["steps"] for row in step.get("dataTable", {}).get("rows", ())]
    nodes += [step["docString"] for step in scenario["steps"] if "docString" in step]
    nodes += [row for examples in scenario["examples"] for row in (examples, *examples.get("tableBody", ()))]
    return max(int(node["location"]["line"]) for node in nodes)


def _parsed(text: str) -> Node | None:
    try:
        return cast("Node", tree(text))
    except ParserError:
        return None


def pickles(document: Node) -> list[tuple[object, ...]]:
    """What is run: for each scenario and Examples row its name, tags and steps with arguments, in order."""
    compiled = Compiler().compile(cast("Any", {**document, "uri": ""}))
    return [
        (
            pickle["name"],
            tuple(tag["name"] for tag in pickle["tags"]),
            tuple((step["text"], step.get("type"), _argument(step)) for step in pickle["steps"]),
        )
        for pickle in cast("list[Node]", compiled)
    ]


def _argument(step: Node) -> str:
    return json.dumps(step.get("argument"), sort_keys=True)
