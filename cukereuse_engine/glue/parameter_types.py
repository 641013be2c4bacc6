"""Parameter types of several sources under one name."""

from collections.abc import Iterable
from dataclasses import replace

from cukereuse_engine.glue.definition import ParameterType
from cukereuse_engine.glue.languages.base import expression_dialect_of


def merged(parameter_types: Iterable[ParameterType]) -> dict[str, ParameterType]:
    """Types by name: the first one whose regexp is known, or else the first. Transformations of .NET to one type are
    joined."""
    types: dict[str, ParameterType] = {}
    for parameter_type in parameter_types:
        earlier = types.get(parameter_type.name)
        of_one = earlier is not None and earlier.language == parameter_type.language
        if earlier is not None and of_one and expression_dialect_of(earlier.language).parameter_types.extended:
            both = (*earlier.regexps, *parameter_type.regexps) if earlier.regexps and parameter_type.regexps else ()
            types[parameter_type.name] = replace(earlier, regexps=tuple(dict.fromkeys(both)))
        elif earlier is None or (not earlier.regexps and parameter_type.regexps):
            types[parameter_type.name] = parameter_type
    return types
