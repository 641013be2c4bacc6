"""Adjacent scenarios that differ only in arguments, as one Scenario Outline with Examples.

A suggestion is made only if names, tags and expanded steps are the same before and after.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cukereuse_engine.refactor.arguments import MemberArgument, masked_arguments
from cukereuse_engine.refactor.feature_scenarios import ANY, FoldKind, FoldSuggestion, Least, Node, Scenarios, last_line
from cukereuse_engine.text.template import mask
from cukereuse_engine.text.words import vocabulary

_WORD = re.compile(r"[^\W\d_]+")
_NAME_COLUMN = "scenario"
NO_NAME = "value"
"""The name of an argument for which the words tell none."""


def outlines(path: str, data: bytes) -> list[FoldSuggestion]:
    """Foldable runs of scenarios in one file, by line. Empty for a file that the official parser refuses."""
    scenarios = Scenarios.read(path, data)
    return outlines_of(scenarios) if scenarios is not None else []


def outlines_of(scenarios: Scenarios, at: int | None = None, least: Least = ANY) -> list[FoldSuggestion]:
    """As `outlines`, for a file that was read; `at`: only those around this 1-based line."""
    suggestions = []
    for run in (run for container in scenarios.containers() for run in _runs(container)):
        if at is not None and not run[0]["location"]["line"] <= at <= last_line(run[-1]):
            continue
        suggestion = _folded(scenarios, run, least)
        if suggestion is not None:
            suggestions.append(suggestion)
    return suggestions


def _runs(container: Sequence[Node]) -> Iterator[list[Node]]:
    """Runs of two or more adjacent scenarios with the same shape."""
    run: list[Node] = []
    shape: object = None
    for child in container:
        scenario = child.get("scenario")
        current = _shape(scenario) if scenario is not None else None
        if current is None or current != shape:
            if len(run) > 1:
                yield run
            run = []
        if current is not None and scenario is not None:
            run.append(scenario)
        shape = current
    if len(run) > 1:
        yield run


def _shape(scenario: Node) -> object:
    """What must be equal for folding; None for a scenario that can't be folded."""
    if scenario["examples"] or scenario["description"].strip() or not scenario["steps"]:
        return None
    if any("docString" in step or "dataTable" in step for step in scenario["steps"]):
        return None
    tags = tuple(tag["name"] for tag in scenario["tags"])
    return tags, tuple((step["keyword"], mask(step["text"])) for step in scenario["steps"])


@dataclass(slots=True)
class _Column:
    name: str
    values: tuple[str, ...]
    """One for each scenario."""


def _folded(scenarios: Scenarios, run: Sequence[Node], least: Least) -> FoldSuggestion | None:
    if len(run) < least.scenarios:
        return None
    first, last = run[0]["location"]["line"], run[-1]["steps"][-1]["location"]["line"]
    if any(first <= line <= last for line in scenarios.comments):
        return None
    if len({tuple(_quoted(scenario)) for scenario in run}) > 1:
        return None  # `is 5` and `is "unknown"` mostly have different step definitions
    columns: list[_Column] = []
    steps = [_step(run, number, columns) for number in range(len(run[0]["steps"]))]
    if not columns:
        return None
    name = _name(run, columns)
    if len({*zip(*(column.values for column in columns), strict=True)}) < len(run):
        return None  # one of them is there twice, which is a fault to mend first
    indent, step_indent = scenarios.indent(first), scenarios.indent(run[0]["steps"][0]["location"]["line"])
    deeper = step_indent + step_indent.removeprefix(indent) if step_indent.startswith(indent) else step_indent
    outline, examples = scenarios.dialect["scenarioOutline"][0], scenarios.dialect["examples"][0]
    lines = [f"{indent}{outline}: {name}".rstrip(), *_laid_out(scenarios, run[0], steps), ""]
    lines += [f"{step_indent}{examples}:", *(deeper + row for row in _table(columns))]
    edit = scenarios.edit_lines(first, last, scenarios.newline.join(lines))
    message = f"{len(run)} scenarios differ only in their arguments and could be one Scenario Outline with Examples"
    return scenarios.suggestion(FoldKind.OUTLINE, run, len(steps), message, [edit], least)


