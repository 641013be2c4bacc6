"""A file of its own for a new definition: its name, what must stand around the definition there, and what makes the
runner load it.

All of it as the model's file has it: package or namespace, imports, class, the function that registers. Where that
can't be told there is no such file.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.behat import CONFIGURATIONS
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.creation.code import Code, head_line
from cukereuse_engine.refactor.edits import ChangedFileError, source_text, span_edit
from cukereuse_engine.refactor.rename_plan import FileEdits

Read = Callable[[str], bytes]

_SUFFIX = re.compile(r"(?<=\w)(?:[_.-]steps?|Steps?)(?:\.\w+)+$")
"""What a suite may add to the names of all its files, where a file needs no class."""
_CLASS = re.compile(
    r"^[ \t]*(?:(?:public|final|open|internal|sealed|partial|abstract|static|data)[ \t]+)*class[ \t]+(\w+)([^{\n]*)",
    re.MULTILINE,
)
_CLASS_SUFFIX = re.compile(r"(?:Step(?:s|Defs?|Definitions?)?|Context|Bindings?|Glue)\Z")
_SCRIPT_IMPORT = re.compile(r"(?:from|import|const|let|var)\b")
_ENGLISH = ("Given", "When", "Then", "And", "But")
_MODULES = ("mod.rs", "lib.rs", "main.rs")
_UP = 6
"""Folders above a context in which Behat's configuration is looked for."""


class NoNewFileError(CukereuseError):
    """A runner would not load it, or not without more than can be written."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a definition in a file of its own."""

    begin: str
    """The file's first lines, imports among them; may be empty."""
    end: str = ""
    gap: str = "\n\n"
    """Between the beginning and the definition."""

    def whole(self, code: Code) -> str:
        apart = f"\n{code.apart}\n" if code.apart else ""
        return f"{self.begin}{self.gap if self.begin else ''}{code.text}\n{self.end}{apart}"


def new_file_for(model: StepDefinition, feature: str, read: Read) -> str:
    """Where a file of its own would stand, beside the model's and named after a feature's file; empty where
    `frame_of` or `registrations` know none."""
    try:
        path = _path_for(model, feature)
        text = source_text(read(model.path), model.path)
        frame_of(model, text, path, "Given")
        registrations(model, text, path, read)
    except (NoNewFileError, ChangedFileError, OSError):
        return ""
    return path


def frame_of(model: StepDefinition, text: str, path: str, keyword: str) -> Frame:
    """`text`: of the model's file. `keyword`: "Given", "When" or "Then", as the definition is registered. Raises
    `NoNewFileError`."""
    if model.language not in _FRAMES:
        raise NoNewFileError(f"no file of {model.language} is written")
    return _FRAMES[model.language](_Asked(model, text, path, keyword))


def registrations(model: StepDefinition, text: str, path: str, read: Read) -> tuple[FileEdits, ...]:
    """Edits of other files without which the runner would not load the new one. Raises `NoNewFileError`."""
    return tuple(_REGISTRATIONS[model.language](model, text, path, read)) if model.language in _REGISTRATIONS else ()


# -- names


def _path_for(model: StepDefinition, feature: str) -> str:
    path = Path(model.path)
    words = re.findall(r"\w+", Path(feature).name.partition(".")[0]) or ["steps"]
    if model.language in ("java", "kotlin", "csharp", "php"):
        return str(path.with_name(f"{_class_name(words, _class_of(model, None), model.language)}{path.suffix}"))
    stem = "_".join(words)
    usual = _SUFFIX.search(path.name)
    if model.language == "go":
        steps = "_steps" if re.search(r"_steps?(?:_test)?\.go$", path.name) else ""
        tail = "_test.go" if path.name.endswith("_test.go") else ".go"
        return str(path.with_name(f"{stem}{steps}{tail}"))
    if model.language == "rust":
        stem = f"{stem.lower()}{'_steps' if path.stem.endswith('_steps') else ''}"
        return str(path.with_name(f"{stem}.rs"))
    return str(path.with_name(f"{stem}{usual.group() if usual is not None else path.suffix}"))


