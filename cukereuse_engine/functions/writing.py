"""Writes one function as the tokens of its normal form."""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cukereuse_engine.functions.grammars import TRANSPARENT, Grammar, is_noise
from cukereuse_engine.functions.names import Class, Field, Names
from cukereuse_engine.functions.parameters import Parameter, parameters_of
from cukereuse_engine.functions.tokens import (
    CLOSE,
    INJECTED,
    LOCAL,
    MEMBER,
    NAME,
    OPEN,
    PARAMETER,
    SIGN,
    STEP,
    TEXT,
    VALUE,
    own,
)
from cukereuse_engine.glue.languages.base import Source

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 3
"""Helpers that are put in place, one inside the other."""
_MAX_TOKENS = 600
"""A helper with more stays a name: what differs so far down is not seen, and what is equal there is one function."""
_LOGS = re.compile(
    r"""(?:await\s+)?(?:self\.|this\.|context\.|\$this->|@)?(?:
      (?:_?log(?:ger|ging|s)?|LOG(?:GER)?|Log|_logger|test_?[Ll]og)\s*(?:\.|->|::|\()
    | (?:console|Console|System\.(?:out|err)|Debug|Trace|Reporter|tracing|log)\s*(?:\.|::)\s*\w+
    | cy\.log | (?:fmt|t)\.(?:Print|Log)\w* | _?(?:testO|o|_o)utput(?:Helper)?\.WriteLine | scenario\.(?:log|write)
    | (?:print|println|printf|puts|pp|p|echo|var_dump|error_log|print_r|print_debug)\b\s*[\s("']
    | (?:e?println|dbg|debug|info|warn|trace|error)!\s*\(
    )""",
    re.VERBOSE,
)
"""A statement that only tells what goes on."""
_COLLECTIONS = re.compile(
    r"(?:^|\.)(?:\w*(?:List|Map|Set|Dictionary|Queue|Stack|Builder|Array|Hash|Deque|Collection)|Object|Atomic\w+|String)\b"
)
"""What is made to hold what a scenario gathers: each owner has its own."""
_DATA = re.compile(
    r"(?:^(?:Integer|Boolean|Double|Float|Long|Date|DateTime|Guid|Uri|Task|Future)|Response|Result|Exception|Request"
    r"|Message|Token|Dto|Data|Model|Future)$"
)
"""Types of what a scenario is about, which each owner has of its own."""
_MADE = frozenset(("object_creation_expression", "new_expression", "implicit_object_creation_expression"))
_JUMPS = frozenset(("return_statement", "await_expression", "return", "jump_expression", "return_expression"))
_ASSERTED = frozenset(("non_null_expression", "as_expression", "satisfies_expression"))
"""What is said of the first child is for the compiler only."""
_STEP_CALLS = {
    "ruby": frozenset(("step", "steps", "Given", "When", "Then", "And")),
    "python": frozenset(("execute_steps",)),
    "csharp": frozenset(("Given", "When", "Then", "And", "But")),
}
_SAID = re.compile(r"\w+")
_ALL_ARGUMENTS = frozenset(("arguments", "func_get_args", "locals", "binding", "args", "kwargs"))
"""How a function says its arguments without their names."""
_NAMED = re.compile(r"\$(\w+)")


class File:
    """What the writers of one file share."""

    def __init__(self, source: Source, grammar: Grammar, language: str, names: Names) -> None:
        self.source, self.grammar, self.language, self.names = source, grammar, language, names
        self.helpers: dict[tuple[int, int], tuple[str, ...]] = {}
        self.transparent = TRANSPARENT | grammar.transparent
        self.statement_lists = grammar.blocks | {"then", "else", "statement_list", "function_body"}
        self.writers: dict[str, _Write] = {}
        self._signs: dict[str, str] = {}
        self._data = source.source
        self._encoding = "utf-8" if source.is_utf8 else "latin-1"

    def text(self, node: "Node") -> str:
        return self._data[node.start_byte : node.end_byte].decode(self._encoding)

    def sign(self, kind: str) -> str:
        """The token of an operator or keyword; empty for one that says nothing."""
        known = self._signs.get(kind)
        if known is None:
            known = "" if is_noise(kind) else "this" if kind in ("this", "base") else SIGN + kind
            self._signs[kind] = known
        return known


