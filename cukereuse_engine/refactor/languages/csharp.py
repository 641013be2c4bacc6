"""C#."""

import re
from collections.abc import Iterable, Iterator

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.call_literals import JOINED_BY_PLUS, literal_at
from cukereuse_engine.refactor.call_style import CallStyle, Others, ValueKind, Way, double_quoted
from cukereuse_engine.refactor.calls import whole
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame
from cukereuse_engine.refactor.code_parts.snippet import NewCode, Snippet, block, camel
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.expressions.literals import plain
from cukereuse_engine.refactor.step_call import CodePlaces, StepCall
from cukereuse_engine.refactor.writing import NAME, Case, Interpolation, StepCalls, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    verbatim: Style = lambda text: '@"' + text.replace('"', '""') + '"'  # noqa: E731
    if literal.startswith("@"):
        return [verbatim]
    if literal.startswith('"""'):
        return [_raw, verbatim]
    return [plain('"')]


def _raw(text: str) -> str | None:
    if '"""' in text or text.startswith('"') or text.endswith('"') or re.search(r"[\r\n]", text) or not text:
        return None
    return f'"""{text}"""'


def _calls(path: str, source: str, code: CodePlaces) -> Iterator[StepCall]:
    call_start = re.compile(
        r"(?<![\w.\[])(?:(?:this|base)\.)?(?:Given|When|Then|And|But)(?:Async)?\("
        r"\s*([@$]*)((?<!@)(?<!@\$)\"{3,}|\")"
    )
    for match in call_start.finditer(source):
        before = source[: match.start()].rstrip()[-1:]
        sign, quotes = match.groups()
        literal = literal_at(source, match.end(), quotes, raw="@" in sign or len(quotes) > 1, inserts="$" in sign)
        if literal is not None and before not in ("[", ",") and code.holds(match.start()):
            yield from whole(path, source, literal, JOINED_BY_PLUS)


def _snippet(draft: Snippet) -> NewCode:
    types = {"int": "int", "float": "decimal"}
    taken = [f"{types.get(parameter.type, 'string')} {camel(parameter.name)}" for parameter in draft.phrase.parameters]
    taken += {"docstring": ["string multilineText"], "table": ["Table table"]}.get(draft.argument or "", [])
    pending = (
        f"throw new {'StepPendingException' if draft.model.framework == 'specflow' else 'PendingStepException'}();"
    )
    result = "async Task" if draft.body is not None and draft.body.is_async else "void"
    head = f"public {result} {draft.name}({draft.taken(taken)})"
    return NewCode(block(draft, draft.head, head, "{", *draft.lines([pending]), "}"))


def _frame(asked: Asked) -> Frame:
    """A class with `[Binding]` in the model's namespace."""
    usings = [line for line in asked.lines() if re.match(r"\s*using\s+(?:Reqnroll|TechTalk\.SpecFlow)[\w.]*;", line)]
    namespace = re.search(r"^[ \t]*namespace\s+([\w.]+)\s*(;|\{)", asked.text, re.MULTILINE)
    line = asked.enclosing().group(0)
    outer = line[: len(line) - len(line.lstrip())]
    declared = [f"{outer}[Binding]", f"{outer}public class {asked.name}", f"{outer}{{"]
    before = "\n".join(each.strip() for each in usings)
    before += "\n\n" if before else ""
    end = f"{outer}}}\n"
    if namespace is not None and namespace.group(2) == "{":
        before += f"namespace {namespace.group(1)}\n{{\n"
        end += "}\n"
    elif namespace is not None:
        before += f"namespace {namespace.group(1)};\n\n"
    return Frame(before + "\n".join(declared), end, gap="\n")


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    node = function.node.child_by_field_name("returns") or function.node.child_by_field_name("type")
    returns = function.source.text(node) if node is not None else ""
    is_async = any(
        function.source.text(child) == "async" for child in function.node.children if child.type == "modifier"
    )
    wait = "await " if is_async else ""
    nothing = returns == "void" or (is_async and returns.rpartition(".")[2] in ("Task", "ValueTask"))
    return f"{'' if nothing else 'return '}{wait}{name}({', '.join(arguments)});"


WRITING = Writing(
    literals=_literals,
    interpolation=Interpolation(re.compile(rf"\{{({NAME})\}}"), "$", doubled="{}"),
    step_calls=StepCalls(re.compile(rb"(?:Given|When|Then|And|But)(?:Async)?\(\s*[@$]*\""), _calls),
    own_step=re.compile(r"\bStepInfo\b"),
    defaults_last=True,
    stacked="attribute_list",
    snippet=_snippet,
    frame=_frame,
    class_suffix="Steps",
    keyword=lambda _before, wanted, _written: wanted,
    case=Case.PASCAL,
    shared_call=_shared_call,
    private="private ",
    declaration="{type} {name}",
    constant_types={"text": "string", "whole": "int", "decimal": "double", "truth": "bool"},
    plain_text=re.compile(r"[@$]*\"(?s:.*)\"\Z"),
    converts_groups=True,
    calling=CallStyle(
        {"reqnroll": Others.NONE, "specflow": Others.NONE},
        double_quoted,
        Way.OBJECTS,
        types={
            **{
                "string": ValueKind.TEXT,
                "String": ValueKind.TEXT,
                "int": ValueKind.INT,
                "long": ValueKind.INT,
                "double": ValueKind.FLOAT,
            },
            **{"bool": ValueKind.BOOL},
        },
        wait="await {call}",
        waited_for=re.compile(r"(?:System\.Threading\.Tasks\.)?(?:Value)?Task\b"),
        in_class=True,
        any_type=True,
        overloads=True,
        public=True,
    ),
)
