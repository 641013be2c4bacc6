"""Tags: completion, uses and rename."""

import re
from collections import Counter
from collections.abc import Iterator

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.outline import MarkKind, outline
from cukereuse_engine.refactor.edits import ChangedFileError
from cukereuse_server.protocol.completion import Suggestion, Suggestions
from cukereuse_server.protocol.places import Place
from cukereuse_server.protocol.plans import Edit, FileChange, Plan
from cukereuse_server.protocol.rename import Nameable
from cukereuse_server.worker.handlers.places import PlaceMaker
from cukereuse_server.worker.handlers.plans import check_on_disk
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_TAG = re.compile(r"(?<!\S)@[^\s@#]+")
_BEGUN = re.compile(r"(?<!\S)@[^\s@#]*\Z")
_MOST_TAGS = 50


def tag_at(workspace: View, path: str, line: int, column: int) -> tuple[str, Place] | None:
    """The tag at a 1-based place of an open feature file, with its place."""
    places = PlaceMaker(workspace)
    for tag, place in _tags_of(places, path) if path in workspace.buffers else ():
        if place.line == line and place.column <= column <= place.end_column:
            return tag, place
    return None


def uses_of(workspace: View, path: str, tag: str) -> list[Place]:
    """The places of a tag in all files of the suite of `path`, by path and line."""
    suite = workspace.suite_of(path)
    places = PlaceMaker(workspace)
    files = sorted({path, *(_files_with(suite, tag) if suite is not None else ())})
    return [place for file in files for other, place in _tags_of(places, file) if other == tag]


def nameable_tag(workspace: View, path: str, line: int, column: int) -> Nameable | None:
    tag = tag_at(workspace, path, line, column)
    return None if tag is None else Nameable(tag[1], tag[0])


def rename_tag(workspace: View, path: str, tag: str, new: str) -> Plan:
    """Rename a tag in the suite's feature files. Files that select scenarios by this tag are named, not changed."""
    wanted = new if new.startswith("@") else f"@{new}"
    if _TAG.fullmatch(wanted) is None:
        return Plan(changes=[], notes=[], refused="a tag is @ followed by characters other than spaces, # and @")
    by_path: dict[str, list[Edit]] = {}
    for place in uses_of(workspace, path, tag):
        by_path.setdefault(place.path, []).append(Edit(place, wanted))
    changes = []
    suite = workspace.suite_of(path)
    for file, edits in by_path.items():
        buffer = workspace.buffers.get(file)
        if buffer is None and suite is not None:
            try:
                check_on_disk(file, suite.texts.files[file].file.content_hash)
            except ChangedFileError as error:
                return Plan(changes=[], notes=[], refused=str(error))
        changes.append(FileChange(path=file, version=buffer.version if buffer is not None else None, edits=edits))
    note = f"Hooks, runners and pipelines that select by {tag} are not changed."
    return Plan(changes=changes if wanted != tag else [], notes=[note], target=wanted)


def suggest_tags(workspace: View, path: str, line: int, column: int) -> Suggestions | None:
    """Tags that the suite uses, most used first, if one is being typed; None elsewhere."""
    buffer, suite = workspace.buffers.get(path), workspace.suite_of(path)
    if buffer is None or suite is None or not path.lower().endswith(FEATURE_SUFFIXES):
        return None
    text = PlaceMaker(workspace).line(path, line)
    begun = _BEGUN.search(text[: column - 1])
    if begun is None or not text.lstrip("#*+- \t").startswith("@"):
        return None
    end = _TAG.match(text, begun.start())
    place = PlaceMaker(workspace).at(path, line, begun.start() + 1, (end.end() if end is not None else column - 1) + 1)
    typed = begun.group()
    counts = _counted(suite)
    fitting = [tag for tag, _ in counts.most_common() if tag.casefold().startswith(typed.casefold())]
    standing = Counter(_TAG.findall(text)) - Counter([end.group()] if end is not None else [])
    here = text[place.column - 1 : place.end_column - 1]
    new = [tag for tag in fitting if tag not in standing and tag != here]
    items = [Suggestion(kind="tag", pieces=[tag], occurrences=counts[tag]) for tag in new]
    return Suggestions(place=place, typed=typed, rest=text[column - 1 : place.end_column - 1], items=items[:_MOST_TAGS])


def _counted(suite: SuiteState) -> Counter[str]:
    """The number of scenarios with each tag."""
    scenarios = {
        (path, step.scenario_line, tag)
        for path, entry in suite.texts.files.items()
        for step in entry.file.steps
        for tag in (*step.tags, *(tag for examples in step.examples for tag in examples.tags))
    }
    return Counter(tag for _, _, tag in scenarios)


def _files_with(suite: SuiteState, tag: str) -> Iterator[str]:
    for path, entry in suite.texts.files.items():
        if any(
            tag in step.tags or any(tag in examples.tags for examples in step.examples) for step in entry.file.steps
        ):
            yield path


def _tags_of(places: PlaceMaker, path: str) -> Iterator[tuple[str, Place]]:
    lines = places.lines(path)
    if not path.lower().endswith(FEATURE_SUFFIXES):
        return
    for mark in outline(path, "\n".join(lines)).marks:
        if mark.kind is MarkKind.TAGS:
            text = lines[mark.line - 1]
            for match in _TAG.finditer(text.split(" #")[0]):
                yield match.group(), places.at(path, mark.line, match.start() + 1, match.end() + 1)
