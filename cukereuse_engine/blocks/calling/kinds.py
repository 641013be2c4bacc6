"""The kinds of values that step functions get from a step's text."""

from cukereuse_engine.blocks.calling.functions import style_of
from cukereuse_engine.functions.parameters import Parameter
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.call_style import ValueKind
from cukereuse_engine.refactor.expressions import parameters as expressions

_PARSE_KINDS = {
    "": ValueKind.TEXT,
    "d": ValueKind.INT,
    "g": ValueKind.FLOAT,
    "f": ValueKind.FLOAT,
    "w": ValueKind.TEXT,
    "S": ValueKind.TEXT,
}
_CUCUMBER_KINDS = {
    **dict.fromkeys(("", "string", "word"), ValueKind.TEXT),
    **dict.fromkeys(("int", "long", "short", "byte"), ValueKind.INT),
    **dict.fromkeys(("float", "double"), ValueKind.FLOAT),
}


def kind_of(definition: StepDefinition, parameter: Parameter, argument: int) -> ValueKind:
    """The kind of value that the function gets as this parameter, from the argument with this number."""
    style = style_of(definition)
    if style.types and parameter.type:
        return style.types.get(parameter.type, ValueKind.OTHER)
    if style.typed:
        return ValueKind.OTHER
    try:
        parameters = expressions.parameters_of(definition, nested=definition.framework != "cucumber-js").found
    except expressions.UnwritableError:
        return ValueKind.OTHER
    if argument >= len(parameters):
        return ValueKind.OTHER
    if definition.kind is ExpressionKind.CUCUMBER:
        return _CUCUMBER_KINDS.get(parameters[argument].source.strip("{}"), ValueKind.OTHER)
    if definition.kind in (ExpressionKind.PARSE, ExpressionKind.CFPARSE):
        return _PARSE_KINDS.get(parameters[argument].source.strip("{}").partition(":")[2], ValueKind.OTHER)
    if style.digits_are_numbers and parameters[argument].source in (r"(\d+)", r"(-?\d+)"):
        return ValueKind.INT
    return ValueKind.TEXT
