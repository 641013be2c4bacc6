"""The JSON report's schema, completed from tables of the code."""

import json
from typing import Any

from cukereuse_engine.rules import Severity
from cukereuse_engine.strategies.table import STRATEGIES


def updated(schema: str) -> str:
    """The schema's text with the current strategies and severities."""
    document: dict[str, Any] = json.loads(schema)
    document["properties"]["strategy"]["enum"] = list(STRATEGIES)
    levels = [severity.value for severity in Severity if severity is not Severity.OFF]
    _replace(document, frozenset(levels), levels)
    return f"{json.dumps(document, ensure_ascii=False, indent=2)}\n"


def _replace(node: Any, levels_of_document: frozenset[str], levels: list[str]) -> None:
    """Write `levels` wherever an enumeration has one of `levels_of_document`."""
    if isinstance(node, dict):
        if levels_of_document & {each for each in node.get("enum", ()) if isinstance(each, str)}:
            node["enum"] = levels
        for child in node.values():
            _replace(child, levels_of_document, levels)
    elif isinstance(node, list):
        for child in node:
            _replace(child, levels_of_document, levels)