def body_of(function: "Node", grammar: Grammar) -> "Node | None":
    """What a function runs: a block or an expression."""
    body = function.child_by_field_name("body")
    if body is None:
        body = next((child for child in function.named_children if child.type == "function_body"), None)
    if body is None and function.type in grammar.blocks:
        return function
    if body is None and function.type == "lambda_expression" and function.named_children:  # Scala
        return function.named_children[-1]
    return body


class Writer:
    """The form of one function; see `statements`."""

    def __init__(
        self,
        file: File,
        function: "Node",
        captured: frozenset[str] | None = None,
        depth: int = 0,
        active: frozenset[int] = frozenset(),
    ) -> None:
        """`captured`: names of the parameters that are arguments of the step, the others being fixtures; None: all."""
        self.file, self.function, self.depth = file, function, depth
        self.grammar, self.text = file.grammar, file.text
        self.active = active | {function.start_byte}
        self.around: Class | None = file.names.class_around(function)
        self.is_method = self.around is not None and (
            file.language not in ("javascript", "typescript") or function.type == "method_definition"
        )
        self.out: list[str] = []
        self.scope: dict[str, str] = {}
        self.locals = 0
        self.used: set[int] = set()
        self.mentions: set[str] = set()
        self.literals: dict[tuple[int, int], str] | None = None
        """Where it is asked for: the place of each plain literal of the function itself, to its token."""
        self.steps: list[str] = []
        self.step_arguments: list[tuple[str, ...]] = []
        self.parameters = parameters_of(function, file.language, file.text)
        if (
            file.language == "python"
            and self.parameters
            and self.around is not None
            and self.parameters[0].name == "self"
        ):
            self.parameters = self.parameters[1:]
        self._captured = captured
        self._declare_parameters()
        self._receiver = self._go_receiver()
        self._closure: dict[str, tuple[str, Node | None]] | None = None

    # -- what a form is made of

    @property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.parameters if one.pattern is None)

    def statements(self) -> tuple[tuple[str, ...], ...]:
        body = body_of(self.function, self.grammar)
        if body is None:
            return ()
        found: list[tuple[str, ...]] = []
        nodes = list(self._statement_nodes(body))
        for node in nodes:
            self.out = []
            self.emit(node)
            if self.out:
                found.append(tuple(self.out))
        if len(found) == 1:
            put_in_place = self._replaced(nodes)
            found = list(put_in_place) if put_in_place is not None else found
        if found and self.grammar.tail_is_result:
            found[-1] = _without_jumps(found[-1])
        return tuple(statement for statement in found if statement)

    def signature(self) -> tuple[str, ...]:
        """Types where they matter, and defaults, of the parameters that are used."""
        found: list[str] = []
        for index, parameter in enumerate(one for one in self.parameters if one.pattern is None):
            if index not in self.used:
                continue
            if self.grammar.typed and parameter.type and not self._says_nothing(parameter.type):
                found += [f"{PARAMETER}{index}", "t" + self.file.names.type_name(parameter.type)]
            if parameter.default is not None:
                self.out = []
                self.emit(parameter.default)
                found += [f"{PARAMETER}{index}", *self.out]
        return tuple(found)

    def _says_nothing(self, written: str) -> bool:
        return self.file.language == "php" and written.lstrip("?") in (
            "string",
            "int",
            "float",
            "bool",
            "mixed",
            "array",
        )

    def unused(self) -> tuple[str, ...]:
        """Names of parameters that the body never says, not even to a log."""
        body = body_of(self.function, self.grammar)
        said = set(_SAID.findall(self.text(body))) if body is not None else set()
        if not _ALL_ARGUMENTS.isdisjoint(said):
            return ()
        return tuple(one.name for one in self.parameters if one.pattern is None and one.name and one.name not in said)

    def only_call(self) -> tuple[str, tuple[tuple[str, ...], ...]] | None:
        """The function that is all the body calls, as a token, and what it hands on; None where it does more."""
        body = body_of(self.function, self.grammar)
        nodes = list(self._statement_nodes(body)) if body is not None else []
        call = self._unwrapped(nodes[0]) if len(nodes) == 1 else None
        target = self._target(call) if call is not None else None
        if call is None or target is None:
            return None
        self.mentions.add(target[0])
        return target[0], self._arguments(call)

    # -- statements

    def _statement_nodes(self, body: "Node") -> "Iterable[Node]":
        transparent = self.grammar.blocks | {"statement_list", "function_body", "arrow_expression_clause"}
        if body.type not in transparent and not (body.type == "block" and body.id == self.function.id):
            if not self._is_left_out(body):
                yield body
            return
        for child in body.named_children:
            if child.type in ("statement_list", "block", "body_statement", "block_body") and child.type in transparent:
                yield from self._statement_nodes(child)
            elif not self._is_left_out(child):
                yield child

    def _is_left_out(self, node: "Node") -> bool:
        kind = node.type
        if "comment" in kind or kind in self.grammar.dropped or kind in ("pass_statement", "empty_statement", ";"):
            return True
        if kind in ("parameters", "block_parameters", "lambda_parameters", "parameter_list", "attribute_list"):
            return True
        if kind == "expression_statement" and self.file.language == "python":
            inner = node.named_children[0] if node.named_child_count == 1 else None
            if inner is not None and inner.type in ("string", "concatenated_string", "ellipsis"):
                return True
        if kind.startswith(("if", "for", "while", "try", "local_", "let_", "return", "assignment", "lexical")):
            return False
        start = node.start_byte
        head = self.file.source.source[start : min(node.end_byte, start + 60)]
        return _LOGS.match(head.decode("utf-8", "replace")) is not None

    def _unwrapped(self, node: "Node") -> "Node | None":
        for _ in range(6):
            if node.type in self.grammar.calls:
                return node
            inner = [child for child in node.named_children if "comment" not in child.type]
            if len(inner) != 1 or (node.type not in self.file.transparent and node.type not in _JUMPS):
                return None
            node = inner[0]
        return None

    def _target(self, call: "Node") -> "tuple[str, Node | None] | None":
        """The function of this file or class that a call names: its token, and where it stands."""
        callee = self._callee(call)
        if callee is None:
            return None
        name, of_this = callee
        if of_this or (self.grammar.implicit_this and self.around is not None and self.around.holds(name)):
            owner = self._this_class()
            if owner is None:
                return None
            methods = owner.methods.get(name, [])
            return own(owner.id, name), methods[0] if len(methods) == 1 else None
        if name in self.scope:
            return None
        functions = self.file.names.functions.get(name, [])
        if len(functions) == 1:
            return own(self.file.names.unit, name), functions[0]
        if name in self.file.names.imports:
            module, original = self.file.names.imports[name]
            return f"{NAME}{module}\0{original}", None
        return None

    def _this_class(self) -> Class | None:
        if self.file.language == "go":
            return self._receiver[1] if self._receiver else None
        return self.around if self.is_method else None

    def _callee(self, call: "Node") -> tuple[str, bool] | None:
        """The name that a call names, and whether of `this`."""
        handed = self._handed_this(call)
        if handed is not None:
            return self.text(handed), False
        function = call.child_by_field_name("function") or call.child_by_field_name("method")
        thing = (
            call.child_by_field_name("object")
            or call.child_by_field_name("receiver")
            or call.child_by_field_name("scope")
        )
        name = call.child_by_field_name("name")
        if function is None and name is None and call.named_children:  # Kotlin
            function = call.named_children[0]
        if name is not None and function is None:
            return (self.text(name), thing is not None) if thing is None or self._is_this(thing) else None
        if function is None:
            return None
        if function.type in self.grammar.names:
            return (self.text(function), False) if thing is None else None
        if function.type in self.grammar.members:
            parts = self._member_parts(function)
            if parts is not None and parts[0] is not None and self._is_this(parts[0]):
                return self.text(parts[1]), True
        return None

    def _handed_this(self, call: "Node") -> "Node | None":
        """JavaScript's `name.call(this, …)`: the name, which is called as if it stood alone."""
        if self.file.language not in ("javascript", "typescript"):
            return None
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        parts = self._member_parts(function) if function is not None and function.type in self.grammar.members else None
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        if parts is None or parts[0] is None or first is None or first.type != "this":
            return None
        return parts[0] if self.text(parts[1]) == "call" and parts[0].type in self.grammar.names else None

    def _arguments(self, call: "Node") -> tuple[tuple[str, ...], ...]:
        holder = call.child_by_field_name("arguments") or next(
            (child for child in call.named_children if child.type == "value_arguments"), None
        )
        found: list[tuple[str, ...]] = []
        children = holder.named_children if holder is not None else []
        for child in children[1:] if self._handed_this(call) is not None else children:
            if "comment" not in child.type:
                self.out = []
                self.emit(child)
                found.append(tuple(self.out))
        return tuple(found)

    def _replaced(self, nodes: "list[Node]") -> tuple[tuple[str, ...], ...] | None:
        """The statements of the function that is all that this one calls, with what it hands on."""
        call = self._unwrapped(nodes[0]) if len(nodes) == 1 else None
        target = self._target(call) if call is not None else None
        if call is None or target is None or target[1] is None or self.depth >= MAX_DEPTH:
            return None
        function = target[1]
        if function.start_byte in self.active:
            return None
        inner = Writer(self.file, function, None, self.depth + 1, self.active)
        statements = inner.statements()
        arguments = self._arguments(call)
        plain = [one for one in inner.parameters if one.pattern is None]
        if not statements or len(plain) != len(inner.parameters) or len(arguments) != len(plain):
            return None
        handed = {f"{PARAMETER}{index}": argument for index, argument in enumerate(arguments)}
        return tuple(substitute(statement, handed) for statement in statements)

    # -- names

    def _declare_parameters(self) -> None:
        index = 0
        for parameter in self.parameters:
            if parameter.pattern is not None:
                self._declare_fixtures(parameter.pattern)
                continue
            fixture = self._captured is not None and parameter.name not in self._captured
            self.scope[parameter.name] = f"{NAME}{parameter.name}" if fixture else f"{PARAMETER}{index}"
            if fixture:
                self.used.add(index)
            index += 1

    def _declare_fixtures(self, pattern: "Node") -> None:
        for child in pattern.named_children:
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            left = child.child_by_field_name("left")
            local = value if value is not None else left if left is not None else child
            self.scope[self.text(local)] = NAME + self.text(
                key if key is not None else left if left is not None else child
            )

    def _go_receiver(self) -> tuple[str, Class | None] | None:
        if self.file.language != "go" or self.function.type != "method_declaration":
            return None
        receiver = self.function.child_by_field_name("receiver")
        if receiver is None:
            return None
        names = self.file.source.nodes("identifier", within=receiver)
        types = self.file.source.nodes("type_identifier", within=receiver)
        if not names or not types:
            return None
        owner = f"{self.file.names.unit}:{self.text(types[0])}"
        known = next((one for one in self.file.names.classes if one.id == owner), None)
        return self.text(names[0]), known

    def _is_this(self, node: "Node") -> bool:
        written = self.text(node) if node.end_byte - node.start_byte < 20 else ""
        if self._receiver is not None:
            return written == self._receiver[0]
        return written in self.grammar.this

    def declare(self, node: "Node") -> None:
        """The names in a pattern become locals."""
        if node.child_count == 0 or node.type == "variable_name":
            if node.type in self.grammar.names or node.type in (
                "shorthand_property_identifier_pattern",
                "variable_name",
            ):
                name = self.text(node)
                if name[:1] not in "@$" or node.type == "variable_name":
                    self._add_local(name)
            return
        if node.type in self.grammar.members or node.type in (
            "subscript",
            "subscript_expression",
            "element_reference",
            "call",
        ):
            return
        if node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            if value is not None:
                self.declare(value)
            return
        for child in node.named_children:
            if not child.type.endswith(("type", "annotation")) and child.type != "call":
                self.declare(child)

    def _add_local(self, name: str) -> None:
        if self.scope.get(name, "")[:1] == PARAMETER and self.file.language in ("python", "ruby", "php"):
            return  # given another value
        if self.file.language in ("python", "ruby", "php") and name in self.scope:
            return
        self.scope[name] = f"{LOCAL}{self.locals}"
        self.locals += 1

    def look_up(self, name: str) -> None:
        """Write what a bare name refers to."""
        known = self.scope.get(name)
        if known is not None:
            if known[:1] == PARAMETER:
                self.used.add(int(known[1:]))
            self.out.append(known)
            return
        if self._look_up_outside(name):
            return
        names = self.file.names
        if self.grammar.implicit_this and self.around is not None and self.around.holds(name):
            self.member(self.around, name)
        elif name in names.functions and self.file.language != "ruby":
            self._helper(names.functions[name], own(names.unit, name))
        elif name in names.constants and self.file.language != "ruby":
            value = names.constants[name]
            if value is None or not self._put_value(value, constant=True):
                self.out.append(own(names.unit, name))
        elif name in names.imports:
            module, original = names.imports[name]
            self.out.append(f"{NAME}{module}\0{original}")
        elif self.grammar.implicit_this and self.around is not None and self.around.parents and not name[:1].isupper():
            self.out.append(own(self.around.id, name))
        else:
            self.out.append(NAME + name)

    def _look_up_outside(self, name: str) -> bool:
        """Names of the functions around this one."""
        if self._closure is None:
            self._closure = self._read_closure()
        if name not in self._closure:
            return False
        owner, value = self._closure[name]
        if value is None or not self._put_value(value, constant=True):
            self.out.append(own(owner, name))
        return True

    def _read_closure(self) -> "dict[str, tuple[str, Node | None]]":
        found: dict[str, tuple[str, Node | None]] = {}
        node = self.function.parent
        while node is not None:
            if node.type in self.grammar.functions:
                owner = f"{self.file.source.path}@{node.start_byte}"
                for parameter in parameters_of(node, self.file.language, self.text):
                    found.setdefault(parameter.name, (owner, None))
                body = body_of(node, self.grammar)
                for child in self._statement_nodes(body) if body is not None else ():
                    for name, value in self._declared_in(child):
                        found.setdefault(name, (owner, value))
            node = node.parent
        return found

    def _declared_in(self, statement: "Node") -> "Iterable[tuple[str, Node | None]]":
        for node in (statement, *statement.named_children):
            place = self.grammar.declares.get(node.type)
            if place and place != "*":
                name, value = (
                    node.child_by_field_name(place),
                    node.child_by_field_name("value") or node.child_by_field_name("right"),
                )
                if name is not None:
                    for leaf in self.file.source.nodes(*self.grammar.names, within=name):
                        yield self.text(leaf), value if leaf.id == name.id else None

    def member(self, owner: Class, name: str) -> None:
        """Write what a member of a class refers to: its value, its type, the helper's own form, or its name."""
        field = owner.fields.get(name)
        if field is not None:
            self._field(owner, name, field)
        elif name in owner.methods:
            self._helper(owner.methods[name], own(owner.id, name))
        else:
            self.out.append(own(owner.id, name))

    def _field(self, owner: Class, name: str, field: Field) -> None:
        if field.injected and field.type:
            alone = sum(one.injected and one.type == field.type for one in owner.fields.values()) == 1
            of_that_type = "" if alone and self.file.language != "php" else name
            self.out.append(f"{INJECTED}{field.type}\0{of_that_type}\0{owner.id}")
        elif field.value is None or not self._put_value(field.value, constant=field.constant):
            self.out.append(own(owner.id, name, field.type if _is_a_thing(field.type) else ""))

    def _put_value(self, value: "Node", *, constant: bool) -> bool:
        """Write a value in place of its name, where every owner's would be the same."""
        if self.depth >= MAX_DEPTH or value.start_byte in self.active:
            return False
        kind = value.type
        text = self.text(value) if value.end_byte - value.start_byte < 400 else ""
        literal = constant and (kind in self.grammar.strings or kind in self.grammar.values)
        made = (kind in _MADE or kind in self.grammar.calls) and self._makes_a_thing(kind, text, constant)
        if not text or not (literal or made):
            return False
        outer, self.active, self.depth = self.active, self.active | {value.start_byte}, self.depth + 1
        self.emit(value)
        self.active, self.depth = outer, self.depth - 1
        return True

    def _makes_a_thing(self, kind: str, text: str, constant: bool) -> bool:
        if kind in _MADE:
            found = re.match(r"new\s+([\w.\\]+)", text)
            return found is not None and not _COLLECTIONS.search(found[1])
        return (
            constant
            and re.match(r"(?:[\w.]+\.)?[A-Z]\w*\(|require\(", text) is not None
            and not _COLLECTIONS.search(text)
        )

    def _helper(self, functions: "list[Node]", token: str) -> None:
        """The form of a function of this file in place of its name."""
        function = functions[0]
        self.mentions.add(token)
        if len(functions) > 1 or self.depth >= MAX_DEPTH or function.start_byte in self.active:
            self.out.append(token)
            return
        key = (function.start_byte, self.depth)
        known = self.file.helpers.get(key)
        if known is None:
            inner = Writer(self.file, function, None, self.depth + 1, self.active)
            statements = inner.statements()
            tokens = (*inner.signature(), *(each for statement in statements for each in (*statement, ";")))
            known = (f"{OPEN}own", *tokens, CLOSE) if 0 < len(tokens) <= _MAX_TOKENS else (token,)
            self.file.helpers[key] = known
        self.out += known

    # -- nodes

    def emit(self, node: "Node") -> None:
        kind = node.type
        if not node.is_named:
            token = self.file.sign(kind)
            if token:
                self.out.append(token)
            return
        write = self.file.writers.get(kind)
        if write is None:
            write = self.file.writers[kind] = _writer_of(kind, self.grammar)
        write(self, node, kind)

    def _nothing(self, _node: "Node", _kind: str) -> None:
        """Says nothing when it runs."""

    def _value(self, node: "Node", _kind: str) -> None:
        self.out.append(VALUE + self.text(node))
        self._note(node)

    def _note(self, literal: "Node") -> None:
        """The last token is all that a literal says."""
        if self.literals is not None and self.depth == 0:
            self.literals[literal.start_byte, literal.end_byte] = self.out[-1]

    def _type(self, node: "Node", _kind: str) -> None:
        self.out.append(NAME + self.file.names.type_name(self.text(node)))

    def _other(self, node: "Node", kind: str) -> None:
        if kind in ("keyword_argument", "pair", "named_argument") and self._pair(node):
            return
        children = node.children
        if kind in _ASSERTED and children:
            self.emit(children[0])
            return
        if not children:
            if kind in ("this", "self"):
                self.out.append("this")
            elif "interpolation_" not in kind and kind != "optional_chain" and not is_noise(kind):
                self.out.append(SIGN + self.text(node))
            return
        place = self.grammar.declares.get(kind)
        if place is not None:
            self._declare_at(node, place)
        if kind == "concatenated_string" and self._joined(children):
            return
        if kind in self.file.transparent:
            self._all(children, kind)
            return
        self.out.append(OPEN + kind)
        self._all(children, kind)
        self.out.append(CLOSE)

    def _all(self, children: "list[Node]", kind: str) -> None:
        statements = kind in self.file.statement_lists
        for child in children:
            if not (statements and child.is_named and self._is_left_out(child)):
                self.emit(child)

    def _declare_at(self, node: "Node", place: str) -> None:
        if place == "*":
            targets = node.named_children
        elif place:
            targets = node.children_by_field_name(place)
        else:
            targets = node.named_children[:1]
        for target in targets:
            self.declare(target)

    def _pair(self, node: "Node") -> bool:
        """A named argument: its name is no variable."""
        name = node.child_by_field_name("name") or node.child_by_field_name("key")
        value = node.child_by_field_name("value")
        if name is None or (name.child_count and name.type != "string"):
            return False
        if value is None:  # Ruby: `name:` for `name: name`
            self.out.append(MEMBER + self.text(name).strip(":"))
            self.look_up(self.text(name).strip(":"))
            return True
        self.out.append(MEMBER + self.text(name).strip("'\":"))
        self.emit(value)
        return True

    def _name(self, node: "Node", kind: str) -> None:
        name = self.text(node)
        if kind in ("instance_variable", "global_variable", "class_variable"):
            self.out.append(NAME + name)
        elif self.file.language == "php":
            self.out.append(NAME + self.file.names.type_name(name))
        else:
            if kind.startswith("shorthand"):
                self.out.append(MEMBER + name)
            self.look_up(name)

    def _variable(self, node: "Node", _kind: str) -> None:
        """PHP's `$name`: a parameter or a local."""
        name = self.text(node).lstrip("$")
        if name == "this":
            self.out.append("this")
            return
        if name not in self.scope:
            self._add_local(name)
        self.look_up(name)

    def _string(self, node: "Node", _kind: str) -> None:
        parts: list[str | Node] = []
        contents = self.grammar.contents
        if node.child_count == 0:
            parts.append(re.sub(r"^[a-zA-Z@$]{0,3}(\"\"\"|'''|[\"'`])(.*)\1$", r"\2", self.text(node), flags=re.DOTALL))
        for child in node.named_children:
            if child.type in contents:
                parts.append(self.text(child))
            elif child.type == "interpolation_start":
                continue
            elif child.child_count or child.type not in ("string_start", "string_end"):
                parts.append(child)
        if node.child_count and not parts:
            inner = self.text(node)
            parts.append(inner.strip("\"'`@") if len(inner) > 2 else "")
        self._string_parts(parts)
        if self.out[-1][:1] == TEXT:
            self._note(node)

    def _string_parts(self, parts: "list[str | Node]") -> None:
        text = ""
        pieces: list[str | Node] = []
        for part in parts:
            if isinstance(part, str):
                text += part
                continue
            pieces += [text] if text else []
            pieces.append(part)
            text = ""
        pieces += [text] if text or not pieces else []
        if self.file.language == "kotlin" and any(isinstance(piece, str) and "$" in piece for piece in pieces):
            self._kotlin_string(pieces)
            return
        if len(pieces) == 1 and isinstance(pieces[0], str):
            self.out.append(TEXT + _plain(pieces[0]))
            return
        self.out.append(f"{OPEN}text")
        for piece in pieces:
            if isinstance(piece, str):
                self.out.append(TEXT + _plain(piece))
            else:
                self._interpolated(piece)
        self.out.append(CLOSE)

    def _interpolated(self, piece: "Node") -> None:
        if "interpolation" in piece.type or "substitution" in piece.type:
            for child in piece.named_children:
                self.emit(child)
        else:
            self.emit(piece)

    def _kotlin_string(self, pieces: "list[str | Node]") -> None:
        """`$name` stands in the text as it is."""
        self.out.append(f"{OPEN}text")
        for piece in pieces:
            if not isinstance(piece, str):
                self._interpolated(piece)
                continue
            for place, part in enumerate(_NAMED.split(piece)):
                if place % 2:
                    self.look_up(part)
                elif part:
                    self.out.append(TEXT + _plain(part))
        self.out.append(CLOSE)

    def _joined(self, children: "list[Node]") -> bool:
        """String literals one after the other are one."""
        before = len(self.out)
        for child in children:
            self.emit(child)
        written = self.out[before:]
        if all(token[:1] == TEXT for token in written):
            self.out[before:] = [TEXT + "".join(token[1:] for token in written)]
        return True

    def _member_parts(self, node: "Node") -> "tuple[Node | None, Node] | None":
        place = self.grammar.members.get(node.type)
        if place is None:
            return None
        if place == ("", ""):
            parts = [child for child in node.named_children if "comment" not in child.type]
            return (parts[0], parts[-1]) if len(parts) > 1 else None
        name = node.child_by_field_name(place[1])
        thing = node.child_by_field_name(place[0])
        if thing is None and node.children and not node.children[0].is_named:
            thing = node.children[0]  # C#: `this`
        return None if name is None else (thing, name)

    def _member_or_call(self, node: "Node", _kind: str) -> None:
        parts = self._member_parts(node)
        if parts is not None:
            thing, name = parts
            if thing is None:
                self.look_up(self.text(name))
            elif self._is_this(thing) and (owner := self._this_class()) is not None:
                self.member(owner, self.text(name).lstrip("$"))
            else:
                self._receiver_of(thing)
                self._member_name(name)
            if node.type not in self.grammar.calls:
                return
            self._rest_of_call(node)
            return
        if self._step_call(node):
            return
        function, arguments = (
            node.child_by_field_name(name) if name else None for name in self.grammar.calls.get(node.type, ("", ""))
        )
        thing = node.child_by_field_name("receiver")
        if thing is not None and function is not None:
            self.emit(thing)
            self._member_name(function)
        elif function is not None:
            self.emit(function)
        else:  # Kotlin
            self._all([child for child in node.children if child.type != "value_arguments"][:1], "")
        if function is None or arguments is not None or node.child_by_field_name("block") is not None:
            self._rest_of_call(node)

    def _receiver_of(self, thing: "Node") -> None:
        """What a member is asked of; in PHP a class name before `::`."""
        self.emit(thing)

    def _member_name(self, name: "Node") -> None:
        if name.child_count == 0 or name.type == "variable_name":
            self.out.append(MEMBER + self.text(name))
        elif name.type == "generic_name":
            self.out.append(MEMBER + re.sub(r"\s+", "", self.text(name)))
        else:
            self.emit(name)

    def _rest_of_call(self, node: "Node") -> None:
        self.out.append(f"{OPEN}call")
        for child in node.children:
            if child.type in ("arguments", "argument_list", "value_arguments", "template_string"):
                for argument in child.children:
                    self.emit(argument)
            elif child.type in self.grammar.functions or child.type == "annotated_lambda":
                self.emit(child)
        self.out.append(CLOSE)

    def _nested(self, node: "Node", _kind: str) -> None:
        """A function in the function."""
        self.out.append(f"{OPEN}fn")
        for parameter in parameters_of(node, self.file.language, self.text):
            if parameter.pattern is not None:
                self.declare(parameter.pattern)
                self.emit(parameter.pattern)
            elif parameter.name:
                self._add_nested(parameter)
        body = body_of(node, self.grammar)
        for child in self._statement_nodes(body) if body is not None else ():
            self.emit(child)
        self.out.append(CLOSE)

    def _add_nested(self, parameter: Parameter) -> None:
        self.scope[parameter.name] = f"{LOCAL}{self.locals}"
        self.out.append(self.scope[parameter.name])
        self.locals += 1

    # -- steps that call steps

    def _step_call(self, node: "Node") -> bool:
        """`step "…"`: written as the step's text, arguments in their places."""
        wanted = _STEP_CALLS.get(self.file.language)
        callee = self._callee(node) if wanted else None
        if callee is None and self.file.language == "python":
            function = node.child_by_field_name("function")
            parts = self._member_parts(function) if function is not None else None
            callee = (self.text(parts[1]), False) if parts is not None else None
        if wanted is None or callee is None or callee[0] not in wanted:
            return False
        arguments = self._arguments_of_step(node)
        if arguments is None:
            return False
        texts, handed, carried = arguments
        self.steps += texts
        self.step_arguments += handed
        self.out.append(f"{OPEN}step")
        self.out += [STEP + text for text in texts]
        for one in handed:
            self.out += one
        self.out += carried
        self.out.append(CLOSE)
        return True

    def _arguments_of_step(self, node: "Node") -> tuple[list[str], list[tuple[str, ...]], list[str]] | None:
        """Texts of the steps, what stands in their places, and the tables and DocStrings that they carry."""
        holder = node.child_by_field_name("arguments")
        first = holder.named_children[0] if holder is not None and holder.named_children else None
        while first is not None and first.type in self.file.transparent and first.named_children:
            first = first.named_children[0]
        if first is None or first.type not in self.grammar.strings:
            return None
        text, handed = "", list[tuple[str, ...]]()
        for child in first.named_children:
            if child.type in self.grammar.contents:
                text += self.text(child)
            elif child.child_count and child.type not in ("string_start", "string_end"):
                outer, self.out = self.out, []
                self._interpolated(child)
                handed.append(tuple(self.out))
                self.out = outer
                text += "\0"
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        texts, attached, inside = list[str](), list[str](), False
        for line in lines:
            fence = line.startswith(('"""', "```"))
            if fence or inside or line.startswith("|"):
                attached.append(TEXT + line)
            elif not line.startswith("#"):
                texts.append(line)
            inside ^= fence
        outer, self.out = self.out, attached
        for more in holder.named_children[1:] if holder is not None else ():
            self.emit(more)
        self.out = outer
        return (texts, handed, attached) if texts else None


