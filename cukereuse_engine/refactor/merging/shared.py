"""One function with a parameter for a constant, which several definitions call: no expression changes.

It is made from the first definition's function and goes beside it; each definition then calls it with its constant.
"""

import re
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.parameters import holder_of
from cukereuse_engine.functions.syntax import body_of
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources
from cukereuse_engine.refactor.declarations import first_stacked, indent_of, line_start, with_comment
from cukereuse_engine.refactor.merging.constant import Parametrising
from cukereuse_engine.refactor.merging.free_names import free_name
from cukereuse_engine.refactor.merging.parametrised import Function
from cukereuse_engine.refactor.rename_plan import ReadSuites
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import Writing, writing_of

if TYPE_CHECKING:
    from tree_sitter import Node

_GENERATING = frozenset(("yield", "yield_expression", "yield_statement"))
_FIXTURES = re.compile(r"\{[\s\w,]*\}")
"""Fixtures that are destructured by their names alone: the pattern is a value too."""


def share_with_constant(suites: ReadSuites, extraction: Parametrising) -> EditedSources:
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
    sources = EditedSources(suites)
    sources.read(keep)
    name = free_name(
        keep.language, [function.definition.expression for function in (ours, *theirs)], ours.data.decode("utf-8")
    )
    writer = _Writer(extraction, name)
    at = _place_before(ours)
    indent = indent_of(ours.data, at)
    newline = sources.newline(keep.path)
    gap = newline * (1 + (1 if indent else writing_of(keep.language).blank_lines))
    sources.edit(keep.path, at, at, f"{indent}{writer.function(indent)}{gap}")
    for function, value in zip((ours, *theirs), extraction.constant.written, strict=True):
        sources.edit(keep.path, *writer.call(function, value))
    return sources


def only_adds_lines(extraction: Parametrising) -> bool:
    """True if each function is one line, which a call of the shared function would only replace."""
    bodies = [
        (function, body_of(function.node, GRAMMARS[function.definition.language]))
        for function in (extraction.ours, *extraction.theirs)
    ]
    return all(
        body is not None and "\n" not in function.source.text(body).strip("{}").strip() for function, body in bodies
    )


def _around(function: Function) -> int:
    """The offset of the class or block around a function; -1: the file."""
    node = function.node.parent
    kinds = GRAMMARS[function.definition.language].classes | GRAMMARS[function.definition.language].functions
    while node is not None and node.type not in kinds:
        node = node.parent
    return node.start_byte if node is not None else -1


def _refuse_special(function: Function) -> None:
    place, row = function.definition.place, writing_of(function.definition.language)
    if row.shared_call is None:
        raise UnmergeableError(f"{place}: write the function with a parameter by hand")
    types = {node.type for node in _below(function.node)}
    if types & (_GENERATING | row.jumps):
        raise UnmergeableError(
            f"{place}: its function contains a jump out of the shared part; write the function by hand"
        )
    for parameter in function.parameters:
        fixtures = parameter.pattern is not None and _FIXTURES.fullmatch(function.source.text(parameter.pattern))
        if parameter.default is not None or (parameter.pattern is not None and not fixtures):
            raise UnmergeableError(f"{place}: its parameters have defaults or are destructured; write it by hand")
    if _takes_many(function, row):
        raise UnmergeableError(f"{place}: it takes a variable number of arguments; write the function by hand")
    if row.types_from_call and not all(parameter.type for parameter in function.parameters):
        raise UnmergeableError(f"{place}: its parameter types are known only at the call")


def _takes_many(function: Function, row: Writing) -> bool:
    holder = holder_of(function.node)
    written = function.source.text(holder) if holder is not None else ""
    signs = r"\.\.\." if row.pointers else r"\.\.\.|\*\*?\w|\bparams\b|\bvararg\b"
    return re.search(signs, written) is not None


def _below(node: "Node") -> "list[Node]":
    nodes, waiting = [], [*node.children]
    while waiting:
        current = waiting.pop()
        nodes.append(current)
        waiting += current.children
    return nodes


def _place_before(function: Function) -> int:
    """The beginning of a function's lines, including what declares it and the comment above."""
    definition, data, row = function.definition, function.data, writing_of(function.definition.language)
    starts = [function.node.start_byte]
    if row.stacked:
        starts.append(first_stacked(definition, function.source))
    elif row.call:
        starts.append(_statement(function).start_byte)
    return with_comment(data, line_start(data, min(starts)), definition.path)


def _statement(function: Function) -> "Node":
    """The outermost node around a call that defines a step, inside the block of the call."""
    node = function.node
    kinds = GRAMMARS[function.definition.language].blocks | {"program", "statement_block", "body_statement"}
    while node.parent is not None and node.parent.type not in kinds:
        node = node.parent
    return node


