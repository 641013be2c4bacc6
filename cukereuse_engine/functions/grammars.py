"""What the syntax of each glue language means: one row a language, in the node types of its tree-sitter grammar."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Grammar:
    module: str
    """Of the tree-sitter wheel."""
    functions: frozenset[str]
    """Whatever has parameters and a body."""
    blocks: frozenset[str]
    """Whose children are statements."""
    strings: frozenset[str]
    contents: frozenset[str]
    """Inside a string: what it says as it stands."""
    values: frozenset[str]
    """Literals that are no strings."""
    names: frozenset[str]
    """Leaves that are looked up."""
    members: Mapping[str, tuple[str, str]]
    """Node type of an access to a member, to its fields of the thing and of the member's name."""
    declares: Mapping[str, str]
    """Node type that gives local names, to the field where they stand; "" for the first child, "*" for all."""
    classes: frozenset[str] = frozenset()
    containers: frozenset[str] = frozenset()
    """What may stand around classes and functions of a file."""
    this: frozenset[str] = frozenset()
    """How a method says the object that it belongs to."""
    implicit_this: bool = False
    """A bare name may be a member of the class around."""
    typed: bool = False
    """Types of parameters decide what is handed to the function."""
    tail_is_result: bool = False
    """What a step function gives back is waited for or nothing: `return` and `await` before its last expression say no
    more."""
    dropped: frozenset[str] = frozenset()
    """Syntax that changes nothing when it runs: types, modifiers, labels."""
    transparent: frozenset[str] = frozenset()
    """Wrappers around what counts, beyond the common ones."""
    calls: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Node type of a call, to the fields of what is called and of the arguments."""
    types: frozenset[str] = frozenset()
    """Leaves that name types only."""


TRANSPARENT = frozenset(
    (
        *("expression_statement", "parenthesized_expression", "parenthesized_statements", "argument", "value_argument"),
        *("statement_list", "expression_list"),
        *("block_body", "body_statement", "then", "block", "statement_block", "compound_statement", "annotated_lambda"),
        *("function_body", "arrow_expression_clause", "named_argument_list", "type", "primary_expression"),
    )
)
"""Wrappers in any language whose type says nothing that their children do not say."""
_NOISE = frozenset(
    (
        *("async", "function", "def", "do", "end", "then", "fn", "func", "let", "var", "val", "const", "mut", "lambda"),
        *("final", "fun", "begin", "public", "private", "protected", "static", "as", "=>", "->", "=", ":=", "{", "}"),
    )
)
"""Keywords and signs that the types of the nodes say already."""


def is_noise(text: str) -> bool:
    return text in _NOISE or not any(char not in "()[]{},;.:\"'`|@$&" for char in text)


_SCRIPT = Grammar(
    module="tree_sitter_javascript",
    functions=frozenset(
        (
            *("arrow_function", "function_expression", "function", "generator_function", "method_definition"),
            *("function_declaration", "generator_function_declaration"),
        )
    ),
    blocks=frozenset(("statement_block",)),
    strings=frozenset(("string", "template_string")),
    contents=frozenset(("string_fragment", "escape_sequence")),
    values=frozenset(("number", "true", "false", "null", "undefined", "regex")),
    names=frozenset(("identifier", "shorthand_property_identifier")),
    members={"member_expression": ("object", "property")},
    declares={
        **{"variable_declarator": "name", "for_in_statement": "left", "catch_clause": "parameter"},
        **{"formal_parameters": "*", "arrow_function": "parameter"},
    },
    classes=frozenset(("class_declaration", "class", "abstract_class_declaration")),
    containers=frozenset(("export_statement", "program", "class_body", "lexical_declaration", "variable_declaration")),
    this=frozenset(("this",)),
    tail_is_result=True,
    dropped=frozenset(
        (
            "type_annotation",
            "type_arguments",
            "type_parameters",
            "accessibility_modifier",
            "decorator",
            "predefined_type",
        )
    ),
    calls={"call_expression": ("function", "arguments")},
    types=frozenset(("type_identifier",)),
)

GRAMMARS: Mapping[str, Grammar] = {
    "csharp": Grammar(
        module="tree_sitter_c_sharp",
        functions=frozenset(
            (
                *("method_declaration", "local_function_statement", "lambda_expression", "constructor_declaration"),
                "anonymous_method_expression",
            )
        ),
        blocks=frozenset(("block",)),
        strings=frozenset(
            ("string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression")
        ),
        contents=frozenset(
            ("string_literal_content", "string_content", "escape_sequence", "raw_string_content", "verbatim_string")
        ),
        values=frozenset(("integer_literal", "real_literal", "boolean_literal", "null_literal", "character_literal")),
        names=frozenset(("identifier",)),
        members={"member_access_expression": ("expression", "name")},
        declares={
            **{"variable_declarator": "name", "parameter": "name", "implicit_parameter": "*"},
            **{"foreach_statement": "left", "declaration_expression": "name", "catch_declaration": "name"},
        },
        classes=frozenset(("class_declaration", "record_declaration", "struct_declaration")),
        containers=frozenset(
            ("compilation_unit", "namespace_declaration", "file_scoped_namespace_declaration", "declaration_list")
        ),
        this=frozenset(("this", "base")),
        implicit_this=True,
        typed=True,
        tail_is_result=True,
        dropped=frozenset(
            (
                "modifier",
                "attribute_list",
                "implicit_type",
                "preproc_region",
                "preproc_endregion",
                "interpolation_start",
            )
        ),
        calls={"invocation_expression": ("function", "arguments")},
    ),
    "go": Grammar(
        module="tree_sitter_go",
        functions=frozenset(("func_literal", "function_declaration", "method_declaration")),
        blocks=frozenset(("block", "statement_list")),
        strings=frozenset(("interpreted_string_literal", "raw_string_literal")),
        contents=frozenset(("interpreted_string_literal_content", "raw_string_literal_content", "escape_sequence")),
        values=frozenset(
            ("int_literal", "float_literal", "rune_literal", "true", "false", "nil", "imaginary_literal", "iota")
        ),
        names=frozenset(("identifier",)),
        members={"selector_expression": ("operand", "field")},
        declares={
            **{"short_var_declaration": "left", "var_spec": "name", "range_clause": "left"},
            **{"parameter_declaration": "name", "const_spec": "name"},
        },
        containers=frozenset(("source_file", "const_declaration", "var_declaration", "var_spec_list")),
        typed=True,
        calls={"call_expression": ("function", "arguments")},
        types=frozenset(("type_identifier", "package_identifier")),
    ),
    "java": Grammar(
        module="tree_sitter_java",
        functions=frozenset(("method_declaration", "lambda_expression", "constructor_declaration")),
        blocks=frozenset(("block", "constructor_body")),
        strings=frozenset(("string_literal",)),
        contents=frozenset(("string_fragment", "escape_sequence", "multiline_string_fragment")),
        values=frozenset(
            (
                *("decimal_integer_literal", "decimal_floating_point_literal", "true", "false", "null_literal"),
                *("character_literal", "hex_integer_literal"),
            )
        ),
        names=frozenset(("identifier",)),
        members={"field_access": ("object", "field"), "method_invocation": ("object", "name")},
        declares={
            **{"variable_declarator": "name", "formal_parameter": "name", "inferred_parameters": "*"},
            **{"lambda_expression": "parameters", "enhanced_for_statement": "name"},
            **{"catch_formal_parameter": "name", "resource": "name"},
        },
        classes=frozenset(("class_declaration", "record_declaration")),
        containers=frozenset(("program", "class_body")),
        this=frozenset(("this", "super")),
        implicit_this=True,
        typed=True,
        dropped=frozenset(("modifiers", "marker_annotation", "annotation")),
        calls={"method_invocation": ("name", "arguments")},
        types=frozenset(("type_identifier",)),
    ),
    "javascript": _SCRIPT,
    "kotlin": Grammar(
        module="tree_sitter_kotlin",
        functions=frozenset(("function_declaration", "lambda_literal", "anonymous_function")),
        blocks=frozenset(("block", "lambda_literal", "function_body")),
        strings=frozenset(("string_literal", "multiline_string_literal")),
        contents=frozenset(("string_content", "escape_sequence")),
        values=frozenset(
            ("number_literal", "float_literal", "boolean_literal", "true", "false", "null", "character_literal")
        ),
        names=frozenset(("identifier",)),
        members={"navigation_expression": ("", "")},
        declares={"variable_declaration": "", "lambda_parameters": "*", "parameter": "", "catch_block": ""},
        classes=frozenset(("class_declaration", "object_declaration")),
        containers=frozenset(("source_file", "class_body", "companion_object")),
        this=frozenset(("this_expression",)),
        implicit_this=True,
        typed=True,
        tail_is_result=True,
        dropped=frozenset(("modifiers", "annotation", "user_type")),
        calls={"call_expression": ("", "value_arguments")},
    ),
    "php": Grammar(
        module="tree_sitter_php",
        functions=frozenset(("method_declaration", "function_definition", "anonymous_function", "arrow_function")),
        blocks=frozenset(("compound_statement",)),
        strings=frozenset(("string", "encapsed_string", "heredoc", "nowdoc")),
        contents=frozenset(("string_content", "escape_sequence", "nowdoc_string")),
        values=frozenset(("integer", "float", "boolean", "null")),
        names=frozenset(("name", "qualified_name")),
        members={
            **{"member_access_expression": ("object", "name"), "member_call_expression": ("object", "name")},
            **{"nullsafe_member_access_expression": ("object", "name")},
            **{"nullsafe_member_call_expression": ("object", "name")},
            **{"scoped_call_expression": ("scope", "name"), "class_constant_access_expression": ("", "")},
            **{"scoped_property_access_expression": ("scope", "name")},
        },
        declares={},
        classes=frozenset(("class_declaration", "trait_declaration")),
        containers=frozenset(("program", "namespace_definition", "compound_statement", "declaration_list")),
        this=frozenset(("$this", "self", "static", "parent")),
        typed=True,
        dropped=frozenset(("attribute_list", "visibility_modifier", "static_modifier", "primitive_type")),
        calls={
            "member_call_expression": ("name", "arguments"),
            "nullsafe_member_call_expression": ("name", "arguments"),
            "scoped_call_expression": ("name", "arguments"),
            "function_call_expression": ("function", "arguments"),
        },
    ),
    "python": Grammar(
        module="tree_sitter_python",
        functions=frozenset(("function_definition", "lambda")),
        blocks=frozenset(("block",)),
        strings=frozenset(("string",)),
        contents=frozenset(("string_content", "escape_sequence")),
        values=frozenset(("integer", "float", "true", "false", "none", "ellipsis")),
        names=frozenset(("identifier",)),
        members={"attribute": ("object", "attribute")},
        declares={
            **{"assignment": "left", "for_statement": "left", "for_in_clause": "left", "as_pattern_target": "*"},
            **{"named_expression": "name", "lambda_parameters": "*"},
        },
        classes=frozenset(("class_definition",)),
        containers=frozenset(("module", "decorated_definition", "expression_statement", "block", "if_statement")),
        this=frozenset(("self",)),
        dropped=frozenset(("decorator",)),
        calls={"call": ("function", "arguments")},
    ),
    "ruby": Grammar(
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
    ),
    "rust": Grammar(
        module="tree_sitter_rust",
        functions=frozenset(("function_item", "closure_expression")),
        blocks=frozenset(("block",)),
        strings=frozenset(("string_literal", "raw_string_literal")),
        contents=frozenset(("string_content", "escape_sequence")),
        values=frozenset(("integer_literal", "float_literal", "boolean_literal", "char_literal", "unit_expression")),
        names=frozenset(("identifier",)),
        members={"field_expression": ("value", "field")},
        declares={
            **{"let_declaration": "pattern", "closure_parameters": "*", "for_expression": "pattern"},
            **{"match_pattern": "*", "let_condition": "pattern"},
        },
        containers=frozenset(("source_file", "mod_item", "declaration_list")),
        this=frozenset(("self",)),
        typed=True,
        dropped=frozenset(("mutable_specifier", "attribute_item", "lifetime")),
        calls={"call_expression": ("function", "arguments")},
        types=frozenset(("type_identifier",)),
    ),
    "scala": Grammar(
        module="tree_sitter_scala",
        functions=frozenset(("lambda_expression", "function_definition")),
        blocks=frozenset(("block", "indented_block")),
        strings=frozenset(("string", "interpolated_string_expression")),
        contents=frozenset(("escape_sequence",)),
        values=frozenset(("integer_literal", "floating_point_literal", "boolean_literal", "null_literal", "unit")),
        names=frozenset(("identifier",)),
        members={"field_expression": ("value", "field")},
        declares={"val_definition": "pattern", "var_definition": "pattern", "binding": "name", "enumerator": ""},
        classes=frozenset(("class_definition", "object_definition", "trait_definition")),
        containers=frozenset(("compilation_unit", "template_body")),
        this=frozenset(("this",)),
        implicit_this=True,
        typed=True,
        tail_is_result=True,
        dropped=frozenset(("modifiers", "annotation")),
        transparent=frozenset(("indented_block",)),
        calls={"call_expression": ("function", "arguments")},
        types=frozenset(("type_identifier",)),
    ),
    "typescript": _SCRIPT,
}
"""By the id of the language module in `glue.languages`."""
