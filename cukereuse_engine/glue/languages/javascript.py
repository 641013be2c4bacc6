"""JavaScript: cucumber-js, cypress-cucumber-preprocessor, playwright-bdd, jest-cucumber, vitest-cucumber.

TypeScript uses this module too.

A step definition is a call of `Given`, `When`, … (imported, destructured from `createBdd()`, or `this.Given`) with an
expression and a function, or a `@given("…")` decorator on a method (cucumber-tsflow, playwright-bdd).
"""

import re
from collections.abc import Set
from functools import partial
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import Anchoring, Constant, ExpressionKind, Extraction, Limit
from cukereuse_engine.glue.languages import scenario_blocks
from cukereuse_engine.glue.languages.base import Language
from cukereuse_engine.glue.languages.collector import Collector, add_cucumber_type
from cukereuse_engine.glue.languages.comments import C_LIKE
from cukereuse_engine.glue.languages.javascript_values import (
    CALLS,
    ScriptFile,
    arguments_of,
    entries_of,
    entry_of,
    read_constants,
    read_imports,
    value_of,
)
from cukereuse_engine.glue.languages.source import ConstantNames, Source, children
from cukereuse_engine.glue.regexes import dialects

if TYPE_CHECKING:
    from tree_sitter import Node

_DECORATORS = CALLS | {"given", "when", "then"}
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_GLOBALS = frozenset({"given", "when", "then", "and", "but"})
"""cypress-cucumber-preprocessor's names before 4.1, imported or found without any import."""
_LOWER_CASE = _GLOBALS | {"defineStep"}
_FIRST_COUNTS = "cypress-cucumber-preprocessor"
"""The package until its version 4, before it was published as @badeball's: of several definitions that match, it took
the first (lib/resolveStepDefinition.js)."""
_PACKAGES = ("jest-cucumber", "vitest-cucumber", "playwright-bdd", "cypress-cucumber-preprocessor")
HINT = re.compile(
    rb"\b(?:Given|When|Then|And|But|Step|defineStep)(?:\s*\(|\s*<|\s+as\b|\s*:)|defineParameterType|new ParameterType"
    rb"|@(?:given|when|then)\(|cypress-cucumber-preprocessor|@cucumber/cucumber|playwright-bdd"
    rb"|jest-cucumber|vitest-cucumber|(?m:^(?:given|when|then)\s*\()|[({,]\s*(?:given|when|then)\s*[,)}:=]"
)
"""Calls, aliases, and decorators that define steps."""
TAKES_OVER = re.compile(
    rb"^[ \t]*(?:import[ \t]+|export[ \t]+\*[ \t]+from[ \t]+|require\([ \t]*)[\"']([^\"'\n]+)[\"']", re.MULTILINE
)


def _read_names(file: ScriptFile) -> None:
    read_imports(file)
    _read_framework(file)
    _read_calls(file)
    _read_default_tags(file)
    read_constants(file)


def _read_framework(file: ScriptFile) -> None:
    for node in file.source.nodes("import_statement", "call_expression"):
        if node.type == "import_statement":
            module = file.text(node.child_by_field_name("source"))
        elif file.text(node.child_by_field_name("function")) == "require":
            module = file.text(node.child_by_field_name("arguments"))
        else:
            continue
        framework = next((name for name in _PACKAGES if name in module), "")
        if framework:
            file.framework, file.package = framework, module.strip("'\"`()")
    if file.framework == "cucumber-js":
        file.framework = scenario_blocks.framework_of(file.source) or file.framework
    if not file.package and scenario_blocks.defines_at_top(file.source, _GLOBALS):
        file.framework = file.package = _FIRST_COUNTS
        file.aliases.update({name: name[:1].upper() + name[1:] for name in _GLOBALS})
    if any(
        file.text(node.child_by_field_name("function")) == "createBdd" for node in file.source.nodes("call_expression")
    ):
        file.framework = "playwright-bdd"


def _read_calls(file: ScriptFile) -> None:
    """Read the names that this file gives to the calls that define steps."""
    for node in file.source.nodes("import_specifier", "pair_pattern", "shorthand_property_identifier_pattern"):
        original: Node | None = node
        local: Node | None = node
        if node.type == "import_specifier":
            original = node.child_by_field_name("name")
            local = node.child_by_field_name("alias") or original
        elif node.type == "pair_pattern":
            original, local = node.child_by_field_name("key"), node.child_by_field_name("value")
        name = file.text(original)
        if file.framework == "cypress-cucumber-preprocessor" and name in _LOWER_CASE and name != "defineStep":
            name = name[:1].upper() + name[1:]
        if local is not None and name in CALLS:
            file.aliases[file.text(local)] = name


