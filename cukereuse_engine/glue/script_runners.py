"""WebdriverIO's and CodeceptJS' configurations: which step definitions each loads, for which feature files.

Reads the literals of `wdio.conf.ts`, `codecept.conf.js` and similar files. Nothing is executed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cukereuse_engine.glue.configuration import is_plain
from cukereuse_engine.glue.languages.javascript_values import ScriptFile, arguments_of, entries_of
from cukereuse_engine.glue.profiles import Profile, absolute
from cukereuse_engine.glue.profiles_js import exported, meant, parsed_script, texts_of
from cukereuse_engine.glue.sources import is_project_folder

if TYPE_CHECKING:
    from tree_sitter import Node

FRAMEWORKS = frozenset({"cucumber-js"})
_SUFFIXES = ("js", "ts", "cjs", "mjs", "cts", "mts")
WEBDRIVERIO = tuple(
    f"{folder}wdio.{name}conf.{suffix}"
    for folder in ("", "config/")
    for name in ("", "shared.", "base.")
    for suffix in _SUFFIXES
)
CODECEPT = (
    *(f"codecept.{name}.{suffix}" for suffix in _SUFFIXES for name in ("config", "conf")),
    "codecept.js",
    "codecept.json",
)
"""Where CodeceptJS looks (lib/config.js)."""
CONFIGURATIONS = (*WEBDRIVERIO, *CODECEPT)
_MOST_OBJECTS = 20


def read_webdriverio(configuration: Path) -> tuple[Profile, ...]:
    """A profile for each configuration in a folder that names step definitions; one without specs gets those of the
    configurations that name none. Specs are relative to the file, required paths also to the project. Never raises."""
    folder = configuration.parent
    start = next((each for each in (folder, *folder.parents) if is_project_folder(str(each))), folder)
    files = sorted(path for path in folder.glob("wdio*.conf.*") if path.suffix[1:] in _SUFFIXES)
    configured = [(path.name, *_webdriverio(path)) for path in files]
    others = tuple(spec for _, loads, specs in configured if not loads for spec in absolute(folder, specs))
    profiles = []
    for name, loads, specs in configured:
        places = {place for base in (folder, start) for place in absolute(base, loads)}
        if places:
            profiles.append(Profile(name, tuple(sorted(places)), absolute(folder, specs) or others))
    return tuple(profiles)


def _webdriverio(path: Path) -> tuple[list[str], list[str]]:
    """The required paths of a configuration, and its specs."""
    loads: list[str] = []
    specs: list[str] = []
    for file, settings in _settings(path):
        options = settings.get("cucumberOpts")
        for name, value in _entries(file, options) if options is not None else ():
            loads += texts_of(file, value) if name in ("require", "import") else []
        if "specs" in settings:
            specs += _nested_texts(file, settings["specs"])
        for _, value in _entries(file, settings["suites"]) if "suites" in settings else ():
            specs += _nested_texts(file, value)
    return [path for path in loads if path], [path for path in specs if path]


def read_codecept(configuration: Path) -> tuple[Profile, ...]:
    """CodeceptJS takes the definition in the file that is loaded first (lib/interfaces/bdd.js). Never raises."""
    loads: list[str] = []
    features: list[str] = []
    if configuration.suffix == ".json":
        loads, features = _json(configuration)
    for file, settings in _settings(configuration) if configuration.suffix != ".json" else ():
        for name, value in _entries(file, settings["gherkin"]) if "gherkin" in settings else ():
            loads += texts_of(file, value) if name == "steps" else []
            features += texts_of(file, value) if name == "features" else []
    folder = configuration.parent
    places = [f"{place}{end}" for place in absolute(folder, loads) for end in ("", ".js", ".ts")]
    if not places:
        return ()
    return (Profile(configuration.name, tuple(places), absolute(folder, features), takes_first=True),)


def _json(path: Path) -> tuple[list[str], list[str]]:
    """The steps and features of `codecept.json`."""
    try:
        document = json.loads(_text(path) or "{}")
    except (ValueError, RecursionError):
        return [], []
    gherkin = document.get("gherkin") if isinstance(document, dict) else None
    stated = [gherkin.get(key) if isinstance(gherkin, dict) else None for key in ("steps", "features")]
    lists = [item if isinstance(item, list) else [item] for item in stated]
    steps, features = ([text for text in each if isinstance(text, str)] for each in lists)
    return steps, features


def _settings(path: Path) -> "Iterator[tuple[ScriptFile, dict[str, Node]]]":
    """The entries of each object that a program exports, or adds to its export."""
    try:
        file = parsed_script(_text(path), typed=path.suffix.endswith("ts"))
    except ValueError:
        return
    for _, node in exported(file):
        for object_ in _objects(file, node):
            yield file, entries_of(file, object_)
    for assignment in file.source.nodes("assignment_expression"):
        target, value = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
        names = file.text(target).split(".")
        if value is None or len(names) < 2 or names[-2] == "exports":
            continue
        if names[-2] == "cucumberOpts":
            yield file, {"cucumberOpts": assignment}
        else:
            yield file, {names[-1]: value}


def _entries(file: ScriptFile, node: "Node") -> "list[tuple[str, Node]]":
    """The entries of an object, also if they are assigned one by one: `config.cucumberOpts.require = […]`."""
    if node.type == "assignment_expression":
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        return [(file.text(target).rpartition(".")[2], value)] if value is not None else []
    return [entry for object_ in _objects(file, node) for entry in entries_of(file, object_).items()]


def _objects(file: ScriptFile, node: "Node", depth: int = 0) -> "list[Node]":
    """An object, those that a call merges, and those that are spread in one: `merge(base, { … })`."""
    node = meant(file, node)
    if node.type == "object":
        inner = [child for child in node.named_children if child.type == "spread_element"]
        spread = [
            object_
            for element in inner
            if depth < 5
            for object_ in _objects(file, element.named_children[0], depth + 1)
        ]
        return [*spread, node][-_MOST_OBJECTS:]
    if node.type == "call_expression" and depth < 5:
        return [object_ for argument in arguments_of(node) for object_ in _objects(file, argument, depth + 1)][
            :_MOST_OBJECTS
        ]
    return []


def _nested_texts(file: ScriptFile, node: "Node") -> list[str]:
    """The texts in a list and in nested lists: specs that run in one worker are in a list of their own."""
    node = meant(file, node)
    inner = [child for child in node.named_children if child.type == "array"] if node.type == "array" else []
    return [text for value in (node, *inner) for text in texts_of(file, value)]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if is_plain(path) else ""
    except (OSError, ValueError):
        return ""
