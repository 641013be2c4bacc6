"""Binds the steps of a repository by independent engines, before and after edits.

The official parser alone reads feature files. The product reads which definitions a source contains: the question here
is what they match. Of a step's matching definitions, those at home with its feature count, and of these, for each
framework, the nearest: a rule of a few lines, which knows no projects. If a runner's configuration names what to load
for which features (suites of Behat, profiles of Cucumber for Ruby), that counts.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, cast

from cucumber_tag_expressions import parse  # type: ignore[import-untyped]
from gherkin import Parser
from gherkin.errors import ParserError
from gherkin.pickles.compiler import Compiler
from gherkin.token_scanner import TokenScanner

from cukereuse_engine.glue.definition import Extraction, StepDefinition
from cukereuse_engine.glue.sources import extract_source, with_names

from .behat import suites_in
from .blocks import FRAMEWORKS, PLAYWRIGHT, TURNIP, VITEST, Home, home_of, scopes_of, tag_of_turnip, tags_of
from .engines import Captured, Engines, Key, key_of
from .profiles import profiles_in

_SCOPED = frozenset({"specflow", "reqnroll"})
_LITERAL = re.compile(r"([\"'`])(?:\\.|(?!\1).)*\1|/(?:\\.|[^/\\\n])+/\w*", re.DOTALL)
_TYPES = {"Context": "given", "Action": "when", "Outcome": "then"}
Name = tuple[str, int]
"""Identifies a function: its file, and the number in it of the first definition on it."""
Candidate = tuple[Name, StepDefinition, Captured]


@dataclass(frozen=True)
class ReadStep:
    path: str
    line: int
    text: str
    kind: str
    """"given", "when", "then", or empty."""
    said: tuple[str, ...]
    """The texts that it has when it is run, each once."""
    titles: tuple[str, ...] = ()
    """The titles of its scenarios, as written; for a background's step, of the scenarios that it runs with."""
    background: str = ""
    """The background that contains it: "feature" or "rule"; empty if it is in a scenario."""
    feature: str = ""
    """Title of its feature."""
    tags: tuple[tuple[str, ...], ...] = ()
    """The tags of each scenario that it runs with."""


def read_feature(path: str, data: bytes) -> list[ReadStep] | None:
    """The steps; None if the official parser rejects the file."""
    try:
        document = cast("Any", Parser().parse(TokenScanner(data.decode("utf-8-sig"))))
    except (ParserError, UnicodeDecodeError, KeyError):
        return None
    if not document.get("feature"):
        return []
    nodes: dict[str, tuple[int, str]] = {}
    titles: dict[str, tuple[str, ...]] = {}
    backgrounds: dict[str, str] = {}
    waiting = [document["feature"]]
    while waiting:
        node = waiting.pop()
        for child in node.get("children", ()):
            waiting += [node for node in child.values() if isinstance(node, dict)]
            for step in child.get("background", {}).get("steps", ()):
                backgrounds[step["id"]] = "feature" if node is document["feature"] else "rule"
                titles[step["id"]] = tuple(_titles(node))
        for step in node.get("steps", ()):
            nodes[step["id"]] = step["location"]["line"], step["text"]
            titles.setdefault(step["id"], (node.get("name", ""),))
    said: dict[str, dict[str, None]] = defaultdict(dict)
    kinds: dict[str, str] = {}
    tags: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for pickle in cast("Any", Compiler().compile({**document, "uri": path})):
        for step in pickle["steps"]:
            said[step["astNodeIds"][0]][step["text"]] = None
            tags[step["astNodeIds"][0]].append(tuple(tag["name"] for tag in pickle["tags"]))
            kinds[step["astNodeIds"][0]] = _TYPES.get(step.get("type", ""), "")
    steps = [
        ReadStep(
            *(path, line, text, kinds.get(number, ""), tuple(said.get(number, ()))),
            *(titles[number], backgrounds.get(number, ""), document["feature"].get("name", ""), tuple(tags[number])),
        )
        for number, (line, text) in nodes.items()
    ]
    return sorted(steps, key=lambda step: step.line)


