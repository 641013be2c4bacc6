"""What the files around a source say of how its runner reads it: versions that are locked, hooks that set a matcher.

A rule looks at one source's definitions and gives those that its runner would have. Files are read, never run.
"""

import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from cukereuse_engine.glue import behat_translations, behave_versions, turnip_loading
from cukereuse_engine.glue.configuration import is_plain
from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, Extraction, GlueError, StepDefinition
from cukereuse_engine.glue.sources import PROJECT_FILES, PROJECT_SUFFIXES, SOLUTION_SUFFIXES, forget_projects

_MATCHERS = {
    "re": (ExpressionKind.REGEX, Anchoring.FULL),
    "re0": (ExpressionKind.REGEX, Anchoring.MATCH),
    "cfparse": (ExpressionKind.CFPARSE, Anchoring.FULL),
}
_OF_PARSE = (ExpressionKind.PARSE, ExpressionKind.CFPARSE)
_SETS_MATCHER = re.compile(r"""^(?:\w+\.)*use_(?:default_)?step_matcher\(\s*["'](\w+)["']""", re.MULTILINE)
_LOCKED_RUBY = re.compile(r"^    cucumber \((\d+)\.", re.MULTILINE)
_ASKED_RUBY = re.compile(
    r"^[^#\n]*[\"'<]cucumber[\"'>](?:\.freeze)?((?:\s*,\s*\[?\s*[\"'][^\"'\n]*[\"'])*)"
    r"(?![^\n]*\b(?:if|unless)\b)",
    re.MULTILINE,
)
"""What is asked for in any case."""
_RUBY_BEFORE_3 = re.compile(
    r"[\"']\s*(?:(?:~>|=|<=)?\s*[0-2](?:\.|\b)|<\s*(?:[0-2]\b|3(?:\.0)*(?:\.[a-z]\w*)*\s*[\"']))"
)
"""A requirement that no later version meets."""
PROFILES = ("cucumber.yml", "config/cucumber.yml", ".config/cucumber.yml", "cucumber.yaml")
_GUESS = re.compile(r"^(?![ \t]*#)(?:[^\n]*[\s\"':=])?(?:--guess|-g)(?![\w-])", re.MULTILINE)
_JVM_COMMENT = re.compile(r"<!--.*?-->|(?<![\w*\"'/.:])(?:/\*.*?\*/|//[^\n]*)|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_EXCLUDED = re.compile(r"<exclusions?>.*?</exclusions?>", re.DOTALL)
_GROUP_BEFORE_2 = re.compile(
    r"info\.cukes(?:</groupId>\s*<artifactId>|[\"']?\s*(?:%?%|[:,])\s*(?:name\s*[:=]\s*)?[\"']?)"
    r"cucumber-(?:java8?|core|scala|junit|testng|spring|guice|picocontainer)\b"
)
"""An artifact of the first group, which moved after 1.2, as a dependency."""
_JVM_VERSION = re.compile(
    r"<artifactId>cucumber-(?:java8?|core|scala(?:_[\d.]+)?)</artifactId>\s*<version>\s*(?P<maven>[^<]*?)\s*</version>"
    r"|[\"':]cucumber-(?:java8?|core|scala(?:_[\d.]+)?)[\"']?\s*(?:%|:|,\s*version\s*[:=])\s*(?P<other>[^\s,;()]+)"
)
"""What Maven, Gradle or sbt is told of the artifacts whose version is Cucumber's; others have numbers of their own."""
_JVM_BUILDS = ("pom.xml", "build.gradle", "build.gradle.kts", "gradle.properties", "build.sbt")
_NEWER_JVM = re.compile(rb"\bio\.cucumber\.")
"""Packages that no version before 3 had."""
_PARAMETER = re.compile(r"(?<!\\)(?<!\\[pPxN])\{(?:[^\W\d]\w*)?\}")
"""What is an error in a regex of Java."""
_JS_BEFORE_2 = re.compile(r"\s*[~^=v]*\s*[01](?:\.[\w.-]+)?\s*")
_JS_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_JS_NAMES = ("cucumber", "@cucumber/cucumber")
_BEHAVE_SETTINGS = ("behave.ini", ".behaverc", "setup.cfg", "tox.ini", "pyproject.toml")
_NESTED = re.compile(
    r"^[ \t]*use_nested_step_modules[ \t]*[=:][ \t]*[\"']?(?:true|yes|on|1)", re.MULTILINE | re.IGNORECASE
)
_STEPS = "steps"
_HOOKS = "environment.py"
CONFIGURATIONS = (
    _HOOKS,
    *_BEHAVE_SETTINGS,
    "Gemfile.lock",
    "Gemfile",
    "cucumber.yml",
    "cucumber.yaml",
    *_JVM_BUILDS,
    *sorted(PROJECT_FILES - {"setup.py", "Gemfile", *_JVM_BUILDS}),
    *(name for name in (*behave_versions.LOCKS, *behave_versions.REQUIREMENTS) if name not in PROJECT_FILES),
)
"""By their names; beside them gems' own files, those of .NET's projects, in a suite of behave every source in Python,
in one of Behat every source in PHP, and in one of Turnip every source in Ruby."""
DOTNET = (*PROJECT_SUFFIXES, *SOLUTION_SUFFIXES)
IMPORT = re.compile(r"^[ \t]*(?:from|import)\b(?:[^\n(\\]|\\.|\([^)]*\))*", re.MULTILINE | re.DOTALL)
DYNAMIC = re.compile(r"\b(?:importlib|__import__|walk_packages|iter_modules|glob|exec|load_step_modules)\b")
_FOREIGN = frozenset({"node_modules", "site-packages", "__pycache__"})
_MANY_SOURCES = 2000
"""Files of Python in a repository, or folders, that are looked through for an import."""


class ProjectRules:
    """Those of the projects below one folder."""

    def __init__(self, root: str) -> None:
        """`root`: the folder above which nothing is looked for."""
        self._root = os.path.abspath(root)  # noqa: PTH100
        self._rules: dict[str, Callable[[str, Extraction], Extraction]] = {
            "behave": self._behave,
            "behat": behat_translations.with_translations,
            "cucumber-ruby": self._ruby,
            "cucumber-jvm": self._jvm,
            "cucumber-js": self._javascript,
            "turnip": self._turnip,
        }

    def applied(self, path: str, extraction: Extraction) -> Extraction:
        """A source's definitions as its runner has them."""
        rule = self._rules.get(extraction.definitions[0].framework) if extraction.definitions else None
        return rule(os.path.abspath(path), extraction) if rule is not None else extraction  # noqa: PTH100

    def _folders(self, path: str) -> Iterator[str]:
        """Around a file, up to the root."""
        folder = os.path.dirname(path)  # noqa: PTH120
        while folder.startswith(self._root):
            yield folder
            above = os.path.dirname(folder)  # noqa: PTH120
            if folder == self._root or above == folder:
                return
            folder = above

    # behave

    def _behave(self, path: str, extraction: Extraction) -> Extraction:
        """Before 1.3, `parse` ignored case (behave/matchers.py)."""
        steps = next((folder for folder in self._folders(path) if os.path.basename(folder) == _STEPS), "")  # noqa: PTH119
        if not steps:
            return extraction
        base = os.path.dirname(steps)  # noqa: PTH120
        if os.path.dirname(path) != steps and not _is_loaded(path, steps, base, self._root):  # noqa: PTH120
            first = extraction.definitions[0]
            message = "is not loaded: behave does not read folders below `steps`, and nothing imports this one"
            error = GlueError(first.path, first.line, first.literal.column, message)
            errors = (replace(other, untold=False) for other in extraction.errors)
            return replace(extraction, definitions=(), errors=(*errors, error))
        kind = _MATCHERS.get(_default_matcher(os.path.join(base, _HOOKS)))  # noqa: PTH118
        definitions = extraction.definitions
        if kind is not None and b"step_matcher" not in _bytes(path):
            definitions = tuple(
                replace(definition, kind=kind[0], anchoring=kind[1])
                if definition.kind is ExpressionKind.PARSE
                else definition
                for definition in definitions
            )
        if next((old for folder in self._folders(path) if (old := _is_old_behave(folder)) is not None), False):
            definitions = tuple(
                replace(definition, flags="i") if definition.kind in _OF_PARSE else definition
                for definition in definitions
            )
        return replace(extraction, definitions=definitions) if definitions != extraction.definitions else extraction

    # Cucumber

    def _ruby(self, path: str, extraction: Extraction) -> Extraction:
        """Before version 3 a string was no Cucumber Expression: `$word` took anything, the rest was text."""
        is_old = next((old for folder in self._folders(path) if (old := _is_old_ruby(folder)) is not None), False)
        extraction = _with_strings(extraction, _IN_RUBY) if is_old else extraction
        if not any(map(_guesses, self._folders(path))):
            return extraction
        definitions = (replace(definition, guesses=True) for definition in extraction.definitions)
        return replace(extraction, definitions=tuple(definitions))

    def _javascript(self, path: str, extraction: Extraction) -> Extraction:
        """The same before version 2, but that quotes around `$word` hold what it takes (step_definition.js)."""
        is_old = next((old for folder in self._folders(path) if (old := _is_old_js(folder)) is not None), False)
        return _with_strings(extraction, _IN_JAVASCRIPT) if is_old else extraction

    def _turnip(self, path: str, extraction: Extraction) -> Extraction:
        folders = list(self._folders(path))
        own = next((own for folder in folders if (own := _turnip_hooks(folder)) is not None), turnip_loading.Hooks())
        extraction = turnip_loading.for_own_feature(path, extraction, own, self._root, os.path.isfile)
        locked = next((text for folder in folders if (text := _text(folder, turnip_loading.LOCK))), "")
        if not turnip_loading.is_fork(locked):
            return extraction
        definitions = (replace(definition, guesses=True) for definition in extraction.definitions)
        return replace(extraction, definitions=tuple(definitions))

    def _jvm(self, path: str, extraction: Extraction) -> Extraction:
        """Before version 3 every text was a regex, and matched from the start (JdkPatternArgumentMatcher)."""
        is_newer = any(
            definition.kind is ExpressionKind.CUCUMBER and _PARAMETER.search(definition.expression)
            for definition in extraction.definitions
        )
        if is_newer or not _is_old_jvm(tuple(self._folders(path))) or _NEWER_JVM.search(_bytes(path)):
            return extraction
        definitions = (
            replace(definition, kind=ExpressionKind.REGEX, anchoring=Anchoring.MATCH)
            for definition in extraction.definitions
        )
        return replace(extraction, definitions=tuple(definitions))


def is_read(path: str) -> bool:
    """Whether a rule may look at a file."""
    folder, name = os.path.split(path)
    is_translation = os.path.basename(folder) in behat_translations.FOLDERS and name.endswith(".yml")  # noqa: PTH119
    suffixes = (".gemspec", ".php", ".py", ".rb", behat_translations.SUFFIX, *DOTNET)
    return name in CONFIGURATIONS or name.endswith(suffixes) or is_translation


def forget() -> None:
    """Files around sources changed."""
    for cached in (
        behat_translations.tables,
        _default_matcher,
        _is_old_behave,
        _has_features,
        _sources,
        _loaded_names,
        _is_old_ruby,
        _guesses,
        _turnip_hooks,
        _jvm_build,
        _is_old_jvm,
        _is_old_js,
    ):
        cached.cache_clear()
    forget_projects()


def _bytes(path: str) -> bytes:
    try:
        file = Path(path)
        return file.read_bytes() if is_plain(file) else b""
    except (OSError, ValueError):
        return b""


def _text(*parts: str) -> str:
    return _bytes(os.path.join(*parts)).decode("utf-8", "replace")  # noqa: PTH118


@lru_cache(maxsize=10_000)
def _default_matcher(environment: str) -> str:
    """What behave's hooks set when they are loaded, before any step definition; "" where they set nothing."""
    matchers = _SETS_MATCHER.findall(_text(environment))
    return matchers[-1] if matchers else ""


@lru_cache(maxsize=10_000)
def _is_old_behave(folder: str) -> bool | None:
    return behave_versions.is_before_1_3(folder, _text)


def _is_loaded(path: str, steps: str, base: str, root: str) -> bool:
    """Whether a source in a folder below `steps` may be imported, or is loaded by a setting: unless it is sure that
    behave takes this `steps` folder, and that nothing below `root` imports the source."""
    if not _has_features(base):
        return True
    parts = Path(os.path.relpath(path, steps)).parts
    names = {part.removesuffix(".py") for part in parts}
    loaded = _loaded_names(steps, base, root)
    return "*" in loaded or not names.isdisjoint(loaded)


@lru_cache(maxsize=1000)
def _has_features(base: str) -> bool:
    """Whether behave would take a `steps` folder here: beside its hooks, or around or beside feature files."""
    if os.path.isfile(os.path.join(base, _HOOKS)):  # noqa: PTH113, PTH118
        return True
    walk = islice(_walk(base), _MANY_SOURCES)
    return any(name.endswith(".feature") for _, names in walk for name in names)


@dataclass(frozen=True, slots=True)
class _Source:
    words: frozenset[str]
    imported: frozenset[str]
    """Words of its imports."""
    is_dynamic: bool
    """Whether it may import what it does not name."""


def _walk(root: str) -> Iterator[tuple[str, list[str]]]:
    """Folders that hold a project's own sources, with the names of the files there."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(folder for folder in folders if not folder.startswith(".") and folder not in _FOREIGN)
        yield folder, names


@lru_cache(maxsize=8)
def _sources(root: str) -> Mapping[str, _Source] | None:
    """All of a repository in Python, by path; None where they are too many to look through."""
    paths: list[str] = []
    for count, (folder, names) in enumerate(_walk(root)):
        paths += [os.path.join(folder, name) for name in names if name.endswith(".py")]  # noqa: PTH118
        if max(count, len(paths)) > _MANY_SOURCES:
            return None
    return {path: _source(path, *_stamp(path)) for path in paths}


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked of every source
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=2 * _MANY_SOURCES)
def _source(path: str, modified: int, size: int) -> _Source:
    """Kept as long as a file's stamp stands: one that changes has all looked at again."""
    del modified, size
    text = _text(path)
    imported = frozenset(sys.intern(word) for line in IMPORT.findall(text) for word in re.findall(r"\w+", line))
    return _Source(frozenset(map(sys.intern, re.findall(r"\w+", text))), imported, DYNAMIC.search(text) is not None)


@lru_cache(maxsize=1000)
def _loaded_names(steps: str, base: str, root: str) -> frozenset[str]:
    """Words of the sources that behave loads here, and of all imports of the repository; "*" where it loads folders
    too, or what is loaded may import anything."""
    folder = base
    for _ in range(4):
        if any(_NESTED.search(_text(folder, name)) for name in _BEHAVE_SETTINGS):
            return frozenset("*")
        folder = os.path.dirname(folder)  # noqa: PTH120
    sources = _sources(root)
    if sources is None:
        return frozenset("*")
    names = {word for source in sources.values() for word in source.imported}
    left = dict(sources)
    loaded = [path for path in left if os.path.dirname(path) == steps]  # noqa: PTH120
    loaded += [path for path in left if os.path.dirname(path) == base and path.endswith(_HOOKS)]  # noqa: PTH120
    while loaded:
        for path in loaded:
            source = left.pop(path)
            names |= source.words
            if source.is_dynamic:
                return frozenset("*")
        loaded = [path for path in left if module_name(path) in names]
    return frozenset(names)


def module_name(path: str) -> str:
    """The name by which an import runs a source."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) if name == "__init__.py" else os.path.splitext(name)[0]  # noqa: PTH119, PTH122


@lru_cache(maxsize=10_000)
def _is_old_ruby(folder: str) -> bool | None:
    """Whether a folder's bundle takes only versions before 3; None where it says nothing of Cucumber."""
    locked = _LOCKED_RUBY.findall(_text(folder, "Gemfile.lock"))
    if locked:
        return max(map(int, locked)) < 3
    for name in ("Gemfile", *_gemspecs(folder)):
        requirements = _ASKED_RUBY.findall(_text(folder, name))
        if requirements:
            return all(_RUBY_BEFORE_3.search(requirement) for requirement in requirements)
    return None


@lru_cache(maxsize=10_000)
def _guesses(folder: str) -> bool:
    """Whether some profile of a folder tells Cucumber to guess."""
    return any(_GUESS.search(_text(folder, name)) is not None for name in PROFILES)


@lru_cache(maxsize=10_000)
def _turnip_hooks(folder: str) -> turnip_loading.Hooks | None:
    """Of a folder that RSpec's helpers stand in, and of those below; None where there are none."""
    if not any(os.path.isfile(os.path.join(folder, name)) for name in turnip_loading.HELPERS):  # noqa: PTH113, PTH118
        return None
    names = (os.path.join(inner, name) for inner, names in islice(_walk(folder), _MANY_SOURCES) for name in names)  # noqa: PTH118
    sources = (name for name in names if name.endswith(".rb") and not name.endswith("_spec.rb"))
    return turnip_loading.hooks(map(_text, islice(sources, _MANY_SOURCES)))


def _gemspecs(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".gemspec"))  # noqa: PTH208
    except OSError:
        return []


