"""Steps that open every scenario of a feature or rule, as its Background.

A suggestion is made only if names, tags and expanded steps are the same before and after.
"""

from collections.abc import Sequence

from cukereuse_engine.refactor.edits import span_edit
from cukereuse_engine.refactor.feature_scenarios import ANY, FoldKind, FoldSuggestion, Least, Node, Scenarios, last_line
from cukereuse_engine.refactor.rename_plan import TextEdit

_LEAST_SAVED = 2
"""Minimum number of steps that a suggested Background saves."""


def backgrounds(path: str, data: bytes) -> list[FoldSuggestion]:
    """The Backgrounds that a file could have, by line. Empty for a file that the official parser rejects."""
    scenarios = Scenarios.read(path, data)
    return backgrounds_of(scenarios) if scenarios is not None else []


def backgrounds_of(scenarios: Scenarios, at: int | None = None, least: Least = ANY) -> list[FoldSuggestion]:
    """As `backgrounds`, for a file that was read; `at`: only Backgrounds of the scenarios around this 1-based line."""
    suggestions = [_suggested(scenarios, container, at, least) for container in scenarios.containers()]
    return [suggestion for suggestion in suggestions if suggestion is not None]


def _suggested(scenarios: Scenarios, container: Sequence[Node], at: int | None, least: Least) -> FoldSuggestion | None:
    if any("rule" in child for child in container):
        return None  # a Background of the feature would also run before the scenarios of its rules
    members = [child["scenario"] for child in container if "scenario" in child]
    if at is not None and not _is_among(at, members):
        return None
    count = _movable(scenarios, members)
    if count * (len(members) - 1) < _LEAST_SAVED:
        return None
    background = next((child["background"] for child in container if "background" in child), None)
    place = _place(scenarios, members[0], background)
    if place is None:
        return None
    said = _said_above(scenarios, members)
    edits = [_background(scenarios, members, count, said, background, place)]
    for member in members:
        edits += _shortened(scenarios, member, count, len(said))
    begin = "One step begins" if count == 1 else f"{count} steps begin"
    message = f"{begin} each of {len(members)} scenarios and could be a Background"
    return scenarios.suggestion(FoldKind.BACKGROUND, members, count, message, edits, least)


def _movable(scenarios: Scenarios, members: Sequence[Node]) -> int:
    """The number of steps with which all members begin and that each can lose."""
    count = _common(members)
    while count and not all(_can_lose(scenarios, member, count) for member in members):
        count -= 1
    return count


def _is_among(line: int, members: Sequence[Node]) -> bool:
    """True if a line is between the first scenario's first and the last one's last line."""
    return bool(members) and members[0]["location"]["line"] <= line <= last_line(members[-1])


def _common(members: Sequence[Node]) -> int:
    """The number of opening setup steps that all scenarios share; each scenario keeps at least one step."""
    if len(members) < 2:
        return 0
    count = 0
    for row in zip(*(member["steps"] for member in members), strict=False):
        if len({step["text"] for step in row}) > 1 or any(not _is_setup(step, count) for step in row):
            break
        count += 1
    return max(0, min(count, *(len(member["steps"]) - 1 for member in members)))


def _is_setup(step: Node, position: int) -> bool:
    wanted = ("Context",) if position == 0 else ("Context", "Conjunction")
    plain = "docString" not in step and "dataTable" not in step and "<" not in step["text"]
    return plain and step["keywordType"] in wanted


def _can_lose(scenarios: Scenarios, member: Node, count: int) -> bool:
    """True if there is no comment among the moved steps."""
    first, last = member["steps"][0]["location"]["line"], member["steps"][count - 1]["location"]["line"]
    return last - first == count - 1 and not any(first <= line <= last for line in scenarios.comments)


def _place(scenarios: Scenarios, first: Node, background: Node | None) -> int | None:
    """The 1-based line before which the steps go; None if it is unknown."""
    if background is not None:
        steps = background["steps"]
        if not steps or "docString" in steps[-1] or "dataTable" in steps[-1]:
            return None
        return int(steps[-1]["location"]["line"]) + 1
    line = min(node["location"]["line"] for node in (first, *first["tags"]))
    while line - 1 in scenarios.comments:
        line -= 1
    return int(line)


def _said_above(scenarios: Scenarios, members: Sequence[Node]) -> list[str]:
    """The comments directly above the first step, if all members have them: they are about what moves."""
    above: list[list[str]] = []
    for member in members:
        line = member["steps"][0]["location"]["line"] - 1
        comments: list[str] = []
        while line in scenarios.comments:
            comments.insert(0, scenarios.lines[line - 1].strip())
            line -= 1
        above.append(comments)
    return above[0] if all(comments == above[0] for comments in above) else []


def _background(
    scenarios: Scenarios,
    members: Sequence[Node],
    count: int,
    said: Sequence[str],
    background: Node | None,
    place: int,
) -> TextEdit:
    steps = members[0]["steps"][:count]
    indents = [scenarios.indent(step["location"]["line"]) for step in steps]
    keywords = [step["keyword"] for step in steps]
    first_line = steps[0]["location"]["line"]
    if background is not None:
        # as deep as the Background's first step; a keyword deeper than the first moved one, such as "And", stays deeper
        indent = scenarios.indent(background["steps"][0]["location"]["line"])
        indents = [indent + line_indent[len(indents[0]) :] for line_indent in indents]
        joining = _joining(scenarios, background, members)
        if joining is not None:
            keywords = [joining["keyword"] if step["keywordType"] == "Context" else step["keyword"] for step in steps]
            deeper = scenarios.indent(joining["location"]["line"])
            own = joining in background["steps"]
            indents = [deeper if own else indent + deeper[len(scenarios.indent(first_line)) :]] * count
    lines = [indents[0] + comment for comment in said]
    lines += [indent + keyword + step["text"] for indent, keyword, step in zip(indents, keywords, steps, strict=True)]
    if background is None:
        lines = [f"{scenarios.indent(place)}{scenarios.dialect['background'][0]}:", *lines, ""]
    start = scenarios.starts[place - 1]
    return span_edit(scenarios.text, start, start, "".join(line + scenarios.newline for line in lines))


def _joining(scenarios: Scenarios, background: Node, members: Sequence[Node]) -> Node | None:
    """A step with the "And" by which the moved ones join the Background; None if it does not end with setup, or if the
    Background, or else the scenarios, say "Given" each time."""
    types = [step["keywordType"] for step in background["steps"] if step["keywordType"] != "Conjunction"]
    if types[-1:] != ["Context"]:
        return None
    own = background["steps"]
    steps = own if len(own) > 1 else [step for member in members for step in member["steps"]]
    conjunctions = scenarios.dialect["and"]
    return next(
        (step for step in steps if step["keywordType"] == "Conjunction" and step["keyword"] in conjunctions), None
    )


def _shortened(scenarios: Scenarios, member: Node, count: int, comments: int) -> list[TextEdit]:
    """Edits that remove a scenario's first steps with the comments above, and the blank lines after them; a step that
    followed them by "And" gets the first one's keyword and indent."""
    steps, following = member["steps"], member["steps"][count]
    first, last, place = steps[0]["location"]["line"], steps[count - 1]["location"]["line"], following["location"]
    while not scenarios.lines[last].strip():
        last += 1
    edits = [scenarios.remove_lines(first - comments, last)]
    if following["keywordType"] == "Conjunction":
        length = place["column"] - 1 + len(following["keyword"])
        edits.append(scenarios.edit(place["line"], 1, length, scenarios.indent(first) + steps[0]["keyword"]))
    return edits
