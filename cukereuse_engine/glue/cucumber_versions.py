"""How early versions of Cucumber read an expression, and which version a project uses."""

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import replace

from cukereuse_engine.glue.definition import Anchoring, ExpressionKind, Extraction, StepDefinition
from cukereuse_engine.glue.project_files import Surroundings, bytes_of, text_at, until_files_change

_LOCKED_RUBY = re.compile(r"^    cucumber \((\d+)\.", re.MULTILINE)
_ASKED_RUBY = re.compile(
    r"^[^#\n]*[\"'<]cucumber[\"'>](?:\.freeze)?((?:\s*,\s*\[?\s*[\"'][^\"'\n]*[\"'])*)"
    r"(?![^\n]*\b(?:if|unless)\b)",
    re.MULTILINE,
)
"""A requirement of Cucumber."""
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
"""An artifact of the first group as a dependency; the group changed after 1.2."""
_JVM_VERSION = re.compile(
    r"<artifactId>cucumber-(?:java8?|core|scala(?:_[\d.]+)?)</artifactId>\s*<version>\s*(?P<maven>[^<]*?)\s*</version>"
    r"|[\"':]cucumber-(?:java8?|core|scala(?:_[\d.]+)?)[\"']?\s*(?:%|:|,\s*version\s*[:=])\s*(?P<other>[^\s,;()]+)"
)
"""The version that builds of Maven, Gradle or sbt name for artifacts with Cucumber's version; others have their own."""
JVM_BUILDS = ("pom.xml", "build.gradle", "build.gradle.kts", "gradle.properties", "build.sbt")
_NEWER_JVM = re.compile(rb"\bio\.cucumber\.")
"""Packages that no version before 3 had."""
_PARAMETER = re.compile(r"(?<!\\)(?<!\\[pPxN])\{(?:[^\W\d]\w*)?\}")
"""A parameter, which would be an error in a regex of Java."""
_JS_BEFORE_2 = re.compile(r"\s*[~^=v]*\s*[01](?:\.[\w.-]+)?\s*")
_JS_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_JS_NAMES = ("cucumber", "@cucumber/cucumber")
_IN_RUBY = {r"\$\w+": "(.*)"}
_IN_JAVASCRIPT = {r'"\$[a-zA-Z_-]+"': '"([^"]*)"', r"\$[a-zA-Z_-]+": "(.*)"}
"""Maps the placeholders in a string of an early Cucumber to the regexes that they mean."""


def as_ruby_reads(extraction: Extraction, around: Surroundings) -> Extraction:
    """Before version 3 a string was no Cucumber Expression: `$word` captured anything, and the rest was text."""
    is_old = next((old for folder in around.folders if (old := _is_old_ruby(folder)) is not None), False)
    extraction = _with_strings(extraction, _IN_RUBY) if is_old else extraction
    if not any(map(_guesses, around.folders)):
        return extraction
    definitions = (replace(definition, guesses=True) for definition in extraction.definitions)
    return replace(extraction, definitions=tuple(definitions))


def as_javascript_reads(extraction: Extraction, around: Surroundings) -> Extraction:
    """Before version 2, `$word` captured anything, or what was between quotes around it (step_definition.js)."""
    is_old = next((old for folder in around.folders if (old := _is_old_js(folder)) is not None), False)
    return _with_strings(extraction, _IN_JAVASCRIPT) if is_old else extraction


def as_jvm_reads(extraction: Extraction, around: Surroundings) -> Extraction:
    """Before version 3 every text was a regex that matched from the start (JdkPatternArgumentMatcher)."""
    is_newer = any(
        definition.kind is ExpressionKind.CUCUMBER and _PARAMETER.search(definition.expression)
        for definition in extraction.definitions
    )
    if is_newer or not _is_old_jvm(around.folders) or _NEWER_JVM.search(bytes_of(around.path)):
        return extraction
    definitions = (
        replace(definition, kind=ExpressionKind.REGEX, anchoring=Anchoring.MATCH)
        for definition in extraction.definitions
    )
    return replace(extraction, definitions=tuple(definitions))


@until_files_change(10_000)
def _is_old_ruby(folder: str) -> bool | None:
    """True if a folder's bundle allows only versions before 3; None if it does not mention Cucumber."""
    locked = _LOCKED_RUBY.findall(text_at(folder, "Gemfile.lock"))
    if locked:
        return max(map(int, locked)) < 3
    for name in ("Gemfile", *_gemspecs(folder)):
        requirements = _ASKED_RUBY.findall(text_at(folder, name))
        if requirements:
            return all(_RUBY_BEFORE_3.search(requirement) for requirement in requirements)
    return None


@until_files_change(10_000)
def _guesses(folder: str) -> bool:
    """True if a profile of a folder sets Cucumber's option `--guess`."""
    return any(_GUESS.search(text_at(folder, name)) is not None for name in PROFILES)


def _gemspecs(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".gemspec"))  # noqa: PTH208
    except OSError:
        return []


@until_files_change(10_000)
def _jvm_build(folder: str) -> str:
    """The text of a folder's build files, without comments and exclusions."""
    text = "\n".join(text_at(folder, name) for name in JVM_BUILDS)
    return _EXCLUDED.sub("", _JVM_COMMENT.sub("", text))


@until_files_change(10_000)
def _is_old_jvm(folders: tuple[str, ...]) -> bool:
    """True if the build files in these folders, nearest first, certainly require Cucumber-JVM 1 or 2."""
    builds = [text for folder in folders if "ucumber" in (text := _jvm_build(folder))]
    if any(_GROUP_BEFORE_2.search(text) for text in builds) and not any("io.cucumber" in text for text in builds):
        return True
    stated = next((versions for build in builds if (versions := list(_JVM_VERSION.finditer(build)))), [])
    majors = [major for version in stated for major in _majors(version, "\n".join(builds))]
    return bool(majors) and max(majors) < 3


def _majors(stated: re.Match[str], builds: str) -> list[float]:
    """The major versions that a dependency may get, by number or by a property; infinity if the build does not say."""
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


@until_files_change(10_000)
def _is_old_js(folder: str) -> bool | None:
    """True if a folder's package allows only versions before 2; None if it does not require Cucumber."""
    try:
        package = json.loads(text_at(folder, "package.json") or "{}")
    except (ValueError, RecursionError):
        return None
    groups = [package.get(name) for name in _JS_DEPENDENCIES] if isinstance(package, dict) else []
    requirements = [group[name] for group in groups if isinstance(group, dict) for name in _JS_NAMES if name in group]
    return (
        all(_JS_BEFORE_2.fullmatch(each) for requirement in requirements for each in str(requirement).split("||"))
        if requirements
        else None
    )


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