@lru_cache(maxsize=10_000)
def _jvm_build(folder: str) -> str:
    """What is told to the builds of a folder, without comments and exclusions."""
    text = "\n".join(_text(folder, name) for name in _JVM_BUILDS)
    return _EXCLUDED.sub("", _JVM_COMMENT.sub("", text))


@lru_cache(maxsize=10_000)
def _is_old_jvm(folders: tuple[str, ...]) -> bool:
    """Whether the builds in these folders, the nearest first, certainly take Cucumber-JVM 1 or 2."""
    builds = [text for folder in folders if "ucumber" in (text := _jvm_build(folder))]
    if any(_GROUP_BEFORE_2.search(text) for text in builds) and not any("io.cucumber" in text for text in builds):
        return True
    stated = next((versions for build in builds if (versions := list(_JVM_VERSION.finditer(build)))), [])
    majors = [major for version in stated for major in _majors(version, "\n".join(builds))]
    return bool(majors) and max(majors) < 3


def _majors(stated: re.Match[str], builds: str) -> list[float]:
    """The versions that a dependency may get, by number or by a property; infinity where nothing tells."""
    version = stated["maven"] or (stated["other"] or "").strip("\"'")
    number = re.match(r"(\d+)\.", version)
    if number is not None:
        return [int(number[1])]
    if stated["maven"]:
        values = re.findall(rf"<{re.escape(version.strip('${}'))}>\s*(\d+)[.<]", builds)
    else:
        name = (re.findall(r"[^\W\d]\w*", version) or ["version"])[-1]
        values = re.findall(rf"(?<!\w){name}[\"']?\s*[=:]\s*[\"']?(\d+)\.", builds) if name != "version" else []
    return [int(each) for each in values] or [math.inf]


