"""Plans where a new definition goes, and checks that it works."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.functions.breakage import breaks
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.functions.reading import parse
from cukereuse_engine.gherkin.feature import KeywordType, Step, alike, alike_behind
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.glue.languages.base import extract, refusal
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.glue.matchers import Matcher, compile_definition
from cukereuse_engine.glue.step_binding import expanded_texts
from cukereuse_engine.refactor.code_parts.frames import NoNewFileError
from cukereuse_engine.refactor.code_parts.snippet import Body, NewCode, Phrase, Snippet, head_line
from cukereuse_engine.refactor.creation.code import code_of, function_name, head_of
from cukereuse_engine.refactor.creation.new_file import frame_of, registrations
from cukereuse_engine.refactor.creation.phrase import phrase_of
from cukereuse_engine.refactor.edits import ChangedFileError, edited, edited_bytes, source_text, span_edit
from cukereuse_engine.refactor.expressions.literals import requote
from cukereuse_engine.refactor.expressions.parameters import UnwritableError
from cukereuse_engine.refactor.rename_plan import FileEdits, TextEdit
from cukereuse_engine.refactor.writing import writing_of

_KEYWORDS = {KeywordType.CONTEXT: "Given", KeywordType.ACTION: "When", KeywordType.OUTCOME: "Then"}


class NoCreationError(CukereuseError):
    """No definition can be written; the message says why."""


def model_for(
    step: Step, bound: Iterable[StepDefinition], candidates: Iterable[StepDefinition]
) -> StepDefinition | None:
    """The definition to copy, below which the new one goes: the last of the file that most of the steps `bound` in the
    same feature bind to, otherwise of the file with most definitions. Files whose definitions serve steps of this kind
    come first: others may not import its keyword. None if no definition can be copied."""
    definitions = [definition for definition in candidates if _can_be_copied(definition)]
    if not definitions:
        return None
    path = _file_for(step, [definition.path for definition in bound if _can_be_copied(definition)], definitions)
    there = [definition for definition in definitions if definition.path == path]
    usual = Counter(_writing(definition) for definition in there).most_common(1)[0][0]
    return max(
        (definition for definition in there if _writing(definition) == usual),
        key=lambda definition: definition.literal.start_byte,
        default=None,
    )


def _file_for(step: Step, used: Sequence[str], definitions: Sequence[StepDefinition]) -> str:
    """`used`: the files to which the feature's steps bind, once for each; empty: all `definitions` count."""
    serving = {definition.path for definition in definitions if _is_for(step, definition)}
    paths = Counter(path for path in used if path in serving) or Counter(
        used or [definition.path for definition in definitions]
    )
    return min(paths, key=lambda path: (-paths[path], path))


def _writing(definition: StepDefinition) -> tuple[str, str]:
    kind = (
        ExpressionKind.PARSE if definition.kind in (ExpressionKind.CFPARSE, ExpressionKind.LITERAL) else definition.kind
    )
    return definition.framework, kind.value


def _can_be_copied(definition: StepDefinition) -> bool:
    in_place = definition.function is not None and definition.function.path == definition.path
    row = writing_of(definition.language)
    return definition.rewritable and row.snippet is not None and (in_place or row.registered)


def plan_creation(
    step: Step,
    model: StepDefinition,
    read: Callable[[str], bytes],
    body: Callable[[Phrase], Body] | None = None,
    values: Collection[str] | None = None,
) -> FileEdits:
    """The edits of the model's file. `body`: writes what the function does; None: it is left to be written. `values`:
    the arguments in the step's text; None: whatever looks like one. Raises `NoCreationError`, `OSError`."""
    data = read(model.path)
    text = _source(data)
    edits = _edits(_code(step, model, text, text, body, values), model, text, split_lines(text)[1])
    _check(step, model.path, text, edited(text, edits))
    return FileEdits(path=model.path, version=content_hash(data), edits=tuple(edits), is_glue=True, encoding="utf-8")