def _titles(node: Mapping[str, Any]) -> Iterator[str]:
    """The titles of the scenarios in a feature or a rule."""
    for child in node.get("children", ()):
        if "scenario" in child:
            yield child["scenario"]["name"]
        yield from _titles(child.get("rule", {}))


Bound = Mapping[str, tuple[tuple[Name, Captured], ...]]
"""Maps a framework to the matches of a text."""


class Binder:
    """A repository as it is; `after` compares it with its state after edits."""

    def __init__(
        self,
        features: Mapping[str, bytes],
        sources: Mapping[str, bytes],
        configurations: Mapping[str, str] | None = None,
    ) -> None:
        """`configurations`: those of Cucumber for Ruby."""
        self._profiles = profiles_in(configurations or {})
        self.steps = {path: steps for path, data in features.items() if (steps := read_feature(path, data)) is not None}
        self._contents = dict(sources)
        extracted = self._extracted(sources)
        self.definitions: dict[str, tuple[StepDefinition, ...]] = {
            path: extraction.definitions for path, extraction in extracted.items() if extraction.definitions
        }
        types = {
            parameter_type.name: parameter_type.regexps
            for extraction in extracted.values()
            for parameter_type in extraction.parameter_types
        }
        self.engines = Engines(types)
        self._homes: dict[str, int] = {}
        configured = {
            path: data for path, data in sources.items() if PurePath(path).name.startswith("playwright.config")
        }
        self._configured = {str(PurePath(path).parent): data.decode() for path, data in configured.items()}
        """Maps a folder to the content of its Playwright configuration."""
        self._suites = suites_in(sources)
        known = {*FRAMEWORKS, PLAYWRIGHT, TURNIP, *_SCOPED}
        blocks = {path for path, definitions in self.definitions.items() if definitions[0].framework in known}
        self._sources = {path: sources[path].decode("utf-8", "replace") for path in blocks}
        self._texts = sorted({text for steps in self.steps.values() for step in steps for text in step.said})

    def compare(self, features: Mapping[str, bytes], sources: Mapping[str, bytes]) -> list[str]:
        """What files with these contents break, a sentence for each problem."""
        wrong: list[str] = []
        definitions = dict(self.definitions)
        for path, extraction in self._extracted(sources).items():
            now = extraction.definitions
            if len(now) != len(self.definitions.get(path, ())):
                wrong.append(f"{path}: {len(self.definitions.get(path, ()))} definitions before, {len(now)} after")
            definitions[path] = now
        changed: list[tuple[ReadStep, ReadStep]] = []
        for path, data in features.items():
            before, after = self.steps.get(path), read_feature(path, data)
            if before is None:
                continue
            if after is None or [definition.line for definition in after] != [definition.line for definition in before]:
                wrong.append(f"{path}: other steps")
                continue
            changed += [(a, b) for a, b in zip(before, after, strict=True) if a.said != b.said or a.text != b.text]
        pairs = [*changed, *self._touched(definitions, sources, changed)]
        texts = sorted({text for pair in pairs for step in pair for text in step.said})
        old, new = self._matching(self.definitions, texts), self._matching(definitions, texts)
        for before, after in pairs:
            if len(before.said) != len(after.said):
                wrong.append(f"{before.path}:{before.line}: {len(before.said)} texts before, {len(after.said)} after")
            for text_before, text_after in zip(before.said, after.said, strict=False):
                was = self._served(before, old.get(text_before, ()))
                now = self._served(after, new.get(text_after, ()))
                if was != now:
                    kind = "argument" if _names(was) == _names(now) else "moved" if was and now else "lost or won"
                    wrong.append(f"{kind}: {before.path}:{before.line}: {text_before} -> {text_after}: {was} -> {now}")
        return wrong

    def _extracted(self, sources: Mapping[str, bytes]) -> dict[str, Extraction]:
        """The definitions of sources; names from other sources have their values."""
        extracted = {path: extract_source(path, data) for path, data in sources.items()}
        return with_names(extracted, [*self._contents], {**self._contents, **sources}.get)

    def everything(self) -> dict[tuple[str, int], list[dict[str, list[tuple[str, tuple[str | None, ...]]]]]]:
        """Maps the path and line of each step to its texts: for each, by framework, the matching expressions with their
        captured values."""
        matching = self._matching(self.definitions, self._texts)
        bindings: dict[tuple[str, int], list[dict[str, list[tuple[str, tuple[str | None, ...]]]]]] = {}
        for step in (step for steps in self.steps.values() for step in steps):
            told = []
            for text in step.said:
                candidates = matching.get(text, ())
                served = self._served(step, candidates)
                told.append({name: _expressions(bound, candidates) for name, bound in served.items()})
            bindings[step.path, step.line] = told
        return bindings

    def _served(self, step: ReadStep, matches: Sequence[Candidate]) -> Bound:
        fitting = [
            match
            for match in matches
            if not match[1].keyword_types or not step.kind or step.kind in match[1].keyword_types
        ]
        fitting = [candidate for candidate in fitting if _answers(self._tags(candidate[1]), step.tags)]
        narrow_as = {
            candidate[0]: self._scope(candidate[1], step) for candidate in fitting if candidate[1].framework in _SCOPED
        }
        narrowest = max(narrow_as.values(), default=0)
        fitting = [candidate for candidate in fitting if narrow_as.get(candidate[0], narrowest) == narrowest >= 0]
        fitting = [
            candidate
            for candidate in fitting
            if candidate[1].framework != PLAYWRIGHT or self._loads(step.path, candidate[0][0])
        ]
        fitting = self._methods(fitting, step)
        running = [suite for suite in self._suites if suite.runs(step.path, step.tags)]
        contexts = [candidate for candidate in fitting if candidate[1].framework == "behat"] if running else []
        fitting = [candidate for candidate in fitting if candidate not in contexts]
        profiles = [profile for profile in self._profiles if profile.runs(step.path)]
        required = [candidate for candidate in fitting if candidate[1].framework == "cucumber-ruby"] if profiles else []
        fitting = [candidate for candidate in fitting if candidate not in required]
        blocks = [
            (candidate, self._block(candidate[1])) for candidate in fitting if candidate[1].framework in FRAMEWORKS
        ]
        fitting = [candidate for candidate in fitting if candidate[1].framework not in FRAMEWORKS]
        own = [candidate for candidate in fitting if _shared(step.path, candidate[0][0]) == self._home(candidate[0][0])]
        by_framework: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in own or fitting:
            by_framework[candidate[1].framework].append(candidate)
        chosen = {framework: _nearest(step.path, candidates) for framework, candidates in sorted(by_framework.items())}
        for framework, first_of in _CHOOSING.items():
            if framework in chosen:
                chosen[framework] = [min(chosen[framework], key=lambda candidate: first_of(candidate[0], candidate[1]))]
        bindings = {framework: _bound(group) for framework, group in chosen.items()}
        for framework in _SCOPED & bindings.keys():  # several attributes of one method are one match
            bindings[framework] = tuple(dict.fromkeys(bindings[framework]))
        for suite in running:
            loaded = [context for context in contexts if context[0][0] in suite.sources]
            if loaded:
                bindings[f"behat, {suite.name}"] = _bound(loaded)
        for profile in profiles:
            loaded = [candidate for candidate in required if profile.loads(candidate[0][0])]
            if loaded:
                bindings[f"cucumber-ruby, {profile.name}"] = _bound(loaded)
        for path in sorted({candidate[0][0] for candidate, _ in blocks}):
            inside = [
                candidate
                for candidate, at in blocks
                if candidate[0][0] == path and at is not None and _is_in(at, step, candidate[1])
            ]
            narrow = [
                candidate
                for candidate in inside
                if (at := self._block(candidate[1])) is not None and (at.scenario or at.background)
            ]
            if inside:
                bindings[f"in {path}"] = _bound(narrow or inside)
        shared = [candidate for candidate, at in blocks if at is None]
        return bindings or {"shared": _bound(_nearest(step.path, shared))} if shared else bindings

    def _methods(self, fitting: Sequence[Candidate], step: ReadStep) -> list[Candidate]:
        """Turnip's definitions are methods named by their expressions: of several with one name, that of a module under
        the step's tag counts, otherwise the last (define.rb)."""
        tags = {tag.lstrip("@") for group in step.tags for tag in group}
        counting: dict[str, Candidate] = {}
        ranked = []
        for candidate in fitting:
            tag = (
                tag_of_turnip(self._sources[candidate[1].path], candidate[1].line)
                if candidate[1].framework == TURNIP
                else ""
            )
            if candidate[1].framework == TURNIP and (not tag or tag in tags):
                ranked.append((bool(tag), candidate))
        for _, candidate in sorted(ranked, key=lambda pair: (pair[0], pair[1][0])):
            counting[candidate[1].expression] = candidate
        return [*(candidate for candidate in fitting if candidate[1].framework != TURNIP), *counting.values()]

    def _loads(self, feature: str, source: str) -> bool:
        """True if Playwright's configuration nearest to a feature is around a source too, or names a path to it."""
        folders = [str(folder) for folder in PurePath(feature).parents if str(folder) in self._configured]
        if not folders:
            return True
        own = [str(folder) for folder in PurePath(source).parents if str(folder) in self._configured]
        globs = re.findall(r"['\"`](\.\.?/[^'\"`]*)['\"`]", self._configured[folders[0]])
        places = [os.path.normpath(f"{folders[0]}/{re.split(r'[*{$]', glob)[0]}") for glob in globs]
        return own[:1] == folders[:1] or any(os.path.normpath(source).startswith(place) for place in places)

    def _block(self, definition: StepDefinition) -> Home | None:
        """The block of a definition; edits keep lines where they are in such files."""
        return home_of(self._sources[definition.path], definition.line) if definition.path in self._sources else None

    def _tags(self, definition: StepDefinition) -> Sequence[str]:
        text = self._sources.get(definition.path, "") if definition.framework == PLAYWRIGHT else ""
        number = definition.literal.line, definition.literal.column
        lines = text.splitlines(keepends=True)
        start = sum(map(len, lines[: number[0] - 1])) + number[1] - 1
        literal = _LITERAL.match(text, start)  # as it was: an edit may have made it longer
        return tags_of(text, start, literal.end()) if literal is not None else ()

    def _scope(self, definition: StepDefinition, step: ReadStep) -> int:
        """The number of conditions in the narrowest scope of a definition that holds for a step; -1 if none does."""
        text = self._sources.get(definition.path, "") if definition.framework in _SCOPED else ""
        scopes = scopes_of(text, definition.line) if text else []
        reached = [len(scope) for scope in scopes if _is_in_scope(scope, step)]
        return max(reached, default=-1 if scopes else 0)

    def _home(self, source: str) -> int:
        """The depth of the folder that a source shares with its nearest feature: steps farther away belong to others,
        if another definition matches them."""
        if source not in self._homes:
            folders = {str(PurePath(path).parent / "x") for path in self.steps}
            self._homes[source] = max((_shared(folder, source) for folder in folders), default=0)
        return self._homes[source]

    def _touched(
        self,
        definitions: Mapping[str, Sequence[StepDefinition]],
        sources: Iterable[str],
        changed: Sequence[tuple[ReadStep, ReadStep]],
    ) -> list[tuple[ReadStep, ReadStep]]:
        """Steps that are not edited, but that a rewritten expression matched or matches."""
        rewritten = {
            key
            for path in sources
            for a, b in zip(self.definitions.get(path, ()), definitions[path], strict=False)
            if key_of(a) != key_of(b)
            for key in (key_of(a), key_of(b))
        }
        matches = self.engines.matches(rewritten, self._texts)
        said = {text for texts in matches.values() for text in texts}
        edited = {(before.path, before.line) for before, _ in changed}
        return [
            (step, step)
            for steps in self.steps.values()
            for step in steps
            if (step.path, step.line) not in edited and not said.isdisjoint(step.said)
        ]

    def _matching(
        self, definitions: Mapping[str, Sequence[StepDefinition]], texts: Sequence[str]
    ) -> dict[str, list[Candidate]]:
        by_key: dict[Key, list[tuple[Name, StepDefinition]]] = defaultdict(list)
        for path, group in definitions.items():
            first: dict[str, int] = {}
            for number, definition in enumerate(group):
                by_key[key_of(definition)].append(
                    ((path, first.setdefault(definition.function_id, number)), definition)
                )
        candidates: dict[str, list[Candidate]] = defaultdict(list)
        for key, matched in self.engines.matches(by_key, texts).items():
            for text, captured in matched.items():
                candidates[text] += [(name, definition, captured) for name, definition in by_key[key]]
        return candidates


