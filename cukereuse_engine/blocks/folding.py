"""The suggestions of `cukereuse fold` over the files of a suite. Only files with promising steps are read again."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache as once
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TypeVar

import msgspec

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.symbols import Scenario
from cukereuse_engine.gherkin.cache import reader
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.refactor.background import backgrounds_of
from cukereuse_engine.refactor.feature_scenarios import ANY, FoldKind, FoldSuggestion, Least, Node, Scenarios
from cukereuse_engine.refactor.outline import outlines_of
from cukereuse_engine.storage import digest_of
from cukereuse_engine.storage.blob_store import Blobs, BlobStore
from cukereuse_engine.text.template import mask

Read = Callable[[str], bytes]
_Told = TypeVar("_Told")


def folding_cache() -> BlobStore:
    """The cache in the user's cache folder, by content."""
    return BlobStore("folding.sqlite", version=_version())


@once
def _version() -> str:
    """A digest of the code that reads and folds scenarios, and mines blocks."""
    engine = Path(__file__).parents[1]
    return reader() + digest_of(Path(__file__).parent, engine / "refactor", engine / "text")


class FeatureSources:
    """Feature files read by the official parser, each once. A file that can't be read yields no suggestions."""

    def __init__(self, read: Read, cache: Blobs | None = None) -> None:
        """`cache`: keeps results by the files' content, because parsing is slow."""
        self._read, self._cache = read, cache
        self._scenarios: dict[str, Scenarios | None] = {}
        self._attached: dict[str, Mapping[int, str]] = {}
        self._new: dict[str, bytes] = {}

    def __getitem__(self, path: str) -> Scenarios | None:
        if path not in self._scenarios:
            try:
                self._scenarios[path] = Scenarios.read(path, self._read(path))
            except OSError:
                self._scenarios[path] = None
        return self._scenarios[path]

    def attached(self, step: Step) -> str | None:
        """The content of a step's table or DocString; None if the file is not read."""
        path = step.path
        if path not in self._attached:
            self._attached[path] = self._remembered(path, "attached", dict[int, str], self._attachments_in)
        return self._attached[path].get(step.line)

    def foldable(self, path: str, wanted: Mapping[FoldKind, Least]) -> list[FoldSuggestion]:
        """The suggestions of these kinds for a file, Outlines first."""
        question = repr(sorted(wanted.items()))
        return self._remembered(path, question, list[FoldSuggestion], lambda path: self._foldable_in(path, wanted))

    def save(self) -> None:
        """Write new results to the cache."""
        if self._cache is not None:
            self._cache.put_many(self._new)
            self._new = {}

    def _attachments_in(self, path: str) -> dict[int, str]:
        source = self[path]
        return dict(_attachments(source.document)) if source is not None else {}

    def _foldable_in(self, path: str, wanted: Mapping[FoldKind, Least]) -> list[FoldSuggestion]:
        source, finders = self[path], {FoldKind.OUTLINE: outlines_of, FoldKind.BACKGROUND: backgrounds_of}
        if source is None:
            return []
        kinds = [kind for kind in finders if kind in wanted]
        return [suggestion for kind in kinds for suggestion in finders[kind](source, least=wanted[kind])]

    def _remembered(self, path: str, question: str, kind: type[_Told], tell: Callable[[str], _Told]) -> _Told:
        """The result of `tell` for a file, from the cache if it is there."""
        if self._cache is None:
            return tell(path)
        try:
            content = self._read(path)
        except OSError:
            return tell(path)
        asked = f"{path}\0{question}\0".encode("utf-8", "surrogatepass") + content
        key = hashlib.blake2b(asked, digest_size=16).hexdigest()
        try:
            return msgspec.msgpack.decode(self._cache.get_many([key])[key], type=kind)
        except (KeyError, msgspec.MsgspecError, UnicodeDecodeError):
            told = tell(path)
        with suppress(UnicodeEncodeError):  # a path that is not valid Unicode
            self._new[key] = msgspec.msgpack.encode(told)
        return told


