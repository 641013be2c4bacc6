"""Cucumber-JVM's runner classes in Java, Kotlin and Scala, and the packages that they name.

`@CucumberOptions(glue = …, features = …)`, and JUnit's `@ConfigurationParameter(key = GLUE_PROPERTY_NAME, …)` beside
`@SelectClasspathResource`. A computed package is ignored.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from cukereuse_engine.glue.configuration import without_comments
from cukereuse_engine.glue.definition import Extraction, Runner

_BEFORE_PACKAGE = re.compile(r"(?:[\s\ufeff;]|//[^\n]*|/\*.*?\*/|@[^\n]*)*", re.DOTALL)
_PACKAGE = re.compile(r"package\s+(?!object\b)([\w$`]+(?:\s*\.\s*[\w$`]+)*)\s*[;{:]?")
_CLASS = re.compile(r"\b(?:class|object)\s+`?(\w+)")
_ANNOTATION = re.compile(
    r"@(?:[\w.]+\.)?(?:CucumberOptions|ConfigurationParameter|(?:SelectClasspathResource|SelectDirectories|SelectFile)s?)"
    r"\s*\("
)
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_KEYS = {
    "GLUE_PROPERTY_NAME": "glue",
    "cucumber.glue": "glue",
    "FEATURES_PROPERTY_NAME": "features",
    "cucumber.features": "features",
    "FILTER_TAGS_PROPERTY_NAME": "tags",
    "cucumber.filter.tags": "tags",
}


def with_runners(extraction: Extraction, source: bytes) -> Extraction:
    """The contents of a source, with its runners and its package."""
    text = source.decode("utf-8", "replace")
    runners = runners_in(text)
    return replace(extraction, runners=runners, package=package_of(text) if runners or extraction.definitions else "")


def package_of(text: str) -> str:
    """The package that a source declares, in Scala by one or more clauses; empty for the default package."""
    names: list[str] = []
    at = 0
    while True:
        before = _BEFORE_PACKAGE.match(text, at)
        clause = _PACKAGE.match(text, before.end() if before else at)
        if clause is None:
            return ".".join(names)
        names.append(re.sub(r"[\s`]", "", clause[1]))
        at = clause.end()


def runners_in(text: str) -> tuple[Runner, ...]:
    """The runners that one source in Java, Kotlin or Scala declares."""
    if "CucumberOptions" not in text and not re.search(r"GLUE_PROPERTY_NAME|cucumber\.glue", text):
        return ()
    text = without_comments(text)
    stated: dict[str, list[str]] = {}
    for body, name in _annotations(text):
        if name == "CucumberOptions":
            for key in ("glue", "extraGlue", "features", "tags"):
                stated.setdefault(key, []).extend(_entry(body, key))
            stated.setdefault("options", []).append("computed" if _is_computed(body, "glue") else "")
        elif name == "ConfigurationParameter":
            key = next((kind for word, kind in _KEYS.items() if word in body), "")
            values = _entry(body, "value")
            stated.setdefault(key, []).extend(values if key == "tags" else re.split(r"\s*,\s*", ",".join(values)))
        else:
            stated.setdefault("features", []).extend(_LITERAL.findall(body))
    own = package_of(text)
    glue = stated.get("glue", [])
    if not glue and stated.get("options") == [""]:
        glue = [own, *stated["extraGlue"]]
    if not glue:
        return ()
    named = _CLASS.search(text)
    return (
        Runner(named[1] if named else own, _tuple(glue), _tuple(stated.get("features")), _tuple(stated.get("tags"))),
    )


def _tuple(texts: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts or ()))


def _annotations(text: str) -> Iterator[tuple[str, str]]:
    """Yields the text between the parentheses of each annotation, and the annotation's name."""
    for begun in _ANNOTATION.finditer(text):
        depth, at = 1, begun.end()
        while at < len(text) and depth:
            literal = _LITERAL.match(text, at)
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at = literal.end() if literal else at + 1
        yield text[begun.end() : at - 1], begun.group().rstrip("( \t\r\n").split(".")[-1].lstrip("@")


def _entry(body: str, key: str) -> list[str]:
    """The texts in `key = "…"`, `{"…", "…"}`, `["…"]` or `arrayOf("…")`."""
    return _LITERAL.findall(_written(body, key) or "")


def _written(body: str, key: str) -> str | None:
    """The source text of a key's value, without brackets; None if it is no literal and no list."""
    entry = re.search(rf"\b{key}\s*=\s*(?:\w*\s*[{{\[(]([^}}\])]*)|({_LITERAL.pattern}))", body)
    return None if entry is None else entry[1] or entry[2] or ""


def _is_computed(body: str, key: str) -> bool:
    written = _written(body, key)
    return re.search(rf"\b{key}\s*=", body) is not None and (
        written is None or (bool(written.strip()) and not _LITERAL.search(written))
    )