def plan_creations(
    steps: Sequence[Step], model: StepDefinition, read: Callable[[str], bytes]
) -> tuple[FileEdits, list[tuple[Step, str]]]:
    """The edit of the model's file that writes definitions for these steps, in their order, one for all steps that it
    matches; and the steps without one, with the reason. Raises `NoCreationError` if no step gets one, `OSError`."""
    data = read(model.path)
    text = written = _source(data)
    own: list[_Written] = []
    left: list[tuple[Step, str]] = []
    served: list[Step] = []
    for step in reversed(steps):  # each goes right below the model
        if any(definition.serves(step) for definition in own):
            served.append(step)
            continue
        try:
            code = _code(step, model, written, written)
            after = edited(written, _edits(code, model, written, split_lines(written)[1]))
            definition = _check(step, model.path, written, after)
            both = next((other for other in served if definition.serves(other)), None)
            if both is not None:
                raise NoCreationError(f"its definition would match “{both.text}” too")
            own.append(definition)
            served.append(step)
            written = after
        except NoCreationError as error:
            left.append((step, str(error)))
    if not own:
        raise NoCreationError(left[0][1] if left else "no step lacks a definition")
    edit = _difference(text, written)
    edits = FileEdits(path=model.path, version=content_hash(data), edits=(edit,), is_glue=True, encoding="utf-8")
    return edits, left[::-1]


def _difference(before: str, after: str) -> TextEdit:
    """An edit of whole lines, from the first that differs to the last."""
    start = before.rfind("\n", 0, alike(before, after)) + 1
    behind = alike_behind(before, after, start)
    return _replaced(before, start, len(before) - behind, after[start : len(after) - behind])


def plan_new_file(step: Step, model: StepDefinition, path: str, read: Callable[[str], bytes]) -> tuple[FileEdits, ...]:
    """The edit that writes the new file `path`, as `new_file_for` names it; then the edits of other files without which
    the runner would not load it. Raises `NoCreationError`, `OSError`."""
    text = _source(read(model.path))
    try:
        frame = frame_of(model, text, path, _keyword(step))
        others = registrations(model, text, path, read)
    except NoNewFileError as error:
        raise NoCreationError(str(error)) from None
    whole = frame.whole(_code(step, model, text, frame.begin))
    _check(step, path, "", whole)
    for other in others:
        before = read(other.path)
        if breaks(other.path, before, edited_bytes(other, before)):
            raise NoCreationError(f"the new file can't be registered: {other.path} would no longer parse")
    edit = TextEdit(0, 0, line=1, column=1, end_line=1, end_column=1, old="", new=whole)
    return FileEdits(path=path, version=content_hash(b""), edits=(edit,), is_glue=True, encoding="utf-8"), *others


def _source(data: bytes) -> str:
    try:
        return source_text(data)
    except ChangedFileError as error:
        raise NoCreationError(f"no step definition can be written here: {error}") from None


def _keyword(step: Step) -> str:
    return _KEYWORDS.get(step.resolved_type, "Given")


def _is_for(step: Step, definition: StepDefinition) -> bool:
    """True if its keyword is the step's, or counts for none."""
    return not definition.keyword_types or _keyword(step).lower() in definition.keyword_types


def _code(
    step: Step,
    model: StepDefinition,
    text: str,
    around: str,
    body: Callable[[Phrase], Body] | None = None,
    values: Collection[str] | None = None,
) -> NewCode:
    """The code of a definition. `text`: the model's file. `around`: the code in scope at the definition's place."""
    keyword = _keyword(step)
    try:
        phrase = phrase_of(step, model, values)
        written = replace(model, kind=phrase.kind)
        literal = requote(written, phrase.expression)
    except UnwritableError as error:
        raise NoCreationError(f"no step definition can be written here: {error}") from None
    lines, _ = split_lines(text)
    head = head_of(model, lines, literal, keyword, around)
    if model.framework == "pytest-bdd":
        head = _of_pytest_bdd(head, literal, phrase.kind, text)
    line = head_line(model, lines)
    in_comment = writing_of(model.language).comment_line is not None
    draft = Snippet(
        head=head,
        indent=_indent_of_function(model, lines) if in_comment else line[: len(line) - len(line.lstrip())],
        phrase=phrase,
        keyword=keyword,
        name=function_name(model, phrase, keyword, around),
        argument=step.argument,
        model=model,
        source=text,
        body=body(phrase) if body is not None else None,
    )
    return code_of(draft)


def _of_pytest_bdd(head: str, literal: str, kind: ExpressionKind, text: str) -> str:
    """A plain string takes no arguments, and a parser has the name under which the file imports it."""
    decorator = head.partition("(")[0]
    if kind is ExpressionKind.LITERAL:
        return f"{decorator}({literal})"
    if kind is ExpressionKind.PARSE and not re.search(r"\(\s*(?:\w+\.)?c?f?parse\(", head):
        parser = "parse" if re.search(r"import .*\bparse\b", text) else "parsers.parse"
        if parser == "parsers.parse" and not re.search(r"\bparsers\b", text):
            raise NoCreationError("a step with values needs pytest-bdd's parsers; import them in the file first")
        return f"{decorator}({parser}({literal}))"
    return head