def _is_in_scope(scope: Mapping[str, str], step: ReadStep) -> bool:
    """True if the step is in one of the scope's scenarios."""
    tags = {tag.lstrip("@") for group in step.tags for tag in group}
    return all(
        {"Tag": value.lstrip("@") in tags, "Feature": value == step.feature, "Scenario": value in step.titles}[name]
        for name, value in scope.items()
    )


def _answers(expressions: Sequence[str], tags: Sequence[Sequence[str]]) -> bool:
    """True if the tag expressions hold for some scenario."""
    parsed = [parse(expression) for expression in expressions]
    return not parsed or any(all(expression.evaluate(list(group)) for expression in parsed) for group in tags)


def _is_in(at: Home, step: ReadStep, definition: StepDefinition) -> bool:
    """True if a step is in a block. vitest-cucumber has blocks for backgrounds, jest-cucumber has none."""
    if definition.framework == VITEST and bool(at.background) != bool(step.background):
        return False
    return at.holds(definition.path, step.path, step.titles, background=step.background)


def _bound(candidates: Iterable[Candidate]) -> tuple[tuple[Name, Captured], ...]:
    return tuple(sorted(((name, captured) for name, _, captured in candidates), key=lambda named: named[0]))


def _expressions(
    bound: Sequence[tuple[Name, Captured]], candidates: Sequence[Candidate]
) -> list[tuple[str, tuple[str | None, ...]]]:
    """The expressions of functions with their captures, without names of arguments."""
    kept = []
    for name, captured in bound:
        expressions = {one.expression for other, one, theirs in candidates if other == name and theirs == captured}
        values = tuple(None if value is None else _NAME.sub("", value) for value in captured)
        kept += [(expression, values) for expression in sorted(expressions)]
    return sorted(kept)


