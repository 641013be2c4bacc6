"""Python."""

import re
from collections.abc import Iterable, Iterator

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.call_literals import JOINED_IN_PYTHON, literal_at
from cukereuse_engine.refactor.call_style import CallStyle, Others, Way, double_quoted
from cukereuse_engine.refactor.calls import lines
from cukereuse_engine.refactor.code_parts.snippet import NewCode, Snippet, block
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.creation.new_file import imported_frame
from cukereuse_engine.refactor.expressions.literals import plain, unquoted
from cukereuse_engine.refactor.step_call import CodePlaces, StepCall
from cukereuse_engine.refactor.writing import NAME, Case, Interpolation, StepCalls, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    match = re.match(r"([a-zA-Z]*)(\"\"\"|'''|\"|')", literal)
    if match is None:
        return []
    prefix, quote = match.groups()
    others = [mark for mark in ('"', "'", '"""') if mark != quote]
    raws = [_raw(prefix, mark) for mark in (quote, *others)]
    if "r" in prefix.lower():
        return [*raws, plain('"')]
    single = quote[0]
    other = "'" if single == '"' else '"'
    plains = [unquoted(single, prefix), unquoted(other, prefix), plain(single, prefix)]
    half_escaped = re.search(r"(?<!\\)(?:\\\\)*\\[^\\'\"\nabfnrtvxuUN0-7]", literal)
    return [lambda text: _raw("r", quote)(text) if half_escaped and "\\" in text else None, *plains]


def _raw(prefix: str, quote: str) -> Style:
    def write(text: str) -> str | None:
        ends_escaped = (len(text) - len(text.rstrip("\\"))) % 2
        unholdable = quote[0] in text if len(quote) == 1 else quote in text or text.endswith(quote[0])
        broken = len(quote) == 1 and ("\n" in text or "\r" in text)
        return None if unholdable or broken or ends_escaped or "\r" in text else f"{prefix}{quote}{text}{quote}"

    return write


def _calls(path: str, source: str, code: CodePlaces) -> Iterator[StepCall]:
    for match in re.finditer(r"\bexecute_steps\s*\(\s*([a-zA-Z]*)(\"\"\"|'''|\"|')", source):
        prefix = match.group(1).lower()
        literal = literal_at(source, match.end(), match.group(2), raw="r" in prefix, inserts="f" in prefix)
        if literal is not None and code.holds(match.start()):
            yield from lines(path, source, literal, JOINED_IN_PYTHON)


def _snippet(draft: Snippet) -> NewCode:
    names = [parameter.name for parameter in draft.phrase.parameters]
    step = f"{draft.keyword} {draft.phrase.expression}"
    body = f"raise NotImplementedError({f'STEP: {step}'!r})"
    if draft.model.framework == "behave":
        name = "step_impl" if draft.model.function_name == "step_impl" else draft.name
        names = ["context", *names]
    else:
        names += {"docstring": ["docstring"], "table": ["datatable"]}.get(draft.argument or "", [])
        name = "_" if draft.model.function_name == "_" else draft.name
    begin = "async def" if draft.body is not None and draft.body.is_async else "def"
    return NewCode(block(draft, draft.head, f"{begin} {name}({draft.taken(names)}):", *draft.lines([body])))


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    wait = "await " if function.node.children[0].type == "async" else ""
    back = "return " if function.gives_back() else ""
    return f"{back}{wait}{name}({', '.join(arguments)})"


WRITING = Writing(
    literals=_literals,
    interpolation=Interpolation(re.compile(rf"\{{({NAME})\}}"), "f", keeps_mark=True, doubled="{}"),
    step_calls=StepCalls(re.compile(rb"execute_steps"), _calls),
    defaults_last=True,
    stacked="decorator",
    snippet=_snippet,
    frame=lambda asked: imported_frame(asked, "behave", "behave"),
    case=Case.SNAKE,
    blank_lines=2,
    shared_call=_shared_call,
    indented=True,
    plain_text=re.compile(r"[rRuU]?[\"']"),
    keys_are_values=True,
    calling=CallStyle(
        {"behave": Others.FIRST, "pytest-bdd": Others.FIXTURES},
        double_quoted,
        Way.PYTHON_MODULES,
        wait="await {call}",
        end="",
        true="True",
        false="False",
    ),
)