def _indent_of_function(model: StepDefinition, lines: list[str]) -> str:
    assert model.function is not None
    line = lines[model.function.line - 1]
    return line[: len(line) - len(line.lstrip())]


def _edits(code: NewCode, model: StepDefinition, text: str, starts: list[int]) -> list[TextEdit]:
    """The code goes below the model; a function on its own goes to the end of the file."""
    ending = "\r\n" if "\r\n" in text else "\n"
    line = _last_line(model, text.encode("utf-8"), code)
    at = starts[line] if line < len(starts) else len(text)
    missing = "" if text[:at].endswith(("\n", "\r")) or not text[:at] else ending
    lines = 1 if code.text[:1].isspace() else writing_of(model.language).blank_lines
    gap = ending * (0 if code.apart else lines)
    new = f"{missing}{gap}{_lines(code.text, ending)}"
    edits = [_inserted(text, at, new)]
    if code.apart:
        missing = "" if text.endswith("\n") or not text else ending
        edits.append(_inserted(text, len(text), f"{missing}{ending}{_lines(code.apart, ending)}"))
    return edits


def _last_line(model: StepDefinition, data: bytes, code: NewCode) -> int:
    """The 1-based line with which the model ends, the call that registers it included; of a function on its own, only
    the call counts."""
    function = model.function
    if code.apart or function is None or function.end_line < model.literal.end_line:
        return _last_of_statement(model, data)
    call_end = writing_of(model.language).call_end
    closing = call_end.match(data, function.end_byte) if call_end is not None else None
    return function.end_line + (closing.group().count(b"\n") if closing is not None else 0)


def _last_of_statement(model: StepDefinition, data: bytes) -> int:
    """The 1-based line with which the statement around the model's expression ends."""
    literal, blocks = model.literal, GRAMMARS[model.language].blocks
    try:
        root = parse(model.path, data, model.language).root
    except SlowSourceError:
        return literal.end_line
    node, around = None, root.descendant_for_byte_range(literal.start_byte, literal.end_byte)
    while around is not None and around.type not in blocks and around.parent is not None:
        node, around = around, around.parent
    return node.end_point.row + 1 if node is not None else literal.end_line


def _inserted(text: str, at: int, new: str) -> TextEdit:
    return _replaced(text, at, at, new)


def _replaced(text: str, at: int, end: int, new: str) -> TextEdit:
    """The edit; after the last line ending, its place is in a new line."""
    edit = span_edit(text, at, end, new)
    if at != len(text) or not text.endswith(("\n", "\r")):
        return edit
    line = edit.line + 1
    return replace(edit, line=line, column=1, end_line=line, end_column=1)


def _lines(code: str, ending: str) -> str:
    return code.replace("\n", ending) + ending


@dataclass(frozen=True, slots=True)
class _Written:
    """A definition as it was read again."""

    definition: StepDefinition
    matcher: Matcher

    def matches(self, step: Step) -> bool:
        return all(self.matcher.match(text) for text in (expanded_texts(step) if step.examples else [step.text]))

    def serves(self, step: Step) -> bool:
        """True if another step does not need a definition of its own."""
        return _is_for(step, self.definition) and self.matches(step)


def _check(step: Step, path: str, before: str, text: str) -> _Written:
    """Read the written definition, which must match the step. Raises `NoCreationError` otherwise."""
    source = text.encode("utf-8", "surrogatepass")
    if breaks(path, before.encode("utf-8", "surrogatepass"), source):
        raise NoCreationError("no step definition can be written here: the file would no longer parse")
    extracted = extract(path, source)
    types = {parameter_type.name: parameter_type for parameter_type in extracted.parameter_types}
    for definition in extracted.definitions:
        matcher = compile_definition(definition, types).matcher
        written = _Written(definition, matcher) if matcher is not None else None
        if written is not None and written.matches(step):
            reason = refusal(definition)
            if not reason and step.resolved_type in _KEYWORDS and not _is_for(step, definition):
                reason = f"{path} does not import the keyword of {_keyword(step)} steps; import it first"
            if reason:
                raise NoCreationError(f"no step definition can be written here: {reason}")
            return written
    raise NoCreationError("no step definition can be written here: the new definition would not match the step")
