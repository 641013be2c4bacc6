"""PHP."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.behat import CONFIGURATIONS
from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.call_literals import JOINED_BY_DOT, literal_at
from cukereuse_engine.refactor.call_style import CallStyle, Others, ValueKind, Way
from cukereuse_engine.refactor.calls import whole
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame, NoNewFileError
from cukereuse_engine.refactor.code_parts.snippet import NewCode, Snippet, block, camel
from cukereuse_engine.refactor.code_parts.step_function import DifferingConstant, FunctionSource
from cukereuse_engine.refactor.creation.new_file import class_of, ending_of
from cukereuse_engine.refactor.edits import ChangedFileError, source_text, span_edit
from cukereuse_engine.refactor.expressions.literals import escaped
from cukereuse_engine.refactor.rename_plan import FileEdits
from cukereuse_engine.refactor.step_call import CodePlaces, StepCall
from cukereuse_engine.refactor.writing import StepCalls, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    around: Style = lambda text: text  # noqa: E731
    if definition.kind is ExpressionKind.REGEX:
        inner = literal if _in_doc_comment(definition) else literal[1:-1]
        delimiter = inner[:1]
        closing = "}" if delimiter == "{" else delimiter
        flags = inner[inner.rindex(closing) + 1 :]
        around = lambda text: f"{delimiter}{text}{closing}{flags}"  # noqa: E731
    if _in_doc_comment(definition):
        return [lambda text: _doc_comment(around(text) or "")]
    style = _double if literal.startswith('"') else _single
    return [lambda text: style(around(text) or "")]


def _in_doc_comment(definition: StepDefinition) -> bool:
    """True if the expression is bare in a comment, not a string of an attribute."""
    literal = definition.source_literal
    if definition.kind is ExpressionKind.REGEX:
        return literal[:1] in "/~#`{"
    return literal == definition.expression


def _doc_comment(text: str) -> str | None:
    if "*/" in text or re.search(r"[\r\n]", text) or text.endswith("\\") or text != text.strip():
        return None
    return text


def _single(text: str) -> str:
    return "'" + re.sub(r"\\(?=[\\']|\Z)|'", r"\\\g<0>", text) + "'"


def _double(text: str) -> str:
    return '"' + escaped(text, '"', "$") + '"'


def _calls(path: str, source: str, code: CodePlaces) -> Iterator[StepCall]:
    for match in re.finditer(r"\bnew\s+(?:\\?(?:\w+\\)*)(?:Given|When|Then)\(\s*([\"'])", source):
        literal = literal_at(source, match.end(), match.group(1), inserts=match.group(1) == '"')
        if literal is not None and code.holds(match.start()):
            for call in whole(path, source, literal, JOINED_BY_DOT):
                yield replace(call, plain=call.plain and "$" not in call.step.text, unsafe=call.unsafe + "$")


def _snippet(draft: Snippet) -> NewCode:
    taken = [f"${camel(parameter.name)}" for parameter in draft.phrase.parameters]
    taken += {
        "docstring": ["\\Behat\\Gherkin\\Node\\PyStringNode $string"],
        "table": ["\\Behat\\Gherkin\\Node\\TableNode $table"],
    }.get(draft.argument or "", [])
    head = draft.head.strip()
    written = [head] if head.startswith("#[") else ["/**", f" * {head.lstrip('/* ')}", " */"]
    body = draft.lines(["throw new \\Behat\\Behat\\Tester\\Exception\\PendingException();"])
    return NewCode(block(draft, *written, f"public function {draft.name}({draft.taken(taken)}): void", "{", *body, "}"))


def _frame(asked: Asked) -> Frame:
    """A context in the model's namespace."""
    text = asked.text
    strict = re.search(r"^declare\(\s*strict_types\s*=\s*1\s*\);", text, re.MULTILINE)
    namespace = re.search(r"^namespace\s+[\w\\]+\s*;", text, re.MULTILINE)
    attribute = re.search(r"^use\s+Behat\\Step\\\w+\s*;", text, re.MULTILINE)
    uses = ["use Behat\\Behat\\Context\\Context;"]
    uses += [f"use Behat\\Step\\{asked.keyword};"] if attribute is not None else []
    opening = f"class {asked.name} implements Context\n{{"
    first = [match.group(0) for match in (strict, namespace) if match is not None]
    return Frame("\n\n".join(["<?php", *first, "\n".join(uses), opening]), "}\n", gap="\n")


