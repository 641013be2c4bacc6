"""Parts of a function's syntax that several readers need."""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

JUMPS = frozenset(("return_statement", "await_expression", "return", "jump_expression", "return_expression"))
LOGS = re.compile(
    r"""(?:await\s+)?(?:self\.|this\.|context\.|\$this->|@)?(?:
      (?:_?log(?:ger|ging|s)?|LOG(?:GER)?|Log|_logger|test_?[Ll]og)\s*
        (?:\(|(?:\.|->|::)(?!\s*\w*(?i:assert|expect|should|verif|check|contain|match|has|have|includ|equal|exist)))
    | (?:\w+(?:\.|->|::))+_?(?:[Ll]ogger|logging|LOGGER)(?:\.|->|::)
        (?i:trace|debug|info|log|warn(?:ing)?|error|exception|critical|fatal)\b
    | (?:console|Console|System\.(?:out|err)|Debug|Trace|Reporter|tracing)\s*(?:\.|::)\s*\w+
    | cy\.log\b | fmt\.Print\w* | t\.Logf?\b | \w*[oO]utput(?:Helper)?\.WriteLine | scenario\.(?:log|write)\b
    | (?:sys\.std(?:out|err)|process\.std(?:out|err)|\$std(?:out|err)|STD(?:OUT|ERR))\s*\.\s*(?:write|print|puts|p)\w*\b
    | (?:p?print|println|printf|puts|pp|p|echo|var_dump|error_log|print_r|print_debug)\b\s*[\s("']
    | (?:e?println|dbg|debug|info|warn|trace|error)!\s*\(
    | binding\.(?:pry|irb|b)\b | (?:byebug|debugger|breakpoint|pry)\b | i?pdb\.set_trace | Debugger\.(?:Break|Launch)
    | require\s*\(?['"](?:pry|byebug|debug)
    )""",
    re.VERBOSE,
)
"""A statement that only logs, or stops for a person to look; but no query of a log."""


def child_of(node: "Node", *names: str) -> "Node | None":
    """The child in the first of these fields that a node has."""
    return next((child for name in names if (child := node.child_by_field_name(name)) is not None), None)


def body_of(function: "Node", grammar: Grammar) -> "Node | None":
    """The body of a function: a block or an expression; the function itself if its statements are in no block."""
    body = function.child_by_field_name("body")
    if body is None:
        body = next((child for child in function.named_children if child.type == "function_body"), None)
    if body is None and function.type in grammar.blocks:
        return function
    if body is None and function.type == "lambda_expression":  # Scala
        parameters = function.child_by_field_name("parameters")
        parts = [child for child in function.named_children if child != parameters and "comment" not in child.type]
        return parts[0] if len(parts) == 1 else function if parts else None
    return body
