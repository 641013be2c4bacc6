"""What a source of Python, JavaScript or TypeScript imports: in these a name of another file is there only where that
file is named. Paths are compared, nothing is looked up on disk.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from cukereuse_engine.glue.languages.base import Source

if TYPE_CHECKING:
    from tree_sitter import Node

BY_MODULE = frozenset(("javascript", "typescript", "python"))
"""Languages whose files are modules."""
_OF_FOLDER = frozenset(("index", "__init__"))
"""Files that stand for their folder."""
_SUFFIX = re.compile(r"\.(?:d\.ts|[cm]?[jt]sx?|py)$")
_NAMED = re.compile(
    r"^(?:identifier|dotted_name|namespace_import|property_identifier|"
    r"shorthand_property_identifier_pattern)$"
)


@dataclass(frozen=True, slots=True)
class Import:
    module: str
    """As it is written: `./pages`, `..pages`, `steps.pages`."""
    names: dict[str, str]
    """Local name to the name there; `*` for the module as a whole."""
    star: bool
    """It brings all names along."""
    exported: bool
    """JavaScript: the names go on to who imports this source."""


def imports_of(source: Source) -> list[Import]:
    """In the order of the source."""
    return list(_python(source) if source.path.endswith(".py") else _scripts(source))


def may_be(module: str, importing: str, path: str) -> bool:
    """Whether a module that the source at `importing` names is the one at `path`."""
    place = _module_of(path)
    if importing.endswith(".py"):
        parts = module.lstrip(".").split(".") if module.strip(".") else []
        dots = len(module) - len(module.lstrip("."))
        if dots:
            folder = PurePath(_absolute(importing)).parent
            base = folder.parents[dots - 2] if 1 < dots <= len(folder.parents) + 1 else folder
            return base.joinpath(*parts) == place
        return bool(parts) and list(place.parts[-len(parts) :]) == parts
    module = _SUFFIX.sub("", module)
    if module.startswith("."):
        named = os.path.normpath(os.path.join(os.path.dirname(_absolute(importing)), module))  # noqa: PTH118, PTH120
        return _module_of(named) == place
    last = [part for part in module.split("/") if part not in _OF_FOLDER]
    return bool(last) and last[-1] == place.name


def _module_of(path: str) -> PurePath:
    """Without its suffix; a folder for a file that stands for it."""
    pure = PurePath(_SUFFIX.sub("", _absolute(path)))
    return pure.parent if pure.name in _OF_FOLDER else pure


def _absolute(path: str) -> str:
    return os.path.abspath(path)  # noqa: PTH100


def _python(source: Source) -> Iterator[Import]:
    for node in source.nodes("import_from_statement", "import_statement"):
        module = node.child_by_field_name("module_name")
        star = any(child.type == "wildcard_import" for child in node.children)
        names: dict[str, str] = {}
        for child in node.children_by_field_name("name"):
            name = child.child_by_field_name("name") or child
            alias = child.child_by_field_name("alias") or name
            local = source.text(alias)
            if module is None:
                yield Import(source.text(name), {local: "*"}, star=False, exported=False)
            else:
                names[local] = source.text(name)
        if module is not None:
            written = source.text(module)
            yield Import(written, names, star=star, exported=True)
            for local, there in names.items():  # a module itself, maybe
                yield Import(
                    f"{written}{there}" if written.endswith(".") else f"{written}.{there}", {local: "*"}, False, False
                )


def _scripts(source: Source) -> Iterator[Import]:
    for node in source.nodes("import_statement", "export_statement"):
        module = node.child_by_field_name("source")
        if module is not None:
            exported = node.type == "export_statement"
            star = exported and "*" in {child.type for child in node.children} | {
                child.type for one in node.named_children for child in one.children
            }
            yield Import(_said(source, module), _specified(source, node), star=star, exported=exported)
    for call in source.nodes("call_expression"):
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or arguments is None or source.text(function) not in ("require", "import"):
            continue
        first = next((one for one in arguments.named_children if "string" in one.type), None)
        if first is None:
            continue
        names, star = _bound(source, call)
        yield Import(_said(source, first), names, star=star, exported=star)


def _said(source: Source, node: "Node") -> str:
    return source.text(node).strip("\"'`")


def _specified(source: Source, node: "Node") -> dict[str, str]:
    names: dict[str, str] = {}
    for specifier in _below(node):
        if specifier.type in ("import_specifier", "export_specifier"):
            name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
            if name is not None:
                names[source.text(alias or name)] = source.text(name)
        elif specifier.type in ("namespace_import", "namespace_export"):
            names[source.text(specifier.named_children[-1])] = "*"
        elif (
            specifier.type == "identifier" and specifier.parent is not None and specifier.parent.type == "import_clause"
        ):
            names[source.text(specifier)] = "default"
    return names


def _bound(source: Source, call: "Node") -> tuple[dict[str, str], bool]:
    """The names that a `require` gives, and whether its value goes on as a whole."""
    above = call.parent
    while above is not None and above.type in ("await_expression", "as_expression", "parenthesized_expression"):
        above = above.parent
    if above is None or above.type != "variable_declarator":
        return {}, above is not None and above.type in ("assignment_expression", "spread_element", "arguments")
    name = above.child_by_field_name("name")
    if name is None or name.type == "identifier":
        return ({source.text(name): "*"} if name is not None else {}), False
    names: dict[str, str] = {}
    for one in name.named_children:
        if one.type == "shorthand_property_identifier_pattern":
            names[source.text(one)] = source.text(one)
        elif one.type == "pair_pattern":
            key, value = one.child_by_field_name("key"), one.child_by_field_name("value")
            if key is not None and value is not None:
                names[source.text(value)] = source.text(key)
    return names, False


def _below(node: "Node") -> "Iterator[Node]":
    for child in node.named_children:
        yield child
        yield from _below(child)
