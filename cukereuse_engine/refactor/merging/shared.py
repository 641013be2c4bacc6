"""One function with a parameter for a constant, which several definitions call: neither expression changes.

The function is made of the first one's, beside it; what they run is a call then, each with its own constant.
"""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.parameters import holder_of
from cukereuse_engine.functions.syntax import body_of
from cukereuse_engine.refactor.declarations import (
    STACKED,
    UnmergeableError,
    declared,
    indent_of,
    line_start,
    with_comment,
)
from cukereuse_engine.refactor.merging.constant import Parametrising
from cukereuse_engine.refactor.merging.edited_sources import Sources
from cukereuse_engine.refactor.merging.free_names import free_name
from cukereuse_engine.refactor.merging.parametrised import Function
from cukereuse_engine.refactor.rename_plan import Workspace

if TYPE_CHECKING:
    from tree_sitter import Node

_JUMPS = {"ruby": frozenset(("next", "return", "break", "redo", "retry", "yield"))}
"""Syntax that means something else in a function of its own."""
_GENERATING = frozenset(("yield", "yield_expression", "yield_statement"))
_FIXTURES = re.compile(r"\{[\s\w,]*\}")
"""Fixtures taken apart by their names alone: the pattern is the value too."""


def share_with_constant(workspace: Workspace, extraction: Parametrising) -> Sources:
    """The edited sources. Raises `UnmergeableError`, `OSError`."""
    ours, theirs = extraction.ours, extraction.theirs
    keep = ours.definition
    for other in theirs:
        place = other.definition.place
        if keep.path != other.definition.path:
            raise UnmergeableError(f"{place}: the definitions are in two files; write the function by hand")
        if _around(ours) != _around(other):
            raise UnmergeableError(f"{place}: the definitions are in two classes or blocks")
    for function in (ours, *theirs):
        _refuse_special(function)
    sources = Sources(workspace)
    sources.read(keep)
    name = free_name(
        keep.language, [function.definition.expression for function in (ours, *theirs)], ours.data.decode("utf-8")
    )
    writer = _Writer(extraction, name)
    at = _place_before(ours)
    indent = indent_of(ours.data, at)
    newline = sources.newline(keep.path)
    gap = newline * (3 if keep.language == "python" and not indent else 2)
    sources.edit(keep.path, at, at, f"{indent}{writer.function(indent)}{gap}")
    for function, value in zip((ours, *theirs), extraction.constant.written, strict=True):
        sources.edit(keep.path, *writer.call(function, value))
    return sources


def _around(function: Function) -> int:
    """What a function stands in: a class or a block, by its offset; -1: the file."""
    node = function.node.parent
    kinds = GRAMMARS[function.definition.language].classes | GRAMMARS[function.definition.language].functions
    while node is not None and node.type not in kinds:
        node = node.parent
    return node.start_byte if node is not None else -1


def _refuse_special(function: Function) -> None:
    place, language = function.definition.place, function.definition.language
    if language not in BODIES:
        raise UnmergeableError(f"{place}: write the function with a parameter by hand")
    types = {node.type for node in _below(function.node)}
    if types & (_GENERATING | _JUMPS.get(language, frozenset())):
        raise UnmergeableError(
            f"{place}: its function contains a jump out of the shared part; write the function by hand"
        )
    holder = holder_of(function.node)
    for parameter in function.parameters:
        fixtures = parameter.pattern is not None and _FIXTURES.fullmatch(function.source.text(parameter.pattern))
        if parameter.default is not None or (parameter.pattern is not None and not fixtures):
            raise UnmergeableError(f"{place}: its parameters have defaults or are destructured; write it by hand")
    if (
        holder is not None
        and re.search(r"\.\.\.|\*\*?\w|\bparams\b|\bvararg\b", function.source.text(holder))
        and (language not in ("go", "rust") or "..." in function.source.text(holder))
    ):
        raise UnmergeableError(f"{place}: it takes a variable number of arguments; write the function by hand")
    if language == "typescript" and any(
        not parameter.type for parameter in function.parameters if parameter.pattern is None
    ):
        raise UnmergeableError(f"{place}: its parameter types are known only at the call")
    if language == "typescript" and any(
        parameter.pattern is not None and not parameter.type for parameter in function.parameters
    ):
        raise UnmergeableError(f"{place}: its parameter types are known only at the call")