@lru_cache(maxsize=10_000)
def _is_old_js(folder: str) -> bool | None:
    """None where a folder's package does not ask for Cucumber."""
    try:
        package = json.loads(_text(folder, "package.json") or "{}")
    except (ValueError, RecursionError):
        return None
    groups = [package.get(name) for name in _JS_DEPENDENCIES] if isinstance(package, dict) else []
    requirements = [group[name] for group in groups if isinstance(group, dict) for name in _JS_NAMES if name in group]
    return (
        all(_JS_BEFORE_2.fullmatch(each) for requirement in requirements for each in str(requirement).split("||"))
        if requirements
        else None
    )


_IN_RUBY = {r"\$\w+": "(.*)"}
_IN_JAVASCRIPT = {r'"\$[a-zA-Z_-]+"': '"([^"]*)"', r"\$[a-zA-Z_-]+": "(.*)"}
"""What takes an argument in a string of an early Cucumber, to the regex that it stood for."""


def _with_strings(extraction: Extraction, taking: Mapping[str, str]) -> Extraction:
    return replace(
        extraction, definitions=tuple(_of_string(definition, taking) for definition in extraction.definitions)
    )


def _of_string(definition: StepDefinition, taking: Mapping[str, str]) -> StepDefinition:
    if definition.kind is not ExpressionKind.CUCUMBER:
        return definition
    pieces = re.split(f"({'|'.join(taking)})", definition.expression)
    if len(pieces) == 1:
        return replace(definition, kind=ExpressionKind.LITERAL)
    regexes = [next(regex for form, regex in taking.items() if re.fullmatch(form, piece)) for piece in pieces[1::2]]
    pattern = "".join(re.escape(text) + regex for text, regex in zip(pieces[::2], [*regexes, ""], strict=True))
    return replace(
        definition,
        expression=f"^{pattern}$",
        kind=ExpressionKind.REGEX,
        anchoring=Anchoring.SEARCH,
        sentence=definition.expression,
        rewritable=False,
    )