class _Writer:
    def __init__(self, extraction: Parametrising, name: str) -> None:
        self.extraction, self.name = extraction, name
        self.ours = extraction.ours
        self.row, self.grammar = writing_of(extraction.keep.language), GRAMMARS[extraction.keep.language]
        body = body_of(self.ours.node, self.grammar)
        if body is None:
            raise UnmergeableError(f"{extraction.keep.place}: its function has no body")
        self.body = body

    # -- the shared function

    def function(self, indent: str) -> str:
        ours, extraction = self.ours, self.extraction
        declaration = ours.declared(extraction.name, extraction.constant)
        edits = [(*at, ours.said(extraction.name)) for at in extraction.constant.places]
        node = ours.node
        if self.row.blocks:
            return self._method_of_block(edits, declaration, indent)
        edits.append(ours.declaring(declaration))
        if self.row.named_value:
            function = ours.edited(edits, node.start_byte, node.end_byte)
            return self.row.named_value.format(name=self.name, function=function)
        named = node.child_by_field_name("name")
        if named is None:
            raise UnmergeableError(f"{extraction.keep.place}: its function has no name; write it by hand")
        edits.append((named.start_byte, named.end_byte, self.name))
        text = ours.edited(edits, self._start(), node.end_byte)
        return f"{self.row.private}{text}"

    def _start(self) -> int:
        """Where the function begins, without annotations and access modifiers."""
        node = self.ours.node
        kept = [child for child in node.children if child.type not in _LEFT_OUT]
        place = self.extraction.keep.place
        modifiers = [self.ours.source.text(child) for child in node.children if child.type == "modifier"]
        if not {*modifiers} <= {"public", "private", "internal", "protected", "async", "virtual"}:
            raise UnmergeableError(f"{place}: its function is {' '.join(modifiers)}")
        kept = [child for child in kept if child.type != "modifier" or self.ours.source.text(child) == "async"]
        written = [self.ours.source.text(child) for child in node.children if "modifier" in child.type]
        if any(re.search(r"\b(?:static|abstract|suspend|inline|override)\b", modifier) for modifier in written):
            raise UnmergeableError(f"{place}: its function is {' '.join(written)}")
        return kept[0].start_byte

    def _method_of_block(self, edits: list[tuple[int, int, str]], declaration: str, indent: str) -> str:
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
        """Refuse a block that uses variables of its file, which a method can't see."""
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
        body = body_of(function.node, self.grammar)
        assert body is not None
        assert self.row.shared_call is not None
        calling = self.row.shared_call(self.name, [*_handed_on(function), value], function)
        return _replaced_body(function, body, calling)


def _handed_on(function: Function) -> list[str]:
    """The parameters that a function passes on."""
    arguments = []
    for parameter in function.parameters:
        if parameter.pattern is not None:
            arguments.append(function.source.text(parameter.pattern))
        elif parameter.name != "this":
            arguments.append(function.said(parameter.name))
    return arguments


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
"""Nodes before a function's name or type that the shared function does not get."""


def _replaced_body(function: Function, body: "Node", body_text: str) -> tuple[int, int, str]:
    """The edit that replaces a body by one call."""
    row, data = writing_of(function.definition.language), function.data
    newline = "\r\n" if b"\r\n" in data else "\n"
    indent = indent_of(data, line_start(data, function.node.start_byte))
    one_line = data[body.start_byte : body.end_byte].count(b"\n") == 0
    if row.indented:
        return body.start_byte, body.end_byte, body_text
    if row.blocks:
        statements = body.named_children if body.id != function.node.id else []
        if not statements:
            raise UnmergeableError(f"{function.definition.place}: its function has no body")
        return statements[0].start_byte, statements[-1].end_byte, body_text
    if body.type in ("arrow_expression_clause", "function_body") and function.source.text(body)[:1] == "=":
        arrow = re.match(r"=>?\s*", function.source.text(body))
        assert arrow is not None
        plain = body_text.removeprefix("return ").removesuffix(";")
        return body.start_byte + len(arrow.group()), body.end_byte, plain
    if function.source.text(body)[:1] != "{":  # the expression of an arrow function
        return body.start_byte, body.end_byte, body_text.removeprefix("return ").rstrip(";")
    inner = (
        f"{{ {body_text} }}"
        if one_line
        else f"{{{newline}{indent}{_step_of(function, body)}{body_text}{newline}{indent}}}"
    )
    return body.start_byte, body.end_byte, inner


def _step_of(function: Function, body: "Node") -> str:
    """The indentation of a function's body."""
    inside = body.named_children[0] if body.named_children else None
    if inside is None:
        return "    "
    own = indent_of(function.data, line_start(function.data, function.node.start_byte))
    there = indent_of(function.data, line_start(function.data, inside.start_byte))
    return there[len(own) :] if there.startswith(own) and len(there) > len(own) else "    "