def _registrations(model: StepDefinition, text: str, path: str, read: Callable[[str], bytes]) -> Iterator[FileEdits]:
    """Behat loads the contexts that its configuration lists: the new one goes before the model's, wherever that is
    listed."""
    namespace = re.search(r"^namespace\s+([\w\\]+)\s*;", text, re.MULTILINE)
    prefix = f"{namespace.group(1)}\\" if namespace is not None else ""
    old = re.escape(prefix + class_of(model, text)).replace(r"\\", r"\\{1,2}")
    listed = re.compile(rf"^([ \t]*-[ \t]+)(['\"]?)\\?{old}(['\"]?)[ \t]*:?[ \t]*$", re.MULTILINE)
    for configuration in _configurations(Path(model.path)):
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
                    source, match.start(), match.start(), f"{match[1]}{match[2]}{name}{match[2]}{ending_of(source)}"
                )
            )
        if edits:
            yield FileEdits(str(configuration), content_hash(data), tuple(edits), is_glue=False, encoding="utf-8")
            return
    raise NoNewFileError(f"no behat.yml lists {prefix}{class_of(model, text)}, and Behat loads only what is listed")


def _configurations(path: Path) -> Iterator[Path]:
    for folder in list(path.parents)[:_UP]:
        for name in CONFIGURATIONS:
            yield folder / name


_UP = 6
"""Number of folders above a context that are searched for Behat's configuration."""


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    back = "return " if function.gives_back() else ""
    return f"{back}$this->{name}({', '.join(arguments)});"


def _escaped_regex(text: str, definition: StepDefinition) -> str:
    """The text with the delimiter of the definition's regex escaped; braces need no escape."""
    match = re.search(r"[~/#`{]", definition.source_literal)
    delimiter = match.group() if match is not None else "/"
    return text.replace(delimiter, "\\" + delimiter) if delimiter not in "{}" else text


def _constant_type(constant: DifferingConstant, typed: bool) -> str:
    return "string" if typed and constant.is_text else ""


_FETCHED = re.compile(
    r"\$this->(?P<name>\w+)\s*=\s*\$[\w>()-]*->getContext\("
    r"\s*(?:(?P<named>[\w\\]+)::class|(?P<quote>['\"])(?P<said>[\w\\]+)(?P=quote))\s*\)"
)

WRITING = Writing(
    literals=_literals,
    escaped_regex=_escaped_regex,
    step_calls=StepCalls(re.compile(rb"\bnew\s+[\w\\]*(?:Given|When|Then)\("), _calls),
    defaults_last=True,
    comment_line=re.compile(rb"[ \t]*\*[ \t]*@(?:Given|When|Then)\b[^\n]*\n"),
    snippet=_snippet,
    frame=_frame,
    registrations=_registrations,
    class_suffix="Context",
    keyword=lambda before, wanted, _written: f"\\Behat\\Step\\{wanted}" if before.rstrip().endswith("#[") else wanted,
    shared_call=_shared_call,
    private="private function ",
    variable="${name}",
    declaration="{type} {name}",
    constant_type=_constant_type,
    calling=CallStyle(
        {"behat": Others.NONE},
        lambda value, _: "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'",
        Way.OBJECTS,
        types={"string": ValueKind.TEXT, "?string": ValueKind.TEXT, "int": ValueKind.INT, "float": ValueKind.FLOAT},
        call="$this->{name}({arguments})",
        variable="${name}",
        member="{object}->{name}",
        in_class=True,
        fetched=_FETCHED,
    ),
)
