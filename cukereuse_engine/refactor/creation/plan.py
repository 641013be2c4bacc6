"""Where a new definition goes, and whether what was written serves."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.glue import expanded_texts
from cukereuse_engine.glue.languages.base import extract
from cukereuse_engine.glue.matchers import compile_definition
from cukereuse_engine.refactor.creation.code import Body, Code, Draft, code_of, function_name, head_line, head_of
from cukereuse_engine.refactor.creation.phrase import Phrase, phrase_of
from cukereuse_engine.refactor.edits import ChangedFileError, edited, source_text, span_edit
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.model import FileEdits, TextEdit

_LOAD_ALL = frozenset(["behave", "cucumber-ruby", "cucumber-js"])
"""Runners that load each file beside the others, and need no class in it."""
_SUFFIX = re.compile(r"(?<=\w)(?:[_.-]steps?|Steps?)(?:\.\w+)+$")
"""What a suite may add to the names of all its files."""
_IMPORT = re.compile(r"(?:from|import|const|let|var)\b")
_KEYWORDS = {KeywordType.CONTEXT: "Given", KeywordType.ACTION: "When", KeywordType.OUTCOME: "Then"}


class NoCreationError(CukereuseError):
    """There is no definition to write; the message says why."""


def model_for(bound: Iterable[StepDefinition], candidates: Iterable[StepDefinition]) -> StepDefinition | None:
    """The definition that a new one is written like, and below: the last of the file that most of the steps `bound`
    in the same feature bind to, else of the file with most definitions. None where no definition can be copied."""
    definitions = [definition for definition in candidates if _can_be_copied(definition)]
    if not definitions:
        return None
    paths = Counter(definition.path for definition in bound if _can_be_copied(definition)) or Counter(
        definition.path for definition in definitions
    )
    (path, _), *_ = sorted(paths.items(), key=lambda pair: (-pair[1], pair[0]))
    there = [definition for definition in definitions if definition.path == path]
    usual = Counter(_writing(definition) for definition in there).most_common(1)[0][0]
    return max(
        (definition for definition in there if _writing(definition) == usual),
        key=lambda definition: definition.literal.start_byte,
        default=None,
    )


def _writing(definition: StepDefinition) -> tuple[str, str]:
    kind = (
        ExpressionKind.PARSE if definition.kind in (ExpressionKind.CFPARSE, ExpressionKind.LITERAL) else definition.kind
    )
    return definition.framework, kind.value


def _can_be_copied(definition: StepDefinition) -> bool:
    in_place = definition.function is not None and definition.function.path == definition.path
    return definition.rewritable and (in_place or definition.language == "go")


def plan_creation(
    step: Step,
    model: StepDefinition,
    read: Callable[[str], bytes],
    body: Callable[[Phrase], Body] | None = None,
    values: Collection[str] | None = None,
    new: str = "",
) -> FileEdits:
    """The edits of the model's file. `body`: what the function does; else it is left to be written. `values`: what
    alone is an argument in the step's text; None: whatever looks so. `new`: a file that is not there, as `new_file_for`
    names it, for which the edits are then; all of it is one. Raises `NoCreationError`, `OSError`."""
    data = read(model.path)
    try:
        text = source_text(data)
        keyword = _KEYWORDS.get(step.resolved_type, "Given")
        phrase = phrase_of(step, model, values)
        written = replace(model, kind=phrase.kind)
        literal = requote(written, phrase.expression)
    except (UnwritableError, ChangedFileError) as error:
        raise NoCreationError(f"no step definition can be written here: {error}") from None
    lines, starts = split_lines(text)
    source = _begin_of(model, keyword, text) if new else text
    head = head_of(model, lines, literal, keyword, source)
    if model.framework == "pytest-bdd":
        head = _of_pytest_bdd(head, literal, phrase.kind, text)
    line = head_line(model, lines)
    draft = Draft(
        head=head,
        indent=line[: len(line) - len(line.lstrip())] if model.language != "php" else _indent_of_php(model, lines),
        phrase=phrase,
        keyword=keyword,
        name=function_name(model, phrase, keyword, source),
        argument=step.argument,
        model=model,
        source=text,
        body=body(phrase) if body is not None else None,
    )
    if new:
        gap = "\n\n\n" if model.language == "python" else "\n\n"
        whole = f"{source}{gap if source else ''}{code_of(draft).text}\n"
        _check(step, new, whole)
        edit = TextEdit(0, 0, line=1, column=1, end_line=1, end_column=1, old="", new=whole)
        return FileEdits(path=new, version=content_hash(b""), edits=(edit,), is_glue=True, encoding="utf-8")
    edits = _edits(code_of(draft), model, text, starts)
    _check(step, model.path, edited(text, edits))
    return FileEdits(path=model.path, version=content_hash(data), edits=tuple(edits), is_glue=True, encoding="utf-8")


def new_file_for(model: StepDefinition, feature: str) -> str:
    """Where a file of its own would stand, beside the model's and named after a feature's file; empty for runners that
    would not load it, or not without more than a definition."""
    plain = model.framework != "behave" or model.kind in (ExpressionKind.PARSE, ExpressionKind.LITERAL)
    if model.framework not in _LOAD_ALL or not plain:
        return ""
    path = Path(model.path)
    usual = _SUFFIX.search(path.name)
    stem = re.sub(r"\W+", "_", Path(feature).name.partition(".")[0])
    return str(path.with_name(f"{stem}{usual.group() if usual is not None else path.suffix}"))


def _begin_of(model: StepDefinition, keyword: str, text: str) -> str:
    """What a new file begins with: where its registering functions come from, as the model's file has that."""
    if model.framework == "cucumber-ruby":
        return ""
    package = "behave" if model.framework == "behave" else "@cucumber/cucumber"
    lines = [line.rstrip() for line in text.splitlines() if package in line and _IMPORT.match(line)]
    if not lines:
        raise NoCreationError(f"it can't be told how {model.path} imports {package}")
    if lines[0].startswith("from behave import"):
        return f"from behave import {keyword.lower()}"
    return "\n".join(lines)


