"""Kotlin."""

import json
import re
from collections.abc import Iterable

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.call_style import CallStyle, Others, ValueKind, Way
from cukereuse_engine.refactor.code_parts.snippet import TODO, NewCode, Snippet, block
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.expressions.literals import escaped, with_slashes
from cukereuse_engine.refactor.languages import java
from cukereuse_engine.refactor.writing import NAME, Interpolation, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    plain: Style = lambda text: '"' + escaped(text, '"', "$") + '"'  # noqa: E731
    styles = [_raw, plain] if literal.startswith('"""') else [plain]
    return [with_slashes(definition, literal.strip('"'), style) for style in styles]


def _raw(text: str) -> str | None:
    if '"""' in text or text.startswith('"') or text.endswith('"') or re.search(r"\$[\w{`]|[\r\n]", text):
        return None
    return f'"""{text}"""'


def _snippet(draft: Snippet) -> NewCode:
    types = {"int": "Int", "float": "Double", "string": "String"}
    taken = draft.taken(java.parameters(draft, types, lambda name, type_: f"{name}: {type_}"))
    pending = [f"// {TODO}", "throw io.cucumber.java.PendingException()"]
    if draft.head.lstrip().startswith("@"):
        return NewCode(block(draft, draft.head, f"fun {draft.name}({taken}) {{", *draft.lines(pending), "}"))
    begin = f" {taken} ->" if taken else ""
    return NewCode(block(draft, f"{draft.head} {{{begin}", *draft.lines(pending), "}"))


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    back = "return " if re.search(r"\)\s*:", function.text.partition("{")[0]) else ""
    return f"{back}{name}({', '.join(arguments)})"


WRITING = Writing(
    literals=_literals,
    interpolation=Interpolation(re.compile(rf"(\$[A-Za-z_]\w*|\$\{{\s*{NAME}\s*\}})")),
    stacked="annotation",
    snippet=_snippet,
    frame=lambda asked: java.frame(asked, is_java=False),
    class_suffix="Steps",
    keyword=java.keyword,
    shared_call=_shared_call,
    private="private ",
    declaration="{name}: {type}",
    constant_types={"text": "String", "whole": "Int", "decimal": "Double", "truth": "Boolean"},
    converts_groups=True,
    calling=CallStyle(
        {"cucumber-jvm": Others.NONE},
        lambda value, _: json.dumps(value, ensure_ascii=False).replace("$", "\\$"),
        Way.OBJECTS,
        types={"String": ValueKind.TEXT, "Int": ValueKind.INT, "Double": ValueKind.FLOAT},
        end="",
        in_class=True,
        overloads=True,
        typed=True,
        kept_with=re.compile(r"\b(?:val|var)\s+"),
    ),
)