_Write = Callable[["Writer", "Node", str], None]


def _writer_of(kind: str, grammar: Grammar) -> _Write:
    """What writes a node of this type."""
    if "comment" in kind or kind in grammar.dropped:
        return Writer._nothing
    if kind in grammar.names or kind == "shorthand_property_identifier_pattern":
        return Writer._name
    if kind in grammar.strings:
        return Writer._string
    if kind in grammar.values:
        return Writer._value
    if kind in grammar.members or kind in grammar.calls:
        return Writer._member_or_call
    if kind in grammar.functions:
        return Writer._nested
    if kind in grammar.types:
        return Writer._type
    return Writer._variable if kind == "variable_name" else Writer._other


def _is_a_thing(type_name: str) -> bool:
    """Whether a field of this type stands for something that acts: a page, a client. Plain data does not."""
    name = re.split(r"[.\\]", type_name.partition("<")[0])[-1]
    return name[:1].isupper() and not _COLLECTIONS.search(name) and not _DATA.search(name)


def substitute(tokens: Iterable[str], handed: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """`tokens` with parameters replaced; those of helpers that were put in place are their own."""
    found: list[str] = []
    own_depth = 0
    for token in tokens:
        if token[:1] == OPEN and (own_depth or token == f"{OPEN}own"):
            own_depth += 1
        elif token == CLOSE and own_depth:
            own_depth -= 1
        if not own_depth and token in handed:
            found += handed[token]
        else:
            found.append(token)
    return tuple(found)


def _without_jumps(statement: tuple[str, ...]) -> tuple[str, ...]:
    """`return await x` as `x`."""
    while len(statement) > 3 and statement[0][:1] == OPEN and statement[0][1:] in _JUMPS and statement[-1] == CLOSE:
        statement = statement[2 if statement[1] in ("=return", "=await") else 1 : -1]
    return statement


def _plain(text: str) -> str:
    return text.replace("\\'", "'").replace('\\"', '"')