def _below(node: "Node") -> "list[Node]":
    nodes, waiting = [], [*node.children]
    while waiting:
        current = waiting.pop()
        nodes.append(current)
        waiting += current.children
    return nodes


def _place_before(function: Function) -> int:
    """Where a line begins before the function, with what stands on it."""
    definition, data = function.definition, function.data
    starts = [function.node.start_byte]
    if definition.language in STACKED:
        starts.append(declared(definition, data, function.source)[0])
        node = function.node.parent if function.node.parent is not None else function.node
        starts += [node.start_byte] if node.type == "decorated_definition" else []
    elif definition.language in ("javascript", "typescript", "ruby"):
        starts.append(_statement(function).start_byte)
    start = line_start(data, min(starts))
    while definition.language == "rust" and data[:start].rstrip().endswith(b"]"):
        start = line_start(data, len(data[:start].rstrip()) - 1)
    return with_comment(data, start)


def _statement(function: Function) -> "Node":
    """The outermost node around a call that defines a step, within what the call stands in."""
    node = function.node
    kinds = GRAMMARS[function.definition.language].blocks | {"program", "statement_block", "body_statement"}
    while node.parent is not None and node.parent.type not in kinds:
        node = node.parent
    return node


class _Writer:
    def __init__(self, extraction: Parametrising, name: str) -> None:
        self.extraction, self.name = extraction, name
        self.ours = extraction.ours
        self.language = extraction.keep.language
        body = body_of(self.ours.node, GRAMMARS[self.language])
        if body is None:
            raise UnmergeableError(f"{extraction.keep.place}: its function has no body")
        self.body = body

    # -- the function

    def function(self, indent: str) -> str:
        ours, extraction = self.ours, self.extraction
        declaration = ours.declared(extraction.name, extraction.constant)
        edits = [(*at, ours.said(extraction.name)) for at in extraction.constant.places]
        node = ours.node
        if self.language == "ruby":
            return self._ruby_method(edits, declaration, indent)
        edits.append(ours.declaring(declaration))
        if self.language in ("javascript", "typescript"):
            return f"const {self.name} = {ours.edited(edits, node.start_byte, node.end_byte)};"
        named = node.child_by_field_name("name")
        if named is None:
            raise UnmergeableError(f"{extraction.keep.place}: its function has no name; write it by hand")
        edits.append((named.start_byte, named.end_byte, self.name))
        text = ours.edited(edits, self._start(), node.end_byte)
        return f"{_PRIVATE.get(self.language, '')}{text}"

    def _start(self) -> int:
        """Where the function begins without its annotations and what says who may call it."""
        node = self.ours.node
        kept = [child for child in node.children if child.type not in _LEFT_OUT]
        if self.language == "csharp":
            modifiers = [self.ours.source.text(child) for child in node.children if child.type == "modifier"]
            if not {*modifiers} <= {"public", "private", "internal", "protected", "async", "virtual"}:
                raise UnmergeableError(f"{self.extraction.keep.place}: its function is {' '.join(modifiers)}")
            kept = [child for child in kept if child.type != "modifier" or self.ours.source.text(child) == "async"]
        elif self.language in ("java", "kotlin", "php"):
            modifiers = [self.ours.source.text(child) for child in node.children if "modifier" in child.type]
            if any(re.search(r"\b(?:static|abstract|suspend|inline|override)\b", modifier) for modifier in modifiers):
                raise UnmergeableError(f"{self.extraction.keep.place}: its function is {' '.join(modifiers)}")
        return kept[0].start_byte

    def _ruby_method(self, edits: list[tuple[int, int, str]], declaration: str, indent: str) -> str:
        ours, node = self.ours, self.ours.node
        holder = holder_of(node)
        parameters = (
            ", ".join(ours.source.text(parameter) for parameter in holder.named_children) if holder is not None else ""
        )
        statements = list(self.body.named_children) if self.body.id != node.id else []
        first, last = (statements[0], statements[-1]) if statements else (self.body, self.body)
        self._refuse_locals_around()
        inside = ours.edited(edits, first.start_byte, last.end_byte)
        begin = f"{indent}  "
        if node.type == "block":
            inside = inside.strip()
        declared_ = ", ".join(filter(None, (parameters, declaration)))
        return f"def {self.name}({declared_})\n{begin}{inside}\n{indent}end"

    def _refuse_locals_around(self) -> None:
        """A block sees the variables of its file, a method does not."""
        ours = self.ours
        names = {ours.source.text(node) for node in _below(self.body) if node.type == "identifier"}
        for node in ours.source.nodes("assignment"):
            left = node.child_by_field_name("left")
            outside = not (ours.node.start_byte <= node.start_byte < ours.node.end_byte)
            if outside and left is not None and left.type == "identifier" and ours.source.text(left) in names:
                inner = node.parent
                while inner is not None and inner.type not in ("do_block", "block", "method"):
                    inner = inner.parent
                if inner is None or inner.start_byte <= ours.node.start_byte < inner.end_byte:
                    message = f"its function uses “{ours.source.text(left)}” of its file; write it by hand"
                    raise UnmergeableError(f"{self.extraction.keep.place}: {message}")

    # -- the calls

    def call(self, function: Function, value: str) -> tuple[int, int, str]:
        """The edit that lets a definition's function call the shared one."""
        body = body_of(function.node, GRAMMARS[self.language])
        assert body is not None
        calling = BODIES[self.language](self.name, [*_handed_on(function), value], function)
        return _replaced_body(function, body, calling)


