"""The house as a stranger finds it: no circle of files and folders, no name for two things, nothing too long or too
complex, nothing unused."""

import ast
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from radon.complexity import cc_visit
from radon.visitors import Function

pytestmark = pytest.mark.heavy(seconds=5)

ROOT = Path(__file__).parents[1]
PACKAGES = {"cukereuse_engine": ROOT, "cukereuse_server": ROOT / "server", "corpus_tools": ROOT}
WIRE = ("cukereuse_engine.report.document", "cukereuse_server.protocol.")
"""Modules whose classes are written or sent, and named as others elsewhere."""
LONGEST_FILE, LONGEST_FUNCTION = 400, 50
MOST_COMPLEX = 15
"""By radon's count of branches, which includes boolean operators and comprehensions."""
WORDS = re.compile(r"\w+")


@dataclass
class Module:
    lines: int
    imported: set[str] = field(default_factory=set)
    """Imported modules, also inside functions, and for types alone."""
    classes: list[str] = field(default_factory=list)
    defined: list[str] = field(default_factory=list)
    """Names defined at the top, without a decorator that may register them."""
    named: Counter[str] = field(default_factory=Counter)
    long: list[str] = field(default_factory=list)


def read(path: Path) -> Module:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    module = Module(text.count("\n"))
    top = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    module.classes = [node.name for node in top if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    module.defined = [node.name for node in top if not node.decorator_list and not node.name.startswith("__")]
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                module.imported |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                module.imported |= {f"{node.module}.{alias.name}" for alias in node.names}
            case ast.Name():
                module.named[node.id] += 1
            case ast.Attribute():
                module.named[node.attr] += 1
            case ast.Constant(value=str(value)) if len(value) < 200:
                module.named.update(WORDS.findall(value))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
                if (node.end_lineno or 0) - first.lineno >= LONGEST_FUNCTION:
                    module.long.append(node.name)
    return module


@pytest.fixture(scope="module")
def modules() -> dict[str, Module]:
    """Modules by name."""
    modules = {}
    for package, folder in PACKAGES.items():
        for path in (folder / package).rglob("*.py"):
            name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
            modules[name] = read(path)
    assert len(modules) > 700
    return modules


def test_nothing_in_a_folder_imports_its_way_back_to_itself(modules: dict[str, Module]) -> None:
    """Neither a file nor a folder with its contents: so no two folders import each other, at any depth."""
    graphs = defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set))
    for name, module in modules.items():
        targets = {target if target in modules else target.rpartition(".")[0] for target in module.imported}
        for target in targets & modules.keys() - {name}:
            folder, importer, imported = where_parted(file_of(name, modules), file_of(target, modules))
            graphs[folder][importer].add(imported)
    assert sum(len(targets) for graph in graphs.values() for targets in graph.values()) > len(modules)
    for folder, graph in graphs.items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            pytest.fail(f"{folder}: {' <- '.join(error.args[1])}")


def file_of(name: str, modules: dict[str, Module]) -> list[str]:
    is_folder = any(other.startswith(f"{name}.") for other in modules)
    return [*name.split("."), *(["__init__"] if is_folder else [])]


def where_parted(file: list[str], other: list[str]) -> tuple[str, str, str]:
    """The deepest common folder of two files, and the file or folder of each in it."""
    depth = next(at for at, (part, of_other) in enumerate(zip(file, other, strict=False)) if part != of_other)
    return ".".join(file[:depth]), file[depth], other[depth]


def test_a_class_name_means_one_thing(modules: dict[str, Module]) -> None:
    homes = defaultdict(list)
    for home, module in modules.items():
        for name in module.classes if not home.startswith(WIRE) else ():
            homes[name].append(home)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_no_file_or_function_is_too_long(modules: dict[str, Module]) -> None:
    assert [name for name, module in modules.items() if module.lines > LONGEST_FILE] == []
    assert [f"{name}.{function}" for name, module in modules.items() for function in module.long] == []


def test_no_function_is_too_complex() -> None:
    sources = {
        path: path.read_text("utf-8")
        for package, folder in PACKAGES.items()
        for path in (folder / package).rglob("*.py")
    }
    functions = [
        (path.name, block.fullname, block.complexity)
        for path, source in sources.items()
        for block in cc_visit(source)
        if isinstance(block, Function)
    ]
    assert len(functions) > 5_000
    assert [function for function in functions if function[2] > MOST_COMPLEX] == []


def test_nothing_is_there_for_tests_alone(modules: dict[str, Module]) -> None:
    """The packages, or the scripts for the editors' files, use each definition of a module."""
    named = sum((module.named for module in modules.values()), Counter())
    scripts = [*(ROOT / "editors/vscode/scripts").glob("*.py"), ROOT / "pyproject.toml"]
    outside = {word for script in scripts for word in WORDS.findall(script.read_text("utf-8"))}
    unused = [f"{home}.{name}" for home, module in modules.items() for name in module.defined if not named[name]]
    assert [name for name in unused if name.rpartition(".")[2] not in outside] == []
