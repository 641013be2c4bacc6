"""What a module tells pytest: the features that it runs, and the modules whose step definitions it imports."""

import posixpath
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from cukereuse_engine.glue.definition import FeatureRun, PythonModule
from cukereuse_engine.glue.languages.python_values import FRAMEWORKS, PythonFile, arguments_of, called_name, value_of
from cukereuse_engine.glue.languages.source import children
from cukereuse_engine.glue.pytest_modules import ANY, HERE

if TYPE_CHECKING:
    from tree_sitter import Node

_PACKAGE = "pytest_bdd"
_PLUGINS = "pytest_plugins"
_KEPT = frozenset({"str", "abspath", "realpath", "normpath", "resolve", "absolute", "as_posix", "fspath"})
"""Functions and methods that return the same path."""
_MOST_STEPS = 10


def module_of(file: PythonFile, *, defines: bool) -> PythonModule | None:
    """The module's part in what pytest-bdd runs; None if it has none. `defines`: it contains step definitions."""
    runs = tuple(run for call in file.source.nodes("call") for run in _runs(file, call))
    imports = tuple(module for module in file.wildcards if module.split(".")[0] not in FRAMEWORKS)
    plugins = _plugins(file)
    if not (runs or imports or plugins or (defines and file.imports(_PACKAGE))):
        return None
    return PythonModule(imports, plugins, runs)


def _plugins(file: PythonFile) -> tuple[str, ...]:
    """The modules in `pytest_plugins`, even if it is assigned under a condition; `ANY` for a name that is computed,
    added or imported."""
    if _PLUGINS.encode() not in file.source.source:
        return ()
    times = sum(file.text(name) == _PLUGINS for name in file.source.nodes("identifier"))
    assigned = file.source.nodes("assignment", "augmented_assignment")
    sides = [(node.child_by_field_name("left"), node.child_by_field_name("right")) for node in assigned]
    stated = [right for left, right in sides if left is not None and right is not None and file.text(left) == _PLUGINS]
    lists = ("list", "tuple", "set")
    nodes = [node for right in stated for node in (children(right) if right.type in lists else (right,))]
    values = [value_of(file, node) for node in nodes]
    plugins = [value.text if value is not None else ANY for value in values]
    return tuple(dict.fromkeys([*plugins, ANY] if times > len(stated) else plugins))


def _runs(file: PythonFile, call: "Node") -> list[FeatureRun]:
    """The runs of `scenarios("features")`, `scenario("a.feature", "title")`, and names for `partial(scenario, …)`."""
    written, positional, named = _with_bound(file, call)
    root, _, attribute = written.partition(".")
    module, original = file.names.get(root, (_PACKAGE if _PACKAGE in file.wildcards else "", root))
    if module.split(".")[0] != _PACKAGE:
        return []
    base = path_of(file, named["features_base_dir"]) if "features_base_dir" in named else ""
    name = attribute.split(".")[-1] or original
    if name == "scenarios":
        return [FeatureRun(_below(base, path_of(file, place))) for place in positional]
    if name != "scenario":
        return []
    feature = positional[0] if positional else named.get("feature_name")
    title = positional[1] if len(positional) > 1 else named.get("scenario_name")
    if feature is None or title is None:
        return []
    value = value_of(file, title)
    return [FeatureRun(_below(base, path_of(file, feature)), value.text if value is not None else "")]


def _with_bound(file: PythonFile, call: "Node") -> "tuple[str, list[Node], dict[str, Node]]":
    """What is called, and its arguments, with those that a `partial` binds already."""
    written = called_name(file, call)
    positional, named = arguments_of(call)
    constant = file.constants.get(written)
    if constant is None or constant.type != "call" or called_name(file, constant).split(".")[-1] != "partial":
        return written, positional, named
    bound, by_name = arguments_of(constant)
    return file.text(bound[0]) if bound else "", [*bound[1:], *positional], {**by_name, **named}


def _below(base: str, place: str) -> str:
    """The place below a base folder. A relative `features_base_dir` does not tell its folder."""
    if not base or place.startswith(("/", HERE, ANY)):
        return place
    return posixpath.join(base if base.startswith(("/", HERE, ANY)) else f"{ANY}/{base}", place)


def path_of(file: PythonFile, node: "Node", depth: int = 0) -> str:
    """A path, with `HERE` for the module's own folder and `ANY` for each part that the source does not tell."""
    if depth > _MOST_STEPS:
        return ANY
    value = value_of(file, node)
    if value is not None:
        return value.text
    read = _PATHS.get(node.type)
    return read(file, node, depth) if read is not None else ANY


def _named(file: PythonFile, node: "Node", depth: int) -> str:
    if file.text(node) == "__file__":
        return f"{HERE}/{file.source.path.replace(chr(92), '/').rpartition('/')[2]}"
    constant = file.constants.get(file.text(node))
    return path_of(file, constant, depth + 1) if constant is not None else ANY


def _inner(file: PythonFile, node: "Node", depth: int) -> str:
    inner = list(children(node))
    return path_of(file, inner[0], depth + 1) if len(inner) == 1 else ANY


def _interpolated(file: PythonFile, node: "Node", depth: int) -> str:
    parts = [
        file.text(child) if child.type == "string_content" else path_of(file, next(children(child), child), depth + 1)
        for child in children(node)
        if child.type in ("string_content", "interpolation")
    ]
    return "".join(parts)


def _joined(file: PythonFile, node: "Node", depth: int) -> str:
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    parts = [path_of(file, side, depth + 1) if side is not None else ANY for side in sides]
    operator = node.child_by_field_name("operator")
    return posixpath.join(*parts) if operator is not None and operator.type == "/" else "".join(parts)


def _above(file: PythonFile, node: "Node", depth: int) -> str:
    """The folder of `path.parent` and `path.parents[1]`."""
    times = 1
    if node.type == "subscript":
        index, value = node.child_by_field_name("subscript"), node.child_by_field_name("value")
        if index is None or value is None or index.type != "integer" or len(file.text(index)) > 1:
            return ANY
        node, times = value, int(file.text(index)) + 1
    owner, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if owner is None or name is None or file.text(name) not in ("parent", "parents"):
        return ANY
    return _folder(path_of(file, owner, depth + 1), times)


def _folder(path: str, times: int = 1) -> str:
    for _ in range(times):
        path = f"{path}/.." if path == HERE or path.endswith("/..") else posixpath.dirname(path) or ANY
    return path


def _called(file: PythonFile, call: "Node", depth: int) -> str:
    name = called_name(file, call).split(".")[-1]
    positional, _ = arguments_of(call)
    function = call.child_by_field_name("function")
    owner = function.child_by_field_name("object") if function is not None and function.type == "attribute" else None
    is_method = owner is not None and file.text(owner) not in file.names and file.text(owner) != "os.path"
    parts = [path_of(file, part, depth + 1) for part in ([owner] if is_method and owner else []) + positional]
    if name == "dirname" and len(parts) == 1:
        return _folder(parts[0])
    if name in ("join", "Path", "PurePath", "joinpath") and parts:
        return posixpath.join(*parts)
    return parts[0] if name in _KEPT and parts else ANY


_PATHS: "Mapping[str, Callable[[PythonFile, Node, int], str]]" = {
    "identifier": _named,
    "parenthesized_expression": _inner,
    "await": _inner,
    "string": _interpolated,
    "binary_operator": _joined,
    "attribute": _above,
    "subscript": _above,
    "call": _called,
}