def _attachments(document: Node) -> Iterator[tuple[int, str]]:
    """Yields the line of each step with an attachment, and its content."""
    feature = document["feature"]
    for container in (feature, *(child["rule"] for child in feature["children"] if "rule" in child)):
        for child in container["children"]:
            for step in child.get("scenario", child.get("background", {"steps": ()}))["steps"]:
                if "docString" in step:
                    text = step["docString"]
                    yield step["location"]["line"], json.dumps([text.get("mediaType", ""), text["content"]])
                elif "dataTable" in step:
                    rows = [[cell["value"] for cell in row["cells"]] for row in step["dataTable"]["rows"]]
                    yield step["location"]["line"], json.dumps(rows)


def foldable(
    scenarios: Sequence[Scenario], sources: FeatureSources, wanted: Mapping[FoldKind, Least]
) -> Iterator[FoldSuggestion]:
    """The suggestions of these kinds for these scenarios, which must be ordered by path and line."""
    by_file: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        by_file.setdefault(scenario.path, []).append(scenario)
    may = {FoldKind.OUTLINE: _may_be_rows, FoldKind.BACKGROUND: _may_be_opened}
    for path, group in by_file.items():
        promising = {kind: least for kind, least in wanted.items() if may[kind](group, least)}
        if promising:
            yield from sources.foldable(path, promising)


def folding_of(block: Block, scenarios: Sequence[Scenario], sources: FeatureSources) -> FoldSuggestion | None:
    """The Background or Scenario Outline that removes the whole block: it contains all its places."""
    (path, *others) = block.files
    mine = [scenario for scenario in scenarios if scenario.path == path] if not others else []
    suggestions = foldable(mine, sources, dict.fromkeys(FoldKind, ANY))
    return next((suggestion for suggestion in suggestions if takes_out(suggestion, block)), None)


def takes_out(suggestion: FoldSuggestion, block: Block) -> bool:
    """True if nothing is left of the block once its scenarios are folded."""
    return all(
        place.path == suggestion.path
        and suggestion.line <= place.line <= suggestion.last_line
        and (suggestion.kind is FoldKind.OUTLINE or place.start + place.length <= suggestion.steps)
        for place in block.places
    )


def _may_be_rows(group: Sequence[Scenario], least: Least) -> bool:
    """True if adjacent scenarios may be rows of an Outline that saves at least `least`."""
    start = 0
    for at, (scenario, other) in enumerate([*pairwise(group), (group[-1], None)]):
        if other is not None and _alike(scenario, other):
            continue
        first, rows, start = group[start], at + 1 - start, at + 1
        written = len(first.steps) + rows + 3  # below the title: steps, an empty line, the Examples with their header
        saved = scenario.steps[-1].line - first.line - written
        if rows >= max(2, least.scenarios) and (least.lines is None or saved >= least.lines):
            return True
    return False


def _alike(scenario: Scenario, other: Scenario) -> bool:
    """True if two adjacent scenarios may be two rows of an Outline."""
    if len(scenario.steps) != len(other.steps) or scenario.is_background or other.is_background:
        return False
    pairs = list(zip(scenario.steps, other.steps, strict=True))
    plain = not any(step.argument is not None or step.examples for pair in pairs for step in pair)
    if not plain or scenario.tags != other.tags:
        return False
    return all(step.text == its.text or mask(step.text) == mask(its.text) for step, its in pairs)


def _may_be_opened(group: Sequence[Scenario], least: Least) -> bool:
    """True if a Background that saves at least `least` may open the scenarios of a file, or of one of its rules."""
    rules: dict[str | None, list[Scenario]] = {}
    for scenario in group:
        if not scenario.is_background:
            rules.setdefault(scenario.steps[0].rule, []).append(scenario)
    return any(
        len(members) >= max(2, least.scenarios) and _opening(members) * (len(members) - 1) >= max(1, least.lines or 0)
        for members in rules.values()
    )


def _opening(members: Sequence[Scenario]) -> int:
    """The number of steps at the beginning that all of them share."""
    rows = zip(*(member.steps for member in members), strict=False)
    same = takewhile(lambda row: len({step.text for step in row}) == 1 and all(not step.argument for step in row), rows)
    return len(list(same)) if all(member.steps[0].keyword_type is KeywordType.CONTEXT for member in members) else 0
