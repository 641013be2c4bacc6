"""playwright-bdd's configuration: which step definitions each of its projects loads, for which feature files.

Reads the literals of `defineBddConfig({ … })` and `defineBddProject({ … })` in `playwright.config.ts` and similar
files; a variable in a template may be anything. Nothing is executed.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from cukereuse_engine.glue.configuration import is_plain, without_comments
from cukereuse_engine.glue.limits import PLAYWRIGHT_BDD
from cukereuse_engine.glue.profiles import Profile, absolute, literals

FRAMEWORKS = frozenset({PLAYWRIGHT_BDD, "cucumber-js"})
"""A file that imports `Given` from another file of the project does not say which runner it belongs to."""
CONFIGURATIONS = tuple(f"playwright.config.{suffix}" for suffix in ("ts", "js", "mts", "mjs", "cts", "cjs"))
_CALL = re.compile(r"\bdefineBdd(?:Config|Project)\s*\(\s*\{")
_BY_KEYWORD = re.compile(r"(?<![\w.])matchKeywords\s*:\s*true\b")
_RESOLVED = re.compile(r"\brequire\.resolve\(\s*(['\"])(?![./])")
"""Text before the name of an installed package."""
_VARIABLE = re.compile(r"\$\{[^}]*\}")
_STRING = r"'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`"
_STEPS, _FEATURES = ("steps", "require", "import"), ("features", "paths")


def read_projects(configuration: Path) -> tuple[Profile, ...]:
    """The projects that tell where their step definitions are. Never raises."""
    try:
        if not is_plain(configuration):
            return ()
        text = configuration.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    text = _RESOLVED.sub(r"\1node_modules/", without_comments(text))
    projects = []
    for number, body in enumerate(_objects(text), 1):
        root = _stated(body, "featuresRoot")
        steps = [place for key in _STEPS for place in _stated(body, key)] or root
        features = [place for key in _FEATURES for place in _stated(body, key)] or root
        if steps:
            loads = absolute(configuration.parent, [*steps, *_stated(body, "importTestFrom")])
            paths = absolute(configuration.parent, features)
            tags = next(iter(_stated(body, "tags")), "")
            name = next(iter(_stated(body, "name")), str(number))
            projects.append(Profile(name, loads, paths, tags, _BY_KEYWORD.search(body) is not None))
    return tuple(projects)


def _objects(text: str) -> Iterator[str]:
    """The object argument of each call, up to its closing brace."""
    for call in _CALL.finditer(text):
        depth, at = 1, call.end()
        while at < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield text[call.end() : at - 1]


def _stated(body: str, key: str) -> list[str]:
    """The texts of an entry, a single one or a list; none if it is computed."""
    entry = re.search(rf"(?<![\w.])['\"]?{key}['\"]?\s*:\s*(\[[^\]]*\]|{_STRING})\s*(?:,|\}}|\Z)", body)
    return [_VARIABLE.sub("*", text) for text in literals(entry[1])] if entry else []
