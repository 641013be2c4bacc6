"""Rust."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.call_style import CallStyle, Others, ValueKind, Way
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame, NoNewFileError
from cukereuse_engine.refactor.code_parts.snippet import TODO, NewCode, Snippet, after_literal, block
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.creation.new_file import ending_of
from cukereuse_engine.refactor.edits import ChangedFileError, source_text, span_edit
from cukereuse_engine.refactor.expressions.literals import plain
from cukereuse_engine.refactor.rename_plan import FileEdits
from cukereuse_engine.refactor.writing import Case, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    return [_raw] if definition.source_literal.startswith("r") else [plain('"')]


def _raw(text: str) -> str:
    hashes = max((len(run) for run in re.findall(r'"(#*)', text)), default=-1) + 1
    return f'r{"#" * hashes}"{text}"{"#" * hashes}'


def _snippet(draft: Snippet) -> NewCode:
    types = {"int": "i64", "float": "f64"}
    after = after_literal(draft)
    world = re.search(r"fn\s+\w+\s*\(\s*(\w+\s*:\s*&mut\s+\w+)", after)
    taken = [world.group(1) if world else "world: &mut World"]
    taken += [f"{parameter.name}: {types.get(parameter.type, 'String')}" for parameter in draft.phrase.parameters]
    taken += ["step: &cucumber::gherkin::Step"] if draft.argument else []
    is_async = re.search(r"\basync\s+fn\b", after[:200]) if draft.body is None else draft.body.is_async
    result = f" -> {draft.body.result}" if draft.body is not None and draft.body.result else ""
    head = f"{'async ' if is_async else ''}fn {draft.name}({draft.taken(taken)}){result} {{"
    return NewCode(block(draft, draft.head, head, *draft.lines([f'todo!("{TODO}")']), "}"))


def _frame(asked: Asked) -> Frame:
    """A module beside the model's; attributes register by themselves."""
    world = re.search(r"&mut\s+(\w+)", asked.text)
    own = [line for line in asked.lines() if re.match(r"use\s", line)]
    needed = [line for line in own if world is not None and re.search(rf"\b{world.group(1)}\b", line)][:1]
    if not needed or not needed[0].endswith(";") or "cucumber::{" in needed[0]:
        raise NoNewFileError(f"it is unclear where {asked.model.path} gets its world from")
    return Frame("\n".join([f"use cucumber::{asked.keyword.lower()};", needed[0]]))


_MODULES = ("mod.rs", "lib.rs", "main.rs")


def _registrations(model: StepDefinition, text: str, path: str, read: Callable[[str], bytes]) -> Iterator[FileEdits]:
    """Rust compiles the files that a module names."""
    del text
    own = Path(model.path)
    declared = re.compile(rf"^([ \t]*(?:pub(?:\([\w ]+\))?[ \t]+)?mod[ \t]+){own.stem}[ \t]*;", re.MULTILINE)
    for candidate in (*(own.with_name(name) for name in _MODULES), own.parent.with_suffix(".rs")):
        try:
            data = read(str(candidate))
            around = source_text(data)
        except (ChangedFileError, OSError):
            continue
        if (match := declared.search(around)) is not None:
            new = f"{match.group(1)}{Path(path).stem};{ending_of(around)}"
            edit = span_edit(around, match.start(), match.start(), new)
            yield FileEdits(str(candidate), content_hash(data), (edit,), is_glue=True, encoding="utf-8")
            return
    raise NoNewFileError(f"it is unclear which module {model.path} belongs to")


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    wait = ".await" if re.match(r"(?:pub(?:\([^)]*\))?\s+)?async\b", function.text) else ""
    end = "" if function.node.child_by_field_name("return_type") is not None else ";"
    return f"{name}({', '.join(arguments)}){wait}{end}"


WRITING = Writing(
    literals=_literals,
    stacked="attribute_item",
    snippet=_snippet,
    frame=_frame,
    registrations=_registrations,
    file_name=lambda beside, stem: f"{stem.lower()}{'_steps' if beside.stem.endswith('_steps') else ''}.rs",
    keyword=lambda _before, wanted, _written: f"cucumber::{wanted}",
    case=Case.SNAKE,
    shared_call=_shared_call,
    declaration="{name}: {type}",
    constant_types={"text": "&str", "truth": "bool"},
    plain_text=re.compile(r"r?#*\""),
    unknown_parameters=True,
    pointers=True,
    calling=CallStyle(
        {"cucumber-rs": Others.FIRST},
        lambda value, _: json.dumps(value, ensure_ascii=False) + ".to_string()",
        Way.RUST_MODULES,
        types={
            **{"String": ValueKind.TEXT, "f64": ValueKind.FLOAT, "f32": ValueKind.FLOAT},
            **dict.fromkeys(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "isize", "usize"), ValueKind.INT),
        },
        copied="{variable}.clone()",
        wait="{call}.await",
        void=("", "()"),
        typed=True,
        fallible=True,
    ),
)
