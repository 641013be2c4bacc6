"""Java, and what all languages of Cucumber-JVM share."""

import re
from collections.abc import Callable, Iterable

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.call_style import CallStyle, Others, ValueKind, Way, double_quoted
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame, NoNewFileError
from cukereuse_engine.refactor.code_parts.snippet import TODO, NewCode, Snippet, block, camel
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.creation.new_file import ENGLISH
from cukereuse_engine.refactor.expressions.literals import plain, with_slashes
from cukereuse_engine.refactor.writing import Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    body = definition.source_literal.strip('"').strip()
    return [with_slashes(definition, body, plain('"'))]


def parameters(draft: Snippet, types: dict[str, str], declare: Callable[[str, str], str]) -> list[str]:
    declared = [
        declare(camel(parameter.name), types.get(parameter.type, types["string"]))
        for parameter in draft.phrase.parameters
    ]
    if draft.argument == "docstring":
        declared.append(declare("docString", types["string"]))
    elif draft.argument == "table":
        declared.append(declare("dataTable", "io.cucumber.datatable.DataTable"))
    return declared


def _snippet(draft: Snippet) -> NewCode:
    types = {"int": "Integer", "float": "Double", "string": "String"}
    taken = draft.taken(parameters(draft, types, lambda name, type_: f"{type_} {name}"))
    pending = [f"// {TODO}", "throw new io.cucumber.java.PendingException();"]
    if draft.head.lstrip().startswith("@"):
        throws = draft.body.throws if draft.body is not None else ""
        head = f"public void {draft.name}({taken}){throws} {{"
        return NewCode(block(draft, draft.head, head, *draft.lines(pending), "}"))
    return NewCode(block(draft, f"{draft.head.removesuffix(')')}, ({taken}) -> {{", *draft.lines(pending), "});"))


def frame(asked: Asked, *, is_java: bool = True) -> Frame:
    """A class in the model's package, where Cucumber finds it."""
    package = [line for line in asked.lines() if re.match(r"package\s+[\w.]+", line)][:1]
    annotation = re.match(r"\s*@(?:[\w.]+\.)?(\w+)", asked.head())
    base = re.search(r"\bimplements\s+(\w+)" if is_java else r":\s*(\w+)", asked.enclosing().group(2))
    opening, closing = [f"{'public ' if is_java else ''}class {asked.name} {{"], ["}"]
    if annotation is not None:
        imported = annotation.group(1)
        wanted = asked.keyword if imported in ENGLISH else imported
    elif base is not None:
        imported = wanted = base.group(1)
        half = asked.indent()[: len(asked.indent()) // 2]
        kind = f"implements {wanted}" if is_java else f": {wanted}"
        inner = f"public {asked.name}()" if is_java else "init"
        opening = [f"{opening[0].removesuffix('{')}{kind} {{", f"{half}{inner} {{"]
        closing = [f"{half}}}", *closing]
    else:
        raise NoNewFileError(f"it is unclear how {asked.model.path} registers its step definitions")
    imports = [f"import {package_}.{wanted}{';' if is_java else ''}" for package_ in _packages_of(imported, asked)[:1]]
    parts = ["\n".join(part) for part in (package, imports, opening) if part]
    return Frame("\n\n".join(parts), "\n".join(closing) + "\n", gap="\n")


def _packages_of(name: str, asked: Asked) -> list[str]:
    """Cucumber's packages from which the model's file imports a name."""
    cucumber = re.compile(rf"import\s+((?:io\.cucumber|cucumber\.api)[\w.]*)\.(?:{name}|\*)\s*;?$")
    return [match.group(1) for line in asked.lines() if (match := cucumber.match(line)) is not None]


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    type_node = function.node.child_by_field_name("type") or function.node.child_by_field_name("returns")
    back = "" if type_node is None or function.source.text(type_node) == "void" else "return "
    return f"{back}{name}({', '.join(arguments)});"


def keyword(before: str, wanted: str, written: str) -> str:
    if before.rstrip().endswith("@"):
        return f"io.cucumber.java.en.{wanted}"
    return written if before.strip() else wanted  # of the class that contains all keywords


WRITING = Writing(
    literals=_literals,
    stacked="annotation",
    snippet=_snippet,
    frame=frame,
    class_suffix="Steps",
    keyword=keyword,
    shared_call=_shared_call,
    private="private ",
    declaration="{type} {name}",
    constant_types={"text": "String", "whole": "int", "decimal": "double", "truth": "boolean"},
    plain_text=re.compile(r"\""),
    converts_groups=True,
    calling=CallStyle(
        {"cucumber-jvm": Others.NONE},
        double_quoted,
        Way.OBJECTS,
        types={
            **{
                "String": ValueKind.TEXT,
                "CharSequence": ValueKind.TEXT,
                "int": ValueKind.INT,
                "Integer": ValueKind.INT,
            },
            **{"long": ValueKind.INT, "double": ValueKind.FLOAT, "Double": ValueKind.FLOAT},
        },
        in_class=True,
        overloads=True,
        public=True,
        throws=True,
    ),
)