def _pascal(words: list[str]) -> str:
    return "".join(part[:1].upper() + part[1:] for word in words for part in word.split("_"))


def _class_name(words: list[str], neighbour: str, language: str) -> str:
    suffix = _CLASS_SUFFIX.search(neighbour)
    name = _pascal(words)
    name = name if not name[:1].isdigit() else f"Feature{name}"
    return f"{name}{suffix.group() if suffix is not None else 'Context' if language == 'php' else 'Steps'}"


def _class_of(model: StepDefinition, text: str | None) -> str:
    """The class that the model stands in; without its text, what its file is named after."""
    enclosing = _enclosing_class(model, text) if text is not None else None
    return enclosing.group(1) if enclosing is not None else Path(model.path).stem


def _enclosing_class(model: StepDefinition, text: str) -> re.Match[str] | None:
    at = len(text.encode("utf-8", "surrogatepass")[: model.literal.start_byte].decode("utf-8", "surrogatepass"))
    classes = [match for match in _CLASS.finditer(text) if match.start() < at]
    return classes[-1] if classes else None


# -- frames, by language


@dataclass(frozen=True, slots=True)
class _Asked:
    model: StepDefinition
    text: str
    path: str
    keyword: str

    @property
    def name(self) -> str:
        """Of the class."""
        return Path(self.path).stem

    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.text.splitlines()]

    def head(self) -> str:
        """The line on which the model is registered."""
        return head_line(self.model, split_lines(self.text)[0])

    def indent(self) -> str:
        head = self.head()
        return head[: len(head) - len(head.lstrip())]

    def enclosing(self) -> re.Match[str]:
        enclosing_class = _enclosing_class(self.model, self.text)
        if enclosing_class is None:
            raise NoNewFileError(f"it is unclear which class of {self.model.path} contains the step definitions")
        return enclosing_class


def _script(asked: _Asked) -> Frame:
    """Where the registering functions come from, as the model's file has that."""
    model = asked.model
    if model.framework == "cucumber-ruby":
        return Frame("")
    plain = model.framework != "behave" or model.kind in (ExpressionKind.PARSE, ExpressionKind.LITERAL)
    if model.framework not in ("behave", "cucumber-js") or not plain:
        raise NoNewFileError(f"{model.framework} loads a file only where it is named")
    package = "behave" if model.framework == "behave" else "@cucumber/cucumber"
    lines = [line for line in asked.lines() if package in line and _SCRIPT_IMPORT.match(line)]
    if not lines:
        raise NoNewFileError(f"it is unclear how {model.path} imports {package}")
    if lines[0].startswith("from behave import"):
        return Frame(f"from behave import {asked.keyword.lower()}", gap="\n\n\n")
    return Frame("\n".join(lines), gap="\n\n\n" if model.language == "python" else "\n\n")


