"""Finds what scenarios run, by the independent binder and the official pickles compiler.

Step definitions that only run steps, or only call functions of others, are replaced by these. Regular expressions read
them line by line, without a tree: the product writes one call, or one step, on each line.
"""

import json
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from gherkin import Parser
from gherkin.errors import ParserError
from gherkin.pickles.compiler import Compiler
from gherkin.token_scanner import TokenScanner

from cukereuse_engine.glue.definition import StepDefinition

from .binder import Binder

Came = frozenset[tuple[frozenset[str], tuple[str, ...]]]
"""What a step may run: the expressions of a function, and its values in alphabetical order. There are several only if
the binder can't choose."""

_CALL = re.compile(
    r"\s*(?:await\s+)?(?:\$this->|this\.)?(?P<at>(?:\w+::)*)(?P<name>\w+)(?:\.call)?\((?P<given>.*)\)(?:\.await)?\??;?\s*\Z"
)
_KARATE_CALL = re.compile(r"call read\('([^']+)'\)(?: \{ (.*) \})?")
_KARATE_PASSED = re.compile(r"(\w+): ('[^']*'|[-\d.]+)")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\{[^{}]*\}|[^,"\'{}]+')
_COPIES = re.compile(r"\.(?:clone|to_string)\(\)")
_NAMED = re.compile(r"\A[^\W\d]\w*=")
"""The binder's engines name Python's arguments."""
_ONLY_RUNS = re.compile(r'\)\s*:\s*\w+\.execute_steps\(\s*[fu]?"""[^"]*(?:"(?!"")[^"]*)*"""\s*\)\s*\Z')
_IDENTIFIER = re.compile(r"\$?[^\W\d]\w*")


class Expansion:
    """A state of a repository; `older` knows which step definitions are new in it. `unfolded`: expressions of old
    definitions that are nevertheless replaced by what they run; then also behave's that only run steps."""

    def __init__(
        self,
        features: Mapping[str, bytes],
        sources: Mapping[str, bytes],
        older: "Expansion | None" = None,
        unfolded: Collection[str] = (),
    ) -> None:
        self._features, self._sources = features, sources
        self._come: frozenset[str] = frozenset()
        """Feature files that the older states lack: Karate's, which are called."""
        if older is not None:
            self._come = older._come | (features.keys() - older._features.keys())
        self._active: list[str] = []
        """Texts that are being run."""
        self._binder = Binder(features, sources)
        self._everything = self._binder.everything()
        self._definitions = [definition for group in self._binder.definitions.values() for definition in group]
        self.known: frozenset[tuple[str, str]] = frozenset(
            (definition.path, definition.expression) for definition in self._definitions
        )
        self._new = {
            definition.expression: definition
            for definition in self._definitions
            if definition.expression in unfolded
            or (older is not None and (definition.path, definition.expression) not in older.known)
            or (unfolded and self._only_runs_steps(definition))
        }
        if older is not None:
            self.known |= older.known
            self._new |= older._new_still(self._definitions)

    def _only_runs_steps(self, definition: StepDefinition) -> bool:
        if definition.framework != "behave" or definition.function is None:
            return False
        return _ONLY_RUNS.search(re.sub(r"(?m)^\s*#.*\n", "", self._code(definition))) is not None

    def _new_still(self, definitions: Sequence[StepDefinition]) -> dict[str, StepDefinition]:
        return {definition.expression: definition for definition in definitions if definition.expression in self._new}

    @property
    def unknown(self) -> int:
        """Expressions without an engine here: steps that bind to them look unbound."""
        return len(self._binder.engines.unknown)

    def scenarios(self) -> dict[str, list[list[Came]]]:
        """Maps a path to its scenarios as they are run, each row of an outline separately, in order."""
        calls = {}
        for path, data in self._features.items():
            if path in self._come:
                continue
            try:
                document = cast("Any", Parser().parse(TokenScanner(data.decode("utf-8-sig"))))
            except (ParserError, UnicodeDecodeError, KeyError):
                continue
            if not document.get("feature"):
                continue
            document["uri"] = path
            lines = dict(_lines(document))
            numbers = {
                (step.line, text): number
                for step in self._binder.steps.get(path, ())
                for number, text in enumerate(step.said)
            }
            calls[path] = [
                [came for step in pickle["steps"] for came in self._step(path, lines, numbers, step)]
                for pickle in cast("Any", Compiler().compile(document))
            ]
        return calls

    def _step(
        self, path: str, lines: Mapping[str, int], numbers: Mapping[tuple[int, str], int], step: Any
    ) -> list[Came]:
        line = next(lines[node] for node in step["astNodeIds"] if node in lines)
        number = numbers.get((line, step["text"]))
        bindings = self._everything.get((path, line), ())
        served = (
            [served_by for group in bindings[number].values() for served_by in group]
            if number in range(len(bindings))
            else []
        )
        if not served:
            return [frozenset({(frozenset((text,)), ())}) for text in self._called(path, step["text"])]
        if any(expression in self._new for expression, _ in served):
            return self._run(step["text"])  # with the names of captures, which definitions don't have
        return [frozenset((self._function(expression), _sorted(captured)) for expression, captured in served)]

    def _called(self, path: str, text: str) -> Iterator[str]:
        """The result of a Karate statement, with double quotes as single ones: for a call of a new file, the lines
        below its `Scenario`, with each passed `name` replaced by its value."""
        call = _KARATE_CALL.fullmatch(text)
        called = posixpath.normpath(posixpath.join(posixpath.dirname(path), call[1])) if call is not None else ""
        if call is None or called not in self._come:
            yield re.sub(r"\"([^\"']*)\"", r"'\1'", text)
            return
        passed = dict(_KARATE_PASSED.findall(call[2] or ""))
        _, _, statements = self._features[called].decode("utf-8").partition("Scenario:")
        for line in statements.splitlines()[1:]:
            _, _, statement = line.strip().partition(" ")
            for name, value in passed.items():
                statement = re.sub(rf"\b{name}\b", lambda _, value=value: value, statement)
            yield from self._called(called, statement.strip())

    def _function(self, expression: str) -> frozenset[str]:
        ids = {definition.function_id for definition in self._definitions if definition.expression == expression}
        return frozenset(definition.expression for definition in self._definitions if definition.function_id in ids)

    def _inside(self, definition: StepDefinition, values: Sequence[str]) -> list[Came]:
        code = self._code(definition)
        texts = _steps_in(code, definition.framework)
        taken = _taken(code)
        given = dict(zip(taken[len(taken) - len(values) :], map(_bare, values), strict=True)) if values else {}
        if all(_NAMED.match(value) and value.partition("=")[0] in taken for value in values):  # in alphabetical order
            given = {value.partition("=")[0]: value.partition("=")[2] for value in values}
        if texts is not None:
            return [came for text in texts for came in self._run(_filled(text, given, definition.framework))]
        runs: list[Came] = []
        for line in code.splitlines():
            call = _CALL.match(line)
            if call is None or call["name"] in ("Given", "When", "Then", "Step", "given", "when", "then", "Ok"):
                continue
            passed = []
            for token in _TOKEN.findall(_COPIES.sub("", call["given"])):
                word = token.strip()
                if word and (not _IDENTIFIER.fullmatch(word) or word.lstrip("$") in given) and not word.startswith("{"):
                    passed.append(given.get(word.lstrip("$"), _literal(word)))
            expressions = self._named(self._file(definition.path, call["at"]), call["name"], len(passed))
            if not expressions:
                continue
            inner = next((self._new[expression] for expression in expressions if expression in self._new), None)
            if inner is not None:
                runs += self._inside(inner, passed)
            else:
                runs.append(frozenset({(expressions, _sorted(passed))}))
        return runs

    def _file(self, path: str, module: str) -> str:
        """The file that a call in Rust refers to: the one with the name of its last module."""
        name = module.removesuffix("::").rpartition("::")[2]
        if name in ("", "self", "super", "crate"):
            return path
        files = [source for source in self._sources if source.endswith((f"/{name}.rs", f"/{name}/mod.rs"))]
        return files[0] if len(files) == 1 else path

    def _named(self, path: str, name: str, passed: int) -> frozenset[str]:
        text = self._sources[path].decode("utf-8")
        declared = re.search(rf"\b(?:const|let|var)\s+{name}\s*=\s*\w+\(", text)
        if declared is not None:
            line = text.count("\n", 0, declared.start()) + 1
            after = [
                definition for definition in self._definitions if definition.path == path and definition.line >= line
            ]
            return (
                self._function(min(after, key=lambda definition: definition.line).expression) if after else frozenset()
            )
        own = [
            definition
            for definition in self._definitions
            if definition.path == path and definition.function_name == name
        ]
        if not own and (imported := self._imported(path, name)) is not None:
            return self._named(imported, name, passed)
        if len({definition.function_id for definition in own}) > 1:  # overloads
            own = [definition for definition in own if len(_taken(self._code(definition))) == passed]
        return frozenset(definition.expression for definition in own)

    def _imported(self, path: str, name: str) -> str | None:
        """The file from which a script imports a name; None if it is unknown."""
        text = self._sources[path].decode("utf-8")
        match = re.search(rf"\{{[^{{}}]*\b{name}\b[^{{}}]*\}}\s*(?:from|=\s*require\()\s*[\"'](\.[^\"']*)[\"']", text)
        if match is None:
            return None
        module = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
        files = (module, *(f"{module.removesuffix('.js')}.{ending}" for ending in ("js", "ts", "mjs", "cjs", "mts")))
        return next((file for file in files if file in self._sources and file != path), None)

    def _code(self, definition: StepDefinition) -> str:
        assert definition.function is not None
        span = definition.function
        return self._sources[definition.path][span.start_byte : span.end_byte].decode("utf-8")

    def _run(self, text: str) -> list[Came]:
        matching = self._binder._matching(self._binder.definitions, [text]).get(text, ())
        for _, definition, captured in matching:
            if definition.expression in self._new and text not in self._active:  # it may run itself with a table
                self._active.append(text)
                try:
                    return self._inside(self._new[definition.expression], [value or "" for value in captured])
                finally:
                    self._active.pop()
        if not matching:  # its expression has no engine here
            return [frozenset({(frozenset((text,)), ())})]
        return [
            frozenset(
                (self._function(definition.expression), _sorted(captured)) for _, definition, captured in matching
            )
        ]


def differences(before: Expansion, after: Expansion) -> Iterator[str]:
    """Scenarios that would run something else, a sentence for each."""
    was, now = before.scenarios(), after.scenarios()
    for path in was.keys() | now.keys():
        old, new = was.get(path, []), now.get(path, [])
        if len(old) != len(new):
            yield f"{path}: {len(old)} scenarios before, {len(new)} after"
        for number, (one, other) in enumerate(zip(old, new, strict=False)):
            if len(one) != len(other) or any(a.isdisjoint(b) for a, b in zip(one, other, strict=True)):
                yield f"{path}: scenario {number + 1} runs {_shown(one)} before and {_shown(other)} after"


def _shown(scenario: Sequence[Came]) -> str:
    return "; ".join(
        f"{min(expressions)} {values}" for came in scenario for expressions, values in sorted(came, key=str)[:1]
    )


def _lines(node: Any) -> Iterator[tuple[str, int]]:
    if isinstance(node, dict):
        if "keywordType" in node:
            yield node["id"], node["location"]["line"]
        for child in node.values():
            yield from _lines(child)
    elif isinstance(node, list):
        for child in node:
            yield from _lines(child)


def _bare(value: str | None) -> str:
    value = _NAMED.sub("", value or "")
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _sorted(values: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(sorted(_number(_bare(value)) for value in values))


def _number(value: str) -> str:
    return value.removesuffix(".0")


def _literal(written: str) -> str:
    if written[:1] == "'":
        return re.sub(r"\\(['\\])", r"\1", written[1:-1])
    if written[:1] == '"':
        return str(json.loads(written.replace("\\$", "$")))
    return written.lower() if written in ("True", "False") else written


def _taken(code: str) -> list[str]:
    """Names of the parameters; a pattern counts as one."""
    ruby = re.search(r"\bdo\s*\|([^|]*)\|", code)
    if ruby is not None:
        return [name.strip() for name in ruby[1].split(",")]
    heads = [
        line for line in code.splitlines() if re.search(r"\b(?:def|function|fun|fn|func|void|Task)\b|=>\s*\{", line)
    ]
    match = re.search(r"\(([^()]*)\)[^()]*\Z", re.sub(r"-> .*", "", heads[0])) if heads else None
    names = []
    for part in re.sub(r"\{[^{}]*\}", "fixtures", match[1]).split(",") if match is not None else ():
        words = re.findall(r"\w+", part.partition(":")[0])
        if words:
            names.append(words[0] if heads[0].lstrip().startswith("func") and len(words) > 1 else words[-1])
    return names


def _steps_in(code: str, framework: str) -> list[str] | None:
    if framework == "behave" and "execute_steps(" in code:
        call = code.partition("execute_steps(")[2]
        parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', call)
        body = call.split('"""')[1] if '"""' in call else "".join(parts).replace("\\n", "\n")
        return [re.sub(r"^\s*\S+\s", "", line) for line in body.splitlines() if line.strip()]
    if framework == "cucumber-ruby" and "steps <<~STEPS" in code:
        body = code.split("STEPS\n")[1]
        return [re.sub(r"^\s*\S+\s", "", line) for line in body.splitlines() if line.strip()]
    if framework == "godog" and "godog.Steps{\n" in code:
        return [
            line.strip().rstrip(",")
            for line in code.split("godog.Steps{\n")[1].splitlines()
            if line.strip() not in ("", "}")
        ]
    if framework in ("specflow", "reqnroll") and _RUN_BY_SPECFLOW.search(code):
        return [text.replace('\\"', '"') for text in _RUN_BY_SPECFLOW.findall(code)]
    return None


def _filled(text: str, given: Mapping[str, str], framework: str) -> str:
    if framework == "godog":
        parts = [
            given.get(name.strip(), "") if name[:1] != '"' else json.loads(name) for name in _GO_PART.findall(text)
        ]
        return "".join(parts)
    pattern = r"\{(\w+)\}" if framework in ("behave", "specflow", "reqnroll") else r"#\{(\w+)\}"
    filled = re.sub(pattern, lambda match: given.get(match[1], match[0]), text)
    filled = filled.replace("{{", "{").replace("}}", "}") if framework == "behave" and given else filled
    return filled.replace('\\"', '"').replace("\\\\", "\\")


_RUN_BY_SPECFLOW = re.compile(r'(?m)^\s*(?:Given|When|Then|And|But)\(\$?"((?:[^"\\]|\\.)*)"\);')
_GO_PART = re.compile(r'"(?:[^"\\]|\\.)*"|\w+')