def _handed_on(function: Function) -> list[str]:
    """What a function hands on of its own parameters."""
    arguments = []
    for parameter in function.parameters:
        if parameter.pattern is not None:
            arguments.append(function.source.text(parameter.pattern))
        elif parameter.name != "this":
            arguments.append(function.said(parameter.name))
    return arguments


def _python(name: str, arguments: list[str], function: Function) -> str:
    wait = "await " if function.node.children[0].type == "async" else ""
    back = "return " if _gives_back(function) else ""
    return f"{back}{wait}{name}({', '.join(arguments)})"


def _script(name: str, arguments: list[str], function: Function) -> str:
    passed = ", ".join(arguments)
    uses_this = function.node.type != "arrow_function" and re.search(r"\bthis\b", function.text) is not None
    return f"return {name}.call(this, {passed});" if uses_this else f"return {name}({passed});"


def _ruby(name: str, arguments: list[str], _function: Function) -> str:
    return f"{name}({', '.join(arguments)})"


def _java(name: str, arguments: list[str], function: Function) -> str:
    type_node = function.node.child_by_field_name("type") or function.node.child_by_field_name("returns")
    back = "" if type_node is None or function.source.text(type_node) == "void" else "return "
    return f"{back}{name}({', '.join(arguments)});"


def _csharp(name: str, arguments: list[str], function: Function) -> str:
    node = function.node.child_by_field_name("returns") or function.node.child_by_field_name("type")
    returns = function.source.text(node) if node is not None else ""
    is_async = any(
        function.source.text(child) == "async" for child in function.node.children if child.type == "modifier"
    )
    wait = "await " if is_async else ""
    nothing = returns == "void" or (is_async and returns.rpartition(".")[2] in ("Task", "ValueTask"))
    return f"{'' if nothing else 'return '}{wait}{name}({', '.join(arguments)});"


def _kotlin(name: str, arguments: list[str], function: Function) -> str:
    back = "return " if re.search(r"\)\s*:", function.text.partition("{")[0]) else ""
    return f"{back}{name}({', '.join(arguments)})"


