"""Ruby."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.call_literals import BRACKETS, JOINED_IN_RUBY, CallLiteral, literal_at, tail_of
from cukereuse_engine.refactor.calls import keywords, lines, whole
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame, NoNewFileError
from cukereuse_engine.refactor.code_parts.snippet import TODO, NewCode, Snippet, block
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.expressions.literals import escaped, in_turn, slashed
from cukereuse_engine.refactor.step_call import CodePlaces, StepCall
from cukereuse_engine.refactor.writing import NAME, Case, Interpolation, StepCalls, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    if definition.kind is ExpressionKind.REGEX:
        flags = re.search(r"[a-z]*\Z", literal)
        slashes = slashed("/" + (flags.group() if flags else ""))
        return [slashes] if literal.startswith("/") else [_percent(literal), slashes]
    single: Style = lambda text: None if "\n" in text else "'" + re.sub(r"[\\']", r"\\\g<0>", text) + "'"  # noqa: E731
    double: Style = lambda text: '"' + re.sub(r"#(?=[{$@])", r"\\#", escaped(text, '"')) + '"'  # noqa: E731
    return in_turn("'" if literal[:1] == "'" or literal[:2] == "%q" else '"', {"'": single, '"': double})


def _percent(literal: str) -> Style:
    """`%r{…}`: brackets inside must be balanced or escaped; another delimiter must not occur inside."""
    opening = literal[2]
    closing = BRACKETS.get(opening, opening)
    flags = literal[literal.rindex(closing) + 1 :]

    def write(pattern: str) -> str | None:
        bare = re.sub(r"\\.", "", pattern, flags=re.DOTALL)
        if opening == closing:
            return None if opening in pattern else f"%r{opening}{pattern}{closing}{flags}"
        depth = 0
        for char in bare:
            depth += (char == opening) - (char == closing)
            if depth < 0:
                return None
        return None if depth else f"%r{opening}{pattern}{closing}{flags}"

    return write


@cache
def _methods() -> frozenset[str]:
    """The methods by which Cucumber for Ruby runs a step: `step`, and the letters of each keyword."""
    return frozenset({"step", *(re.sub(r"\W", "", word) for word in keywords())} - {""})


_CALL = re.compile(r"(?<![\w.@:$])(\w+)[ \t]*\(?[ \t]*(?:%([qQ]?)([{(\[<|!])|([\"']))")


_PUTS_IN = re.compile(r"#[{$@]")


_STEPS = re.compile(r"(?<![\w.@:$])steps[ \t]*\(?[ \t]*(?:%[qQ]?([{(\[<|!])|([\"'])|<<[-~]?['\"]?(\w+)['\"]?[^\n]*\n)")


_BLOCK = re.compile(r"\s*\)?[ \t]*(?:do\b|\{)")


def _calls(path: str, source: str, code: CodePlaces) -> Iterator[StepCall]:
    for match in _CALL.finditer(source):
        literal = _called(source, match) if match.group(1) in _methods() else None
        if literal is None or not code.holds(match.start()):
            continue
        puts_in = match.group(4) != "'" and match.group(2) != "q"
        for call in whole(path, source, literal, JOINED_IN_RUBY):
            yield _with_inserted(call) if puts_in else call
    for match in _STEPS.finditer(source):
        literal = _listed(source, match) if code.holds(match.start()) else None
        for call in lines(path, source, literal, JOINED_IN_RUBY) if literal is not None else ():
            yield _with_inserted(call)


def _called(source: str, match: re.Match[str]) -> CallLiteral | None:
    """The literal by which a match of `_CALL` runs a step; None for a definition, including those of Turnip."""
    literal = literal_at(source, match.end(), match.group(3) or match.group(4), inserts=False)
    if literal is None:
        return None
    _, end = tail_of(source, literal, JOINED_IN_RUBY)
    return None if _BLOCK.match(source, end) else literal


def _listed(source: str, match: re.Match[str]) -> CallLiteral | None:
    """The steps that a match of `_STEPS` runs."""
    if not match.group(3):
        return literal_at(source, match.end(), match.group(1) or match.group(2))
    ending = re.compile(rf"^[ \t]*{match.group(3)}\b", re.MULTILINE).search(source, match.end())
    return CallLiteral(match.end(), ending.start(), ending.end(), "\n", False, False) if ending else None


def _with_inserted(call: StepCall) -> StepCall:
    """The call, which is not plain if its text contains an inserted value."""
    return replace(call, plain=call.plain and _PUTS_IN.search(call.step.text) is None)


def _snippet(draft: Snippet) -> NewCode:
    more = {"docstring": ["doc_string"], "table": ["table"]}.get(draft.argument or "", [])
    names = [*(parameter.name for parameter in draft.phrase.parameters), *more]
    taken = f" |{', '.join(names)}|" if names else ""
    lines = draft.lines([f"pending # {TODO}"], "  ")
    return NewCode(block(draft, f"{draft.head} do{taken}", *lines, "end"))


def _shared_call(name: str, arguments: list[str], _function: FunctionSource) -> str:
    return f"{name}({', '.join(arguments)})"


def _frame(asked: Asked) -> Frame:
    """Cucumber loads all files of its folders, and needs no imports."""
    if asked.model.framework != "cucumber-ruby":
        raise NoNewFileError(f"{asked.model.framework} loads a file only where it is named")
    return Frame("")


WRITING = Writing(
    literals=_literals,
    interpolation=Interpolation(re.compile(rf"#\{{\s*({NAME})\s*\}}")),
    slashed_regexes=True,
    escaped_regex=lambda text, _: re.sub(r"#(?=[{$@])", r"\\#", text),
    step_calls=StepCalls(re.compile(rb"step|[%\"']"), _calls),
    call="call",
    call_end=re.compile(rb"[ \t]*"),
    snippet=_snippet,
    frame=_frame,
    keyword=lambda _before, wanted, _written: wanted,
    case=Case.SNAKE,
    shared_call=_shared_call,
    named_value="{name} = proc {function}",
    jumps=frozenset(("next", "return", "break", "redo", "retry", "yield")),
    blocks=True,
    block_parameters="|{parameters}|",
)
