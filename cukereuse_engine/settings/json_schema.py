"""The JSON Schema of each setting, for the editors' own settings."""

from typing import Any

from cukereuse_engine.settings.table import Setting, ValueType


def property_schema(setting: Setting) -> dict[str, Any]:
    """The schema of one setting: its type, description, bounds, and its default if there is one."""
    schema: dict[str, Any] = {"description": setting.help}
    match setting.type:
        case ValueType.CHOICE:
            schema |= {"type": "string", "enum": list(setting.allowed)}
        case ValueType.TEXT | ValueType.PATH:
            schema |= {"type": "string", "minLength": 1}
        case ValueType.FLAG:
            schema |= {"type": "boolean"}
        case ValueType.NUMBER:
            schema |= {"type": "number"}
        case ValueType.COUNT:
            schema |= {"type": "integer"}
        case ValueType.TEXTS | ValueType.PATHS:
            schema |= {"type": "array", "items": {"type": "string"}}
        case ValueType.LEVELS:
            level = {"type": "string", "enum": list(setting.allowed)}
            properties = dict.fromkeys(setting.keys, level)
            schema |= {"type": "object", "additionalProperties": False, "properties": properties}
    for word, bound in (("minimum", setting.minimum), ("maximum", setting.maximum)):
        if bound is not None:
            schema[word] = bound
    if setting.default is not None:
        schema["default"] = list(setting.default) if isinstance(setting.default, tuple) else setting.default
    return schema
