"""Ruby."""

import re

from cukereuse_engine.functions.grammar import Grammar, SharedFolder

GRAMMAR = Grammar(
    module="tree_sitter_ruby",
    functions=frozenset(("do_block", "block", "method", "lambda")),
    blocks=frozenset(("body_statement", "block_body")),
    strings=frozenset(("string", "heredoc_body", "bare_string")),
    contents=frozenset(("string_content", "escape_sequence", "heredoc_content")),
    values=frozenset(("integer", "float", "true", "false", "nil", "simple_symbol", "hash_key_symbol", "regex")),
    names=frozenset(("identifier", "constant", "instance_variable", "global_variable", "class_variable")),
    members={"scope_resolution": ("scope", "name")},
    declares={
        **{"assignment": "left", "operator_assignment": "left", "block_parameters": "*", "for": "pattern"},
        **{"lambda_parameters": "*", "exception_variable": "*"},
    },
    containers=frozenset(("program", "module", "body_statement")),
    this=frozenset(("self",)),
    tail_is_result=True,
    dropped=frozenset(("heredoc_beginning", "heredoc_end", "empty_statement")),
    calls={"call": ("method", "arguments")},
    functions_begin=re.compile(rb"^[ \t]*def[ \t]+(\w+[?!]?)", re.MULTILINE),
    sharing=SharedFolder.BELOW,
    plain_quote="'",
    assigned_locals=True,
    step_calls=frozenset(("step", "steps", "Given", "When", "Then", "And")),
)
