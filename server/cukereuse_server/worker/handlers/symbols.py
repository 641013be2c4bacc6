"""The symbols and folding ranges of a file, and the symbols of the workspace."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.outline import TITLES, MarkKind, Outline, outline
from cukereuse_server.protocol.base import Request
from cukereuse_server.protocol.symbols import FindSymbols, FoldingRange, FoundSymbol, ListFolds, ListSymbols, Symbol
from cukereuse_server.worker.handlers.places import PlaceMaker, place_of_definition
from cukereuse_server.workspace.suite import SuiteState
from cukereuse_server.workspace.view import View

_MOST_SYMBOLS = 100
"""Maximum number of symbols of one kind that a search returns."""
_DEPTHS = {MarkKind.FEATURE: 0, MarkKind.RULE: 1, MarkKind.EXAMPLES: 3, MarkKind.STEP: 3}


def outline_of(workspace: View, path: str) -> Outline | None:
    """The text of an open file, if it is a feature file."""
    buffer = workspace.buffers.get(path)
    return outline(path, buffer.text) if buffer is not None and path.lower().endswith(FEATURE_SUFFIXES) else None


# Symbols


def symbols(workspace: View, request: ListSymbols) -> list[Symbol]:
    plan = outline_of(workspace, request.path)
    if plan is None:
        return []
    places = PlaceMaker(workspace)
    top: list[Symbol] = []
    open_: list[tuple[int, Symbol]] = []
    for at, mark in enumerate(plan.marks):
        if mark.kind not in TITLES and mark.kind is not MarkKind.STEP:
            continue
        depth = _DEPTHS.get(mark.kind, 2)
        while open_ and open_[-1][0] >= depth:
            open_.pop()
        symbol = _symbol(request.path, plan, at, places)
        (open_[-1][1].children if open_ else top).append(symbol)
        open_.append((depth, symbol))
    return top


def _symbol(path: str, plan: Outline, at: int, places: PlaceMaker) -> Symbol:
    mark = plan.marks[at]
    line = plan.lines[mark.line - 1]
    keyword = mark.keyword.strip()
    if mark.kind is MarkKind.STEP:
        end, name, detail = _step_end(plan, at), f"{keyword} {mark.text}".strip(), ""
        column, end_column = mark.column, len(line.rstrip()) + 1
    else:
        end, name, detail = plan.section_end(at), mark.text or keyword, keyword if mark.text else ""
        end_column = len(line.rstrip()) + 1
        column = end_column - len(mark.text) if mark.text else mark.column
    return Symbol(
        kind=mark.kind.value,
        name=name or mark.kind.value,  # clients refuse an empty one
        detail=detail,
        place=places.at(path, mark.line, column, max(end_column, column)),
        line=mark.line,
        end_line=end,
        children=[],
    )


def _step_end(plan: Outline, at: int) -> int:
    """The last line of a step's table or DocString."""
    end = plan.marks[at].line
    for mark in plan.behind(at):
        if mark.kind not in (MarkKind.ROW, MarkKind.DOCSTRING, MarkKind.COMMENT):
            break
        end = mark.end_line if mark.kind is not MarkKind.COMMENT else end
    return end


# Folding


def folds(workspace: View, request: ListFolds) -> list[FoldingRange]:
    plan = outline_of(workspace, request.path)
    if plan is None:
        return []
    ranges: list[FoldingRange] = []
    for at, mark in enumerate(plan.marks):
        if mark.kind in TITLES:
            ranges.append(FoldingRange(mark.line, plan.section_end(at), False))
        elif mark.kind is MarkKind.STEP:
            ranges.append(FoldingRange(mark.line, _step_end(plan, at), False))
        elif mark.kind is MarkKind.COMMENT and not _goes_on(plan, at):
            ranges.append(FoldingRange(mark.line, _last_comment(plan, at), True))
    return [fold for fold in ranges if fold.end_line > fold.line]


def _goes_on(plan: Outline, at: int) -> bool:
    """True if a comment is directly below another comment."""
    before = plan.marks[at - 1] if at else None
    return before is not None and before.kind is MarkKind.COMMENT and before.line == plan.marks[at].line - 1


def _last_comment(plan: Outline, at: int) -> int:
    end = plan.marks[at].line
    for mark in plan.behind(at):
        if mark.kind is not MarkKind.COMMENT or mark.line != end + 1:
            break
        end = mark.line
    return end


# The whole workspace


def find(workspace: View, request: FindSymbols) -> list[FoundSymbol]:
    words = request.query.casefold().split()
    if not words:
        return []

    def matches(name: str) -> bool:
        folded = name.casefold()
        return all(word in folded for word in words)

    places = PlaceMaker(workspace)
    symbols: list[FoundSymbol] = []
    for suite in workspace.suites.values():
        for kind in (_scenarios, _wordings, _definitions):
            symbols += islice(kind(suite, matches, places), _MOST_SYMBOLS)
    return symbols[: 3 * _MOST_SYMBOLS]


def _scenarios(suite: SuiteState, matches: Callable[[str], bool], places: PlaceMaker) -> Iterator[FoundSymbol]:
    """The scenarios with steps."""
    for path, entry in suite.texts.files.items():
        seen = {step.scenario_line: step for step in entry.file.steps if step.scenario}
        for line, step in seen.items():
            if matches(step.scenario):
                end = len(places.line(path, line).rstrip()) + 1
                place = places.at(path, line, max(end - len(step.scenario), 1), end)
                yield FoundSymbol(kind="scenario", name=step.scenario, container=step.feature, place=place)


def _wordings(suite: SuiteState, matches: Callable[[str], bool], places: PlaceMaker) -> Iterator[FoundSymbol]:
    """The wordings, each by its most used text."""
    for members in suite.texts.members.values():
        fitting = [text for text in members if matches(text)]
        if fitting:
            text = max(fitting, key=lambda key: suite.texts.texts[key].count)
            step = suite.texts.steps(text)[0]
            yield FoundSymbol(kind="step", name=text, container=step.scenario, place=places.of_step(step))


def _definitions(suite: SuiteState, matches: Callable[[str], bool], places: PlaceMaker) -> Iterator[FoundSymbol]:
    for definition in suite.glue.definitions if suite.glue is not None else ():
        if matches(definition.shown):
            place = place_of_definition(places, definition)
            yield FoundSymbol(kind="definition", name=definition.shown, container=definition.function_name, place=place)


HANDLERS: dict[type[Request], Any] = {
    ListSymbols: symbols,
    ListFolds: folds,
    FindSymbols: find,
}