def _of_pytest_bdd(head: str, literal: str, kind: ExpressionKind, text: str) -> str:
    """A plain string takes no argument, and a parser is named as the file imports it."""
    decorator = head.partition("(")[0]
    if kind is ExpressionKind.LITERAL:
        return f"{decorator}({literal})"
    if kind is ExpressionKind.PARSE and not re.search(r"\(\s*(?:\w+\.)?c?f?parse\(", head):
        parser = "parse" if re.search(r"import .*\bparse\b", text) else "parsers.parse"
        if parser == "parsers.parse" and not re.search(r"\bparsers\b", text):
            raise NoCreationError("a step with values needs pytest-bdd's parsers; import them in the file first")
        return f"{decorator}({parser}({literal}))"
    return head


def _indent_of_php(model: StepDefinition, lines: list[str]) -> str:
    assert model.function is not None
    line = lines[model.function.line - 1]
    return line[: len(line) - len(line.lstrip())]


def _edits(code: Code, model: StepDefinition, text: str, starts: list[int]) -> list[TextEdit]:
    """Below the model; a function that stands apart at the end of the file."""
    ending = "\r\n" if "\r\n" in text else "\n"
    behind = (
        text.encode("utf-8")[model.literal.end_byte : model.function.start_byte] if model.function is not None else b""
    )
    in_place = re.fullmatch(rb"\s*,\s*", behind) is not None
    after = model.function if model.function is not None and (not code.apart or in_place) else model.literal
    if after.end_line < model.literal.end_line:
        after = model.literal
    at = starts[after.end_line] if after.end_line < len(starts) else len(text)
    missing = "" if text[:at].endswith(("\n", "\r")) or not text[:at] else ending
    gap = ending * (0 if code.apart else 2 if model.language == "python" and not code.text[:1].isspace() else 1)
    new = f"{missing}{gap}{_lines(code.text, ending)}"
    edits = [_inserted(text, at, new)]
    if code.apart:
        missing = "" if text.endswith("\n") or not text else ending
        edits.append(_inserted(text, len(text), f"{missing}{ending}{_lines(code.apart, ending)}"))
    return edits


def _inserted(text: str, at: int, new: str) -> TextEdit:
    """Behind the last line ending a line begins, though nothing stands there."""
    edit = span_edit(text, at, at, new)
    if at != len(text) or not text.endswith(("\n", "\r")):
        return edit
    line = edit.line + 1
    return replace(edit, line=line, column=1, end_line=line, end_column=1)


def _lines(code: str, ending: str) -> str:
    return code.replace("\n", ending) + ending


def _check(step: Step, path: str, text: str) -> None:
    """What was written is read as a definition that matches the step."""
    extracted = extract(path, text.encode("utf-8", "surrogatepass"))
    types = {parameter_type.name: parameter_type for parameter_type in extracted.parameter_types}
    wanted = expanded_texts(step) if step.examples else [step.text]
    for definition in extracted.definitions:
        matcher = compile_definition(definition, types).matcher
        if matcher is not None and all(matcher.match(text) for text in wanted):
            return
    raise NoCreationError("no step definition can be written here: what was written would not match the step")
