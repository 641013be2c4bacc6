"""Scala."""

import re
from collections.abc import Iterable

from cukereuse_engine.functions.languages import scala
from cukereuse_engine.functions.parameters import parameters_of
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.languages.scala import lambda_in
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources, SharedValue
from cukereuse_engine.refactor.declarations import indent_of
from cukereuse_engine.refactor.expressions.literals import plain
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import NAME, Interpolation, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    if not definition.source_literal.startswith('"""'):
        return [plain('"')]
    raw: Style = lambda text: None if '"""' in text or text.endswith('"') or "\\u" in text else f'"""{text}"""'  # noqa: E731
    return [raw, plain('"')]


def _share(sources: EditedSources, shared: SharedValue) -> None:
    """Give the shared function a name, and write `Given("x")(name)` in place of `Given("x") { … }`."""
    place, path, start = shared.other.place, shared.keep.path, shared.at
    data, source = sources.read(shared.keep)
    bodies = [call.child_by_field_name("arguments") for call in shared.calls]
    if bodies[0] is None or any(body is None or body.type != "block" for body in bodies):
        raise UnmergeableError(f"{place}: not both functions are in braces; combine them by hand")
    function = lambda_in(bodies[0])
    parameters = parameters_of(function, scala.GRAMMAR, source.text) if function is not None else ()
    if not all(parameter.type for parameter in parameters):
        raise UnmergeableError(f"{place}: its parameter types are known only at the call")
    newline = sources.newline(path)
    in_class = shared.calls[0].parent is not None and shared.calls[0].parent.type == "template_body"
    value = f"{'private ' if in_class else ''}val {shared.name} = {'() => ' if function is None else ''}"
    code = source.text(bodies[0])
    sources.edit(path, start, start, f"{indent_of(data, start)}{value}{code}{newline}{newline}")
    for call in shared.calls:
        defined = call.child_by_field_name("function")
        assert defined is not None
        sources.edit(path, defined.end_byte, call.end_byte, f"({shared.name})")


WRITING = Writing(
    literals=_literals,
    interpolation=Interpolation(re.compile(rf"(\$[A-Za-z_]\w*|\$\{{\s*{NAME}\s*\}})"), "s", doubled="$"),
    call="call_expression",
    share=_share,
    call_end=re.compile(rb"[ \t]*"),
    block_parameters="({parameters}) =>",
    declaration="{name}: {type}",
    constant_types={"text": "String", "whole": "Int", "decimal": "Double", "truth": "Boolean"},
    converts_groups=True,
)