def _read_default_tags(file: ScriptFile) -> None:
    """Read `const { Given: GivenWeb } = createBdd(test, { tags: '@web' })` and `const web = createBdd(…)`."""
    for node in file.source.nodes("variable_declarator"):
        pattern, call = node.child_by_field_name("name"), node.child_by_field_name("value")
        if pattern is None or call is None or call.type != "call_expression":
            continue
        if file.text(call.child_by_field_name("function")) != "createBdd":
            continue
        tags = _tags_in(file, arguments_of(call)[-1:])
        for local in file.source.nodes(*_BOUND, within=pattern):
            name = local.child_by_field_name("value") if local.type == "pair_pattern" else local
            if tags and name is not None:
                file.tags[file.text(name)] = tags


_BOUND = ("identifier", "shorthand_property_identifier_pattern", "pair_pattern")


def _tags_in(file: ScriptFile, options: "list[Node]") -> str:
    """The tag expression of an object `{ tags: … }` (tsflow: `{ tag: … }`) among some arguments; empty if there is
    none."""
    stated = [entries_of(file, option).get(name) for option in options for name in ("tags", "tag")]
    values = [value_of(file, node) for node in stated if node is not None]
    return next((value.text for value in values if value is not None and not value.is_regex), "")


def _called(file: ScriptFile, call: "Node") -> str:
    """The name of the called function; for `this.Given` and `bdd.Given`, the last part."""
    function = call.child_by_field_name("function")
    if function is None:
        return ""
    if function.type == "member_expression":
        return file.text(function.child_by_field_name("property"))
    name = file.text(function)
    return file.aliases.get(name, name)


def _add(
    file: ScriptFile,
    argument: "Node",
    keyword: str,
    function: "Node | None",
    function_name: str,
    limits: tuple[Limit, ...] = (),
) -> None:
    if argument.type == "array":
        for element in children(argument):
            _add(file, element, keyword, function, function_name, limits)
        return
    value = value_of(file, argument)
    if value is None:
        file.collector.computed(argument)
        return
    kind = ExpressionKind.REGEX if value.is_regex else ExpressionKind.CUCUMBER
    in_scenario = file.framework in scenario_blocks.FRAMEWORKS
    is_old = file.framework == _FIRST_COUNTS and file.package.startswith(_FIRST_COUNTS)
    if in_scenario and not value.is_regex and not scenario_blocks.has_placeholder(value.text, file.framework):
        kind = ExpressionKind.LITERAL
    file.collector.add(
        value,
        kind,
        framework=file.framework,
        keyword=keyword,
        function=function,
        function_name=function_name,
        anchoring=Anchoring.SEARCH if value.is_regex else Anchoring.FULL,
        flags="i" if kind is ExpressionKind.LITERAL and file.framework == scenario_blocks.JEST else "",
        limits=limits,
        registry=_FIRST_COUNTS if is_old else "",
        takes_first=is_old,
    )


def _tags(
    file: ScriptFile, written: str, others: "list[Node]", *, around: str = "", is_decorator: bool = False
) -> tuple[Limit, ...]:
    """The tags of `Given('…', { tags: '@web' }, …)`, those that `createBdd` sets for the name or its owner, those of a
    class (`around`), and tsflow's `@given(/…/, '@p1')`."""
    stated = [file.tags.get(written, "") or file.tags.get(written.rpartition(".")[0], ""), around]
    for other in others:
        value = value_of(file, other) if is_decorator else None
        plain = value.text if value is not None and not value.is_regex else ""
        stated.append(_tags_in(file, [other]) or plain)
    tags = [tag for tag in stated if tag]
    return (Limit(tags=" and ".join(f"({tag})" for tag in tags) if len(tags) > 1 else tags[0]),) if tags else ()


def _read_call(file: ScriptFile, call: "Node") -> None:
    if call.parent is not None and call.parent.type == "decorator":
        return
    name = _called(file, call)
    arguments = arguments_of(call)
    if name == "defineParameterType" and arguments:
        _read_parameter_type(file, call, entries_of(file, arguments[0]))
        return
    if name == "Step" and arguments and (arguments[0].type == "this" or file.framework == _FIRST_COUNTS):
        return  # it calls a step: `Step(this, "…")`
    in_scenario = scenario_blocks.is_step(file.source, call, file.framework, name)
    if (name in CALLS or in_scenario) and len(arguments) > 1:
        _read_registration(file, call, arguments)


def _read_registration(file: ScriptFile, call: "Node", arguments: "list[Node]") -> None:
    last = arguments[-1]
    is_function = last.type in _FUNCTIONS
    name_node = last.child_by_field_name("name") if is_function else last
    function_name = file.text(name_node) if name_node is not None and name_node.type == "identifier" else ""
    written = file.text(call.child_by_field_name("function"))
    if file.framework in scenario_blocks.FRAMEWORKS:
        limits = scenario_blocks.limits_of(file.source, call, file.framework, partial(_plain, file))
    else:
        limits = _tags(file, written, arguments[1:-1])
    _add(file, arguments[0], written, last if is_function else None, function_name, limits)


