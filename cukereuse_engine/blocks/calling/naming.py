"""Names existing step functions that have no name, so that other code can call them."""

import re
from collections.abc import Collection, Mapping, Sequence

from cukereuse_engine.blocks.calling.functions import NotCallableError, SourceFunctions, StepFunction
from cukereuse_engine.refactor.code_parts.snippet import camel
from cukereuse_engine.refactor.edits import byte_edit
from cukereuse_engine.refactor.rename_plan import TextEdit


def names_of(functions: Sequence[StepFunction], texts: Collection[str]) -> list[str]:
    """The name of each function; one without a name gets a name of its expression's words, which is nowhere in
    `texts`."""
    names: dict[tuple[str, int], str] = {}
    for function in functions:
        at = _where(function)
        if function.name:
            names[at] = function.name
        elif at not in names:
            names[at] = _free(_proposed(function), {*names.values()}, texts)
    return [names[_where(function)] for function in functions]


def _where(function: StepFunction) -> tuple[str, int]:
    return function.definition.path, function.start_byte


def _proposed(function: StepFunction) -> str:
    expression = re.sub(r"\{[^}]*\}|\([^)]*\)|\\.", " ", function.definition.expression)
    name = camel("_".join(re.findall(r"[A-Za-z0-9]+", expression)[:8]).lower() or "step")
    return f"step{name}" if name[0].isdigit() else name


def _free(base: str, taken: Collection[str], texts: Collection[str]) -> str:
    name, number = base, 1
    while name in taken or any(re.search(rf"\b{name}\b", text) for text in texts):
        number += 1
        name = f"{base}{number}"
    return name


def naming(names: Mapping[StepFunction, str], source: SourceFunctions, end: str) -> list[TextEdit]:
    """Edits of a source that declare the functions under these names; by place. `end`: of a statement. Raises
    `NotCallableError`."""
    data, text = source.data, source.text
    edits = []
    for function, name in names.items():
        node = function.node
        statement = node
        while statement.type != "expression_statement" and statement.parent is not None:
            statement = statement.parent
        begin = data.rfind(b"\n", 0, statement.start_byte) + 1
        indent = data[begin : statement.start_byte].decode("utf-8")
        if indent.strip():
            raise NotCallableError(f"the line of “{function.definition.shown}” begins with other code")
        if function.definition.framework == "playwright-bdd":
            edits.append(byte_edit(text, statement.start_byte, statement.start_byte, f"const {name} = "))
            continue
        ending = "\r\n" if "\r\n" in text else "\n"
        written = data[node.start_byte : node.end_byte].decode("utf-8")
        if function.on_this:
            declared = re.sub(r"\bfunction\b\s*\w*\s*", f"function {name}", written, count=1)
        else:
            declared = f"const {name} = {written}{end}"
        edits.append(byte_edit(text, begin, begin, f"{indent}{declared}{ending}{ending}"))
        edits.append(byte_edit(text, node.start_byte, node.end_byte, name))
    return sorted(edits, key=lambda edit: edit.start)
