"""Go."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame, NoNewFileError
from cukereuse_engine.refactor.code_parts.snippet import NewCode, Snippet, block, camel, head_line
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.creation.new_file import ending_of, pascal
from cukereuse_engine.refactor.edits import span_edit
from cukereuse_engine.refactor.expressions.literals import plain
from cukereuse_engine.refactor.rename_plan import FileEdits
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    raw: Style = lambda text: None if "`" in text or "\r" in text else f"`{text}`"  # noqa: E731
    return [raw, plain('"')] if definition.source_literal.startswith("`") else [plain('"')]


def _snippet(draft: Snippet) -> NewCode:
    types = {"int": "int", "float": "float64"}
    taken = [f"{camel(parameter.name)} {types.get(parameter.type, 'string')}" for parameter in draft.phrase.parameters]
    taken += {"docstring": ["body *godog.DocString"], "table": ["table *godog.Table"]}.get(draft.argument or "", [])
    name = draft.name[0].lower() + draft.name[1:]
    result = (draft.body.result if draft.body is not None else "") or "error"
    body = "\n".join(draft.lines(["return godog.ErrPending"], "\t"))
    function = f"func {name}({draft.taken(taken)}) {result} {{\n{body}\n}}"
    return NewCode(block(draft, f"{draft.head.removesuffix(')')}, {name})"), function)


def _frame(asked: Asked) -> Frame:
    """A function of the model's package that registers definitions; the function with the model calls it."""
    package = re.search(r"^package\s+\w+", asked.text, re.MULTILINE)
    imported = re.search(r'^[ \t]*(?:import\s+)?("github\.com/cucumber/godog[^"]*")', asked.text, re.MULTILINE)
    name, kind = _receiver(asked.model, asked.text)
    if package is None or imported is None:
        raise NoNewFileError(f"it is unclear how {asked.model.path} imports godog")
    function = f"func {_registering(asked.path)}({name} *godog.{kind}) {{"
    return Frame(f"{package.group(0)}\n\nimport {imported.group(1)}\n\n{function}", "}\n", gap="\n")


def _receiver(model: StepDefinition, text: str) -> tuple[str, str]:
    """The variable that the model is registered with, and its type in godog."""
    head = re.match(r"\s*(\w+)\.(?:Step|Given|When|Then)\(", head_line(model, split_lines(text)[0]))
    kind = re.search(rf"\b{head.group(1)}\s+\*godog\.(ScenarioContext|Suite)\b", text) if head is not None else None
    if head is None or kind is None:
        raise NoNewFileError(f"it is unclear how {model.path} registers its step definitions")
    return head.group(1), kind.group(1)


def _registering(path: str) -> str:
    return f"register{pascal([re.sub(r'(?:_steps?)?(?:_test)?$', '', Path(path).stem)])}Steps"


def _registrations(model: StepDefinition, text: str, path: str, read: Callable[[str], bytes]) -> Iterator[FileEdits]:
    """godog only knows what its functions register: the function that registers the model calls the new one."""
    name, _ = _receiver(model, text)
    head = head_line(model, split_lines(text)[0])
    indent = head[: len(head) - len(head.lstrip())]
    at = text.index(head)
    edit = span_edit(text, at, at, f"{indent}{_registering(path)}({name}){ending_of(text)}")
    yield FileEdits(model.path, content_hash(read(model.path)), (edit,), is_glue=True, encoding="utf-8")


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    receiver = function.node.child_by_field_name("receiver")
    names = function.source.nodes("identifier", within=receiver) if receiver is not None else []
    if receiver is not None and not names:
        raise UnmergeableError(f"{function.definition.place}: its receiver has no name")
    on = f"{function.source.text(names[0])}." if names else ""
    back = "return " if function.node.child_by_field_name("result") is not None else ""
    return f"{back}{on}{name}({', '.join(arguments)})"


def _file_name(beside: Path, stem: str) -> str:
    steps = "_steps" if re.search(r"_steps?(?:_test)?\.go$", beside.name) else ""
    return f"{stem}{steps}{'_test.go' if beside.name.endswith('_test.go') else '.go'}"


WRITING = Writing(
    literals=_literals,
    registered=True,
    snippet=_snippet,
    frame=_frame,
    registrations=_registrations,
    file_name=_file_name,
    keyword=lambda _before, wanted, _written: wanted,
    shared_call=_shared_call,
    declaration="{name} {type}",
    constant_types={"text": "string", "whole": "int", "truth": "bool"},
    pointers=True,
)