_NAME = re.compile(r"\A[^\W\d]\w*=")
"""Engines that pass by name put the name before the value."""


def _registered(name: Name, definition: StepDefinition) -> tuple[object, ...]:
    """behave takes the first of the step's own keyword, then the first of any; of the decorators on one function the
    lowest runs first."""
    function = definition.function.start_byte if definition.function is not None else definition.literal.start_byte
    return not definition.keyword_types, name[0], function, -definition.literal.start_byte


def _collected(name: Name, definition: StepDefinition) -> tuple[object, ...]:
    """pytest-bdd takes the last one as pytest collects fixtures: by their names, which hold the expression. A module's
    own goes before those of its `conftest.py`."""
    fixture = f"{next(iter(definition.keyword_types), '*')}_{definition.expression}"
    return name[0].endswith("conftest.py"), (*(-ord(sign) for sign in fixture), 1)


def _first(name: Name, definition: StepDefinition) -> tuple[object, ...]:
    """godog takes the first that was registered (suite.go); a strict one refuses the step."""
    return name[0], definition.literal.start_byte


_CHOOSING: dict[str, Callable[[Name, StepDefinition], tuple[object, ...]]] = {
    "behave": _registered,
    "godog": _first,
    "pytest-bdd": _collected,
}
"""Runners that never call several matches ambiguous: the definition that they take is first."""


def _shared(path: str, other: str) -> int:
    return len(os.path.commonpath([PurePath(path).parent, PurePath(other).parent]))


def _nearest(path: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    deepest = max(_shared(path, name[0]) for name, _, _ in candidates)
    return [candidate for candidate in candidates if _shared(path, candidate[0][0]) == deepest]


def _names(bound: Bound) -> dict[str, list[Name]]:
    return {framework: [name for name, _ in matches] for framework, matches in bound.items()}