def _jvm(asked: _Asked) -> Frame:
    """A class of the model's package: Cucumber finds it there."""
    is_java = asked.model.language == "java"
    package = [line for line in asked.lines() if re.match(r"package\s+[\w.]+", line)][:1]
    annotation = re.match(r"\s*@(?:[\w.]+\.)?(\w+)", asked.head())
    base = re.search(r"\bimplements\s+(\w+)" if is_java else r":\s*(\w+)", asked.enclosing().group(2))
    opening, closing = [f"{'public ' if is_java else ''}class {asked.name} {{"], ["}"]
    if annotation is not None:
        imported = annotation.group(1)
        wanted = asked.keyword if imported in _ENGLISH else imported
    elif base is not None:
        imported = wanted = base.group(1)
        half = asked.indent()[: len(asked.indent()) // 2]
        kind = f"implements {wanted}" if is_java else f": {wanted}"
        inner = f"public {asked.name}()" if is_java else "init"
        opening = [f"{opening[0].removesuffix('{')}{kind} {{", f"{half}{inner} {{"]
        closing = [f"{half}}}", *closing]
    else:
        raise NoNewFileError(f"it is unclear how {asked.model.path} registers its step definitions")
    cucumber = re.compile(rf"import\s+((?:io\.cucumber|cucumber\.api)[\w.]*)\.(?:{imported}|\*)\s*;?$")
    matches = [match for line in asked.lines() if (match := cucumber.match(line)) is not None]
    imports = [f"import {match.group(1)}.{wanted}{';' if is_java else ''}" for match in matches[:1]]
    parts = ["\n".join(part) for part in (package, imports, opening) if part]
    return Frame("\n\n".join(parts), "\n".join(closing) + "\n", gap="\n")


def _csharp(asked: _Asked) -> Frame:
    """A class with `[Binding]` in the model's namespace."""
    usings = [line for line in asked.lines() if re.match(r"\s*using\s+(?:Reqnroll|TechTalk\.SpecFlow)[\w.]*;", line)]
    namespace = re.search(r"^[ \t]*namespace\s+([\w.]+)\s*(;|\{)", asked.text, re.MULTILINE)
    line = asked.enclosing().group(0)
    outer = line[: len(line) - len(line.lstrip())]
    declared = [f"{outer}[Binding]", f"{outer}public class {asked.name}", f"{outer}{{"]
    before = "\n".join(each.strip() for each in usings)
    before += "\n\n" if before else ""
    end = f"{outer}}}\n"
    if namespace is not None and namespace.group(2) == "{":
        before += f"namespace {namespace.group(1)}\n{{\n"
        end += "}\n"
    elif namespace is not None:
        before += f"namespace {namespace.group(1)};\n\n"
    return Frame(before + "\n".join(declared), end, gap="\n")


def _php(asked: _Asked) -> Frame:
    """A context of the model's namespace."""
    text = asked.text
    strict = re.search(r"^declare\(\s*strict_types\s*=\s*1\s*\);", text, re.MULTILINE)
    namespace = re.search(r"^namespace\s+[\w\\]+\s*;", text, re.MULTILINE)
    attribute = re.search(r"^use\s+Behat\\Step\\\w+\s*;", text, re.MULTILINE)
    uses = ["use Behat\\Behat\\Context\\Context;"]
    uses += [f"use Behat\\Step\\{asked.keyword};"] if attribute is not None else []
    opening = f"class {asked.name} implements Context\n{{"
    first = [match.group(0) for match in (strict, namespace) if match is not None]
    return Frame("\n\n".join(["<?php", *first, "\n".join(uses), opening]), "}\n", gap="\n")


def _go(asked: _Asked) -> Frame:
    """A function of the model's package that registers; the model's calls it."""
    package = re.search(r"^package\s+\w+", asked.text, re.MULTILINE)
    imported = re.search(r'^[ \t]*(?:import\s+)?("github\.com/cucumber/godog[^"]*")', asked.text, re.MULTILINE)
    name, kind = _receiver(asked.model, asked.text)
    if package is None or imported is None:
        raise NoNewFileError(f"it is unclear how {asked.model.path} imports godog")
    function = f"func {_registering(asked.path)}({name} *godog.{kind}) {{"
    return Frame(f"{package.group(0)}\n\nimport {imported.group(1)}\n\n{function}", "}\n", gap="\n")


def _receiver(model: StepDefinition, text: str) -> tuple[str, str]:
    """The variable that the model is registered with, and its type in godog."""
    head = re.match(r"\s*(\w+)\.(?:Step|Given|When|Then)\(", head_line(model, split_lines(text)[0]))
    kind = re.search(rf"\b{head.group(1)}\s+\*godog\.(ScenarioContext|Suite)\b", text) if head is not None else None
    if head is None or kind is None:
        raise NoNewFileError(f"it is unclear how {model.path} registers its step definitions")
    return head.group(1), kind.group(1)


def _registering(path: str) -> str:
    return f"register{_pascal([re.sub(r'(?:_steps?)?(?:_test)?$', '', Path(path).stem)])}Steps"


def _rust(asked: _Asked) -> Frame:
    """A module beside the model's; attributes register by themselves."""
    world = re.search(r"&mut\s+(\w+)", asked.text)
    own = [line for line in asked.lines() if re.match(r"use\s", line)]
    needed = [line for line in own if world is not None and re.search(rf"\b{world.group(1)}\b", line)][:1]
    if not needed or not needed[0].endswith(";") or "cucumber::{" in needed[0]:
        raise NoNewFileError(f"it is unclear where {asked.model.path} gets its world from")
    return Frame("\n".join([f"use cucumber::{asked.keyword.lower()};", needed[0]]))


_FRAMES: dict[str, Callable[[_Asked], Frame]] = {
    "python": _script,
    "ruby": _script,
    "javascript": _script,
    "typescript": _script,
    "java": _jvm,
    "kotlin": _jvm,
    "csharp": _csharp,
    "php": _php,
    "go": _go,
    "rust": _rust,
}


# -- registrations, by language


def _in_configuration(model: StepDefinition, text: str, path: str, read: Read) -> Iterator[FileEdits]:
    """Behat loads the contexts that its configuration lists: the new one stands before the model's, wherever that
    does."""
    namespace = re.search(r"^namespace\s+([\w\\]+)\s*;", text, re.MULTILINE)
    prefix = f"{namespace.group(1)}\\" if namespace is not None else ""
    old = re.escape(prefix + _class_of(model, text)).replace(r"\\", r"\\{1,2}")
    listed = re.compile(rf"^([ \t]*-[ \t]+)(['\"]?)\\?{old}(['\"]?)[ \t]*:?[ \t]*$", re.MULTILINE)
    for configuration in _behat_configurations(Path(model.path)):
        try:
            data = read(str(configuration))
            source = source_text(data)
        except (ChangedFileError, OSError):
            continue
        edits = []
        for match in listed.finditer(source):
            name = f"{prefix}{Path(path).stem}"
            name = name.replace("\\", "\\\\") if match.group(2) == '"' else name
            edits.append(
                span_edit(
                    source, match.start(), match.start(), f"{match[1]}{match[2]}{name}{match[2]}{_ending(source)}"
                )
            )
        if edits:
            yield FileEdits(str(configuration), content_hash(data), tuple(edits), is_glue=False, encoding="utf-8")
            return
    raise NoNewFileError(f"no behat.yml lists {prefix}{_class_of(model, text)}, and Behat loads only what is listed")


def _behat_configurations(path: Path) -> Iterator[Path]:
    for folder in list(path.parents)[:_UP]:
        for name in CONFIGURATIONS:
            yield folder / name


def _in_initializer(model: StepDefinition, text: str, path: str, read: Read) -> Iterator[FileEdits]:
    """godog knows what a function registers: the one that registers the model calls the new one."""
    name, _ = _receiver(model, text)
    head = head_line(model, split_lines(text)[0])
    indent = head[: len(head) - len(head.lstrip())]
    at = text.index(head)
    edit = span_edit(text, at, at, f"{indent}{_registering(path)}({name}){_ending(text)}")
    yield FileEdits(model.path, content_hash(read(model.path)), (edit,), is_glue=True, encoding="utf-8")


def _in_module(model: StepDefinition, text: str, path: str, read: Read) -> Iterator[FileEdits]:
    """Rust compiles the files that a module names."""
    del text
    own = Path(model.path)
    declared = re.compile(rf"^([ \t]*(?:pub(?:\([\w ]+\))?[ \t]+)?mod[ \t]+){own.stem}[ \t]*;", re.MULTILINE)
    for candidate in (*(own.with_name(name) for name in _MODULES), own.parent.with_suffix(".rs")):
        try:
            data = read(str(candidate))
            around = source_text(data)
        except (ChangedFileError, OSError):
            continue
        if (match := declared.search(around)) is not None:
            new = f"{match.group(1)}{Path(path).stem};{_ending(around)}"
            edit = span_edit(around, match.start(), match.start(), new)
            yield FileEdits(str(candidate), content_hash(data), (edit,), is_glue=True, encoding="utf-8")
            return
    raise NoNewFileError(f"it is unclear which module {model.path} belongs to")


def _ending(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


_REGISTRATIONS: dict[str, Callable[[StepDefinition, str, str, Read], Iterator[FileEdits]]] = {
    "php": _in_configuration,
    "go": _in_initializer,
    "rust": _in_module,
}
