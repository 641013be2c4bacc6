"""The suggestions of `cukereuse fold` over the files of a suite. Only files with promising steps are read again."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.symbols import Scenario
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.refactor.background import backgrounds_of
from cukereuse_engine.refactor.feature_scenarios import ANY, FoldKind, FoldSuggestion, Least, Node, Scenarios
from cukereuse_engine.refactor.outline import outlines_of
from cukereuse_engine.text.template import mask

Read = Callable[[str], bytes]


class FeatureSources:
    """Feature files by the official parser, each read once. A file that can't be read has nothing to offer."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._scenarios: dict[str, Scenarios | None] = {}
        self._attached: dict[str, dict[int, str]] = {}

    def __getitem__(self, path: str) -> Scenarios | None:
        if path not in self._scenarios:
            try:
                self._scenarios[path] = Scenarios.read(path, self._read(path))
            except OSError:
                self._scenarios[path] = None
        return self._scenarios[path]

    def attached(self, step: Step) -> str | None:
        """The content of a step's table or DocString; None where the file is not read."""
        if step.path not in self._attached:
            source = self[step.path]
            self._attached[step.path] = {} if source is None else dict(_attachments(source.document))
        return self._attached[step.path].get(step.line)


def _attachments(document: Node) -> Iterator[tuple[int, str]]:
    """Line of a step to the content of what is attached to it."""
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
    """The suggestions of these kinds for these scenarios, which are by path and line."""
    by_file: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        by_file.setdefault(scenario.path, []).append(scenario)
    outline, background = wanted.get(FoldKind.OUTLINE), wanted.get(FoldKind.BACKGROUND)
    for path, group in by_file.items():
        outlined = outline if outline is not None and _may_be_rows(group, outline) else None
        opened = background if background is not None and _may_be_opened(group, background) else None
        source = sources[path] if outlined is not None or opened is not None else None
        if source is not None:
            yield from outlines_of(source, least=outlined) if outlined is not None else ()
            yield from backgrounds_of(source, least=opened) if opened is not None else ()


def folding_of(block: Block, scenarios: Sequence[Scenario], sources: FeatureSources) -> FoldSuggestion | None:
    """The Background or Scenario Outline that takes the whole block out: all its places stand in one."""
    (path, *others) = block.files
    mine = [scenario for scenario in scenarios if scenario.path == path] if not others else []
    suggestions = foldable(mine, sources, dict.fromkeys(FoldKind, ANY))
    return next((suggestion for suggestion in suggestions if takes_out(suggestion, block)), None)


def takes_out(suggestion: FoldSuggestion, block: Block) -> bool:
    """Whether nothing is left of the block once its scenarios are folded."""
    return all(
        place.path == suggestion.path and suggestion.line <= place.line <= suggestion.last_line
        for place in block.places
    )


def _may_be_rows(group: Sequence[Scenario], least: Least) -> bool:
    """Whether scenarios side by side may be rows of one outline that comes to `least`."""
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
    """Whether two scenarios side by side may be two rows of an outline."""
    if len(scenario.steps) != len(other.steps) or scenario.is_background or other.is_background:
        return False
    pairs = list(zip(scenario.steps, other.steps, strict=True))
    plain = not any(step.argument is not None or step.examples for pair in pairs for step in pair)
    return plain and scenario.tags == other.tags and all(mask(a.text) == mask(b.text) for a, b in pairs)


def _may_be_opened(group: Sequence[Scenario], least: Least) -> bool:
    """Whether some Background that comes to `least` may open the scenarios of a file, or of one of its rules."""
    rules: dict[str | None, list[Scenario]] = {}
    for scenario in group:
        if not scenario.is_background:
            rules.setdefault(scenario.steps[0].rule, []).append(scenario)
    return any(
        len(members) >= max(2, least.scenarios) and _opening(members) * (len(members) - 1) >= max(1, least.lines or 0)
        for members in rules.values()
    )


def _opening(members: Sequence[Scenario]) -> int:
    """How many steps at the beginning of all of them say the same."""
    rows = zip(*(member.steps for member in members), strict=False)
    same = takewhile(lambda row: len({step.text for step in row}) == 1 and all(not step.argument for step in row), rows)
    return len(list(same)) if all(member.steps[0].keyword_type is KeywordType.CONTEXT for member in members) else 0
