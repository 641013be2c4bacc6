"""TypeScript: JavaScript with types."""

from dataclasses import replace

from cukereuse_engine.refactor.code_parts.snippet import NewCode, Snippet
from cukereuse_engine.refactor.code_parts.step_function import DifferingConstant, kind_of_value
from cukereuse_engine.refactor.languages import javascript
from cukereuse_engine.refactor.unmergeable import UnmergeableError


def _snippet(draft: Snippet) -> NewCode:
    return javascript.snippet(draft, typed=True)


def _constant_type(constant: DifferingConstant, _typed: bool) -> str:
    if constant.is_text:
        return " | ".join(constant.written)
    kind = kind_of_value(constant.written[0])
    if not kind:
        raise UnmergeableError(f"there is no type for a parameter “{constant.written[0]}”")
    return "boolean" if kind == "truth" else "number"


WRITING = replace(
    javascript.WRITING,
    defaults_last=True,
    snippet=_snippet,
    declaration="{name}: {type}",
    constant_type=_constant_type,
    types_from_call=True,
    calling=replace(javascript.CALLING, declares_this=True),
)