def _php(name: str, arguments: list[str], function: Function) -> str:
    back = "return " if _gives_back(function) else ""
    return f"{back}$this->{name}({', '.join(arguments)});"


def _go(name: str, arguments: list[str], function: Function) -> str:
    receiver = function.node.child_by_field_name("receiver")
    names = function.source.nodes("identifier", within=receiver) if receiver is not None else []
    if receiver is not None and not names:
        raise UnmergeableError(f"{function.definition.place}: its receiver has no name")
    on = f"{function.source.text(names[0])}." if names else ""
    back = "return " if function.node.child_by_field_name("result") is not None else ""
    return f"{back}{on}{name}({', '.join(arguments)})"


def _rust(name: str, arguments: list[str], function: Function) -> str:
    wait = ".await" if re.match(r"(?:pub(?:\([^)]*\))?\s+)?async\b", function.text) else ""
    end = "" if function.node.child_by_field_name("return_type") is not None else ";"
    return f"{name}({', '.join(arguments)}){wait}{end}"


BODIES = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "ruby": _ruby,
    "java": _java,
    "csharp": _csharp,
    "kotlin": _kotlin,
    "php": _php,
    "go": _go,
    "rust": _rust,
}
"""What a body says that calls the function with some arguments."""
_PRIVATE = {"java": "private ", "csharp": "private ", "kotlin": "private ", "php": "private function "}
_LEFT_OUT = frozenset(
    (
        *(
            "modifiers",
            "attribute_list",
            "visibility_modifier",
            "final_modifier",
            "var_modifier",
            "comment",
            "function",
        ),
        *("marker_annotation", "annotation", "attribute_item"),
    )
)
"""What stands before a function's name or type and is not of the function that is made of it."""


def _gives_back(function: Function) -> bool:
    """Whether some `return` of the function itself has a value."""
    waiting = [*function.node.children]
    kinds = GRAMMARS[function.definition.language].functions
    while waiting:
        current = waiting.pop()
        if current.type == "return_statement" and current.named_child_count:
            return True
        waiting += [child for child in current.children if child.type not in kinds]
    return False


def _replaced_body(function: Function, body: "Node", body_text: str) -> tuple[int, int, str]:
    """The edit that puts one call in place of a body."""
    language, data = function.definition.language, function.data
    newline = "\r\n" if b"\r\n" in data else "\n"
    indent = indent_of(data, line_start(data, function.node.start_byte))
    one_line = data[body.start_byte : body.end_byte].count(b"\n") == 0
    if language == "python":
        return body.start_byte, body.end_byte, body_text
    if language == "ruby":
        statements = body.named_children if body.id != function.node.id else []
        if not statements:
            raise UnmergeableError(f"{function.definition.place}: its function has no body")
        return statements[0].start_byte, statements[-1].end_byte, body_text
    if body.type in ("arrow_expression_clause", "function_body") and function.source.text(body)[:1] == "=":
        arrow = re.match(r"=>?\s*", function.source.text(body))
        assert arrow is not None
        plain = body_text.removeprefix("return ").removesuffix(";" if language == "csharp" else "")
        return body.start_byte + len(arrow.group()), body.end_byte, plain
    if function.source.text(body)[:1] != "{":  # an arrow function's expression
        return body.start_byte, body.end_byte, body_text.removeprefix("return ").rstrip(";")
    inner = (
        f"{{ {body_text} }}"
        if one_line
        else f"{{{newline}{indent}{_step_of(function, body)}{body_text}{newline}{indent}}}"
    )
    return body.start_byte, body.end_byte, inner


def _step_of(function: Function, body: "Node") -> str:
    """How far the body of a function is indented."""
    inside = body.named_children[0] if body.named_children else None
    if inside is None:
        return "    "
    own = indent_of(function.data, line_start(function.data, function.node.start_byte))
    there = indent_of(function.data, line_start(function.data, inside.start_byte))
    return there[len(own) :] if there.startswith(own) and len(there) > len(own) else "    "