def _quoted(scenario: Node) -> Iterator[bool]:
    """For each argument of its steps, whether it is in quotes."""
    for step in scenario["steps"]:
        yield from (bool(argument.quote) for argument in masked_arguments(step["text"]))


def _laid_out(scenarios: Scenarios, scenario: Node, steps: Sequence[str]) -> Iterator[str]:
    """The lines of steps, with the indents and blank lines of those that they replace."""
    before = scenario["location"]["line"]
    for step, replaced in zip(steps, scenario["steps"], strict=True):
        line = replaced["location"]["line"]
        yield from [""] * (line - before - 1)
        yield scenarios.indent(line) + step
        before = line


def _step(run: Sequence[Node], number: int, columns: list[_Column]) -> str:
    """One step of the outline; adds the columns that it needs."""
    step = run[0]["steps"][number]
    arguments_of_run = [masked_arguments(scenario["steps"][number]["text"]) for scenario in run]
    text, at = "", 0
    for place, argument in enumerate(arguments_of_run[0]):
        values = tuple(arguments[place].value for arguments in arguments_of_run)
        same_quotes = len({arguments[place].quote for arguments in arguments_of_run}) == 1
        text += step["text"][at : argument.start]
        if len({arguments[place].text for arguments in arguments_of_run}) == 1:
            text += argument.text
        else:
            if not same_quotes:
                values = tuple(arguments[place].text for arguments in arguments_of_run)
            quote = argument.quote if same_quotes else ""
            text += f"{quote}<{_column(columns, values, step['text'], argument).name}>{quote}"
        at = argument.end
    return str(step["keyword"]) + text + str(step["text"][at:])


def _column(columns: list[_Column], values: tuple[str, ...], text: str, argument: MemberArgument) -> _Column:
    """The column with these values; a new one if there is none."""
    for column in columns:
        if column.values == values:
            return column
    taken = {column.name for column in columns}
    name = base = said_name(text, argument)
    number = 2
    while name in taken:
        name, number = f"{base}{number}", number + 1
    columns.append(_Column(name, values))
    return columns[-1]


def said_name(text: str, argument: MemberArgument) -> str:
    """The name for an argument: the word before it, unless that is a function word; else the one after it; else the
    subject of a statement about it, such as `status` in `the status should be 200`."""
    quoted = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|<[^<>]*>")
    before = _WORD.findall(quoted.sub(" ", text[: argument.start]))
    after = _WORD.findall(quoted.sub(" ", text[argument.end :]))[:1]
    words = vocabulary("en")
    empty = words.function_words | words.light_words
    said = len(before)
    while said and before[said - 1].lower() in empty:
        said -= 1
    subject = before[said - 1 : said] if words.auxiliaries & {*map(str.lower, before[said:])} else []
    candidates = (*before[-1:], *after, *subject)
    return next((word.lower() for word in candidates if word.lower() not in words.function_words), NO_NAME)


def _name(run: Sequence[Node], columns: list[_Column]) -> str:
    """The scenarios' name, with placeholders for values in it; otherwise a new column contains the names."""
    names = [scenario["name"] for scenario in run]
    if len(set(names)) == 1:
        return str(names[0])
    written = names
    for column in columns:
        if all(value and value in name for value, name in zip(column.values, written, strict=True)):
            pairs = zip(column.values, written, strict=True)
            written = [name.replace(value, f"<{column.name}>", 1) for value, name in pairs]
    if len(set(written)) == 1:
        return str(written[0])
    taken = {column.name for column in columns}
    name = next(name for name in (_NAME_COLUMN, f"{_NAME_COLUMN} name", f"{_NAME_COLUMN} title") if name not in taken)
    columns.insert(0, _Column(name, tuple(names)))
    return f"<{name}>"


def _table(columns: Sequence[_Column]) -> Iterator[str]:
    cells = [[column.name, *(_cell(value) for value in column.values)] for column in columns]
    widths = [max(map(len, column)) for column in cells]
    for row in zip(*cells, strict=True):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def _cell(value: str) -> str:
    return value.replace("\\", "\\\\").replace("|", "\\|")