def _plain(file: ScriptFile, node: "Node") -> str:
    """The text that an expression denotes, or the path that it loads; empty if the source does not tell."""
    if node.type == "identifier" and (constant := file.constants.get(file.text(node))) is not None:
        node = constant
    if node.type == "await_expression":
        node = next(children(node), node)
    if node.type == "call_expression" and _called(file, node).startswith("loadFeature"):
        arguments = arguments_of(node)
        return scenario_blocks.feature_path(value_of(file, arguments[0])) if arguments else ""
    value = value_of(file, node)
    return value.text if value is not None and not value.is_regex else ""


def _read_decorator(file: ScriptFile, decorator: "Node") -> None:
    call = next(children(decorator), None)
    if call is None or call.type != "call_expression" or _called(file, call) not in _DECORATORS:
        return
    arguments = arguments_of(call)
    method = decorator.next_named_sibling
    while method is not None and method.type in ("decorator", "comment"):
        method = method.next_named_sibling
    if arguments and method is not None and method.type == "method_definition":
        name = file.text(method.child_by_field_name("name"))
        written = file.text(call.child_by_field_name("function"))
        around = _class_tags(file, method)
        limits = _tags(file, written, arguments[1:2], around=around, is_decorator=True)
        _add(file, arguments[0], "@" + written, method, name, limits)


def _class_tags(file: ScriptFile, method: "Node") -> str:
    """The tags of `@Fixture<typeof test>({ name: 'page', tags: '@web' })` on the class (playwright-bdd)."""
    body = method.parent
    declared = body.parent if body is not None else None
    if declared is not None and declared.parent is not None and declared.parent.type == "export_statement":
        decorators = [*children(declared), *children(declared.parent)]
    else:
        decorators = list(children(declared)) if declared is not None else []
    for decorator in decorators:
        call = next(children(decorator), None) if decorator.type == "decorator" else None
        if call is not None and call.type == "call_expression" and _called(file, call) == "Fixture":
            return _tags_in(file, arguments_of(call))
    return ""


def _read_parameter_type(file: ScriptFile, call: "Node", entries: "dict[str, Node]") -> None:
    name = value_of(file, entries["name"]) if "name" in entries else None
    if name is None or "regexp" not in entries:
        return
    node = entries["regexp"]
    nodes = list(children(node)) if node.type == "array" else [node]
    values = [value_of(file, regexp) for regexp in nodes]
    written = "".join(file.text(regexp.child_by_field_name("flags")) for regexp in nodes if regexp.type == "regex")
    flags = written or "".join(value.flags for value in values if value is not None)
    add_cucumber_type(file.collector, name.text, values, "".join(flag for flag in flags if flag in "igm"), call)


def read(parsed: Source, language: str) -> Extraction:
    """The contents of a parsed JavaScript or TypeScript file."""
    file = ScriptFile(parsed, Collector(parsed, language))
    _read_names(file)
    if file.framework == scenario_blocks.VITEST:
        for name in scenario_blocks.VITEST_TYPES:
            file.collector.add_parameter_type(name, (), parsed.root)
    for node in parsed.nodes("call_expression", "new_expression", "decorator"):
        if node.type == "call_expression":
            _read_call(file, node)
        elif node.type == "decorator":
            _read_decorator(file, node)
        elif file.text(node.child_by_field_name("constructor")) == "ParameterType":
            arguments = arguments_of(node)
            if len(arguments) > 1:
                _read_parameter_type(file, node, {"name": arguments[0], "regexp": arguments[1]})
    return file.collector.extraction()


def constants_of(parsed: Source, names: Set[str]) -> list[Constant]:
    """The values of names in a parsed file: `const`s, entries of objects, members of enumerations."""
    file = ScriptFile(parsed, Collector(parsed, ""))
    _read_names(file)
    asked = [(name, "", file.constants.get(name)) for name in sorted(names)]
    asked += [(name, owner, entry_of(file, owner, name)) for owner in sorted(file.constants) for name in sorted(names)]
    constants = []
    for name, owner, node in asked:
        value = value_of(file, node) if node is not None else None
        if value is not None:
            constants.append(Constant(name, owner, parsed.path, value.text, value.is_regex, value.flags))
    return constants


def extract(path: str, source: bytes, names: ConstantNames | None = None) -> Extraction:
    return read(Source(path, source, "tree_sitter_javascript", names=names), LANGUAGE.id)


def constants(path: str, source: bytes, names: Set[str]) -> list[Constant]:
    return constants_of(Source(path, source, "tree_sitter_javascript"), names)


LANGUAGE = Language(
    id="javascript",
    name="JavaScript",
    regex=dialects.ECMASCRIPT,
    suffixes=(".js", ".mjs", ".cjs", ".jsx"),
    comments=C_LIKE,
    editor_ids=("javascript", "javascriptreact"),
    hint=HINT,
    extract=extract,
    constants=constants,
    takes_over=TAKES_OVER,
)
