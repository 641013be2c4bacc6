"""The suggestions of `cukereuse fold` over the files of a suite. Only files with promising steps are read again."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.symbols import Scenario
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.refactor.background import backgrounds_of
from cukereuse_engine.refactor.feature_scenarios import FoldKind, FoldSuggestion, Node, Scenarios
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
    scenarios: Sequence[Scenario], sources: FeatureSources, kinds: Iterable[FoldKind], least: int = 2
) -> Iterator[FoldSuggestion]:
    """The suggestions for these scenarios, which are by path and line; each for `least` of them or more."""
    by_file: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        by_file.setdefault(scenario.path, []).append(scenario)
    wanted = frozenset(kinds)
    for path, group in by_file.items():
        outline = FoldKind.OUTLINE in wanted and _most_alike(group) >= least
        background = FoldKind.BACKGROUND in wanted and _opens_alike(group, least)
        source = sources[path] if outline or background else None
        if source is not None:
            yield from outlines_of(source, least=least) if outline else ()
            suggestions = backgrounds_of(source) if background else []
            yield from (suggestion for suggestion in suggestions if suggestion.scenarios >= least)


def folding_of(block: Block, scenarios: Sequence[Scenario], sources: FeatureSources) -> FoldSuggestion | None:
    """The Background or Scenario Outline that takes the whole block out: all its places stand in one."""
    (path, *others) = block.files
    mine = [scenario for scenario in scenarios if scenario.path == path] if not others else []
    return next((suggestion for suggestion in foldable(mine, sources, FoldKind) if takes_out(suggestion, block)), None)


def takes_out(suggestion: FoldSuggestion, block: Block) -> bool:
    """Whether nothing is left of the block once its scenarios are folded."""
    return all(
        place.path == suggestion.path and suggestion.line <= place.line <= suggestion.last_line
        for place in block.places
    )


def _most_alike(group: Sequence[Scenario]) -> int:
    """How many scenarios side by side may be rows of one outline at most."""
    most = in_a_row = 1
    for scenario, other in pairwise(group):
        in_a_row = in_a_row + 1 if _alike(scenario, other) else 1
        most = max(most, in_a_row)
    return most


def _alike(scenario: Scenario, other: Scenario) -> bool:
    """Whether two scenarios side by side may be two rows of an outline."""
    if len(scenario.steps) != len(other.steps) or scenario.is_background or other.is_background:
        return False
    pairs = list(zip(scenario.steps, other.steps, strict=True))
    plain = not any(step.argument is not None or step.examples for pair in pairs for step in pair)
    return plain and scenario.tags == other.tags and all(mask(a.text) == mask(b.text) for a, b in pairs)


def _opens_alike(group: Sequence[Scenario], least: int) -> bool:
    """Whether some Background may open the scenarios of a file, or of one of its rules."""
    rules: dict[str | None, list[str]] = {}
    for scenario in group:
        if not scenario.is_background:
            first = scenario.steps[0]
            usable = first.keyword_type is KeywordType.CONTEXT and first.argument is None
            rules.setdefault(first.rule, []).append(first.text if usable else "")
    return any(len(texts) >= least and len({*texts}) == 1 and texts[0] for texts in rules.values())
