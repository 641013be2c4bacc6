"""JavaScript."""

import json
import re
from collections.abc import Iterable, Iterator

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.call_literals import JOINED_BY_PLUS, literal_at
from cukereuse_engine.refactor.call_style import CallStyle, Others, Way
from cukereuse_engine.refactor.calls import whole
from cukereuse_engine.refactor.code_parts.snippet import TODO, NewCode, Snippet, after_literal, block, camel
from cukereuse_engine.refactor.code_parts.step_function import FunctionSource
from cukereuse_engine.refactor.creation.new_file import imported_frame
from cukereuse_engine.refactor.expressions.literals import escaped, in_turn, plain, slashed
from cukereuse_engine.refactor.step_call import CodePlaces, StepCall
from cukereuse_engine.refactor.writing import NAME, Interpolation, StepCalls, Style, Writing


def _literals(definition: StepDefinition) -> Iterable[Style]:
    literal = definition.source_literal
    if literal.startswith("/"):
        return [slashed(literal)]
    return in_turn(literal[:1], {'"': plain('"'), "'": plain("'"), "`": _backtick})


def _backtick(text: str) -> str:
    return "`" + escaped(text, "`").replace("${", "\\${") + "`"


def _calls(path: str, source: str, code: CodePlaces) -> Iterator[StepCall]:
    for match in re.finditer(r"(?<![\w.])(?:Step|step)\(\s*this\s*,\s*([\"'`])", source):
        quote = match.group(1)
        literal = literal_at(source, match.end(), quote, inserts=quote == "`")
        if literal is not None and code.holds(match.start()):
            yield from whole(path, source, literal, JOINED_BY_PLUS)


_DECLARED = re.compile(r"\A(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*")
"""playwright-bdd: the result of a registration may have a name."""


_TYPES = {"int": "number", "float": "number"}


def snippet(draft: Snippet, *, typed: bool = False) -> NewCode:
    own = [(camel(parameter.name), _TYPES.get(parameter.type, "string")) for parameter in draft.phrase.parameters]
    own += {"docstring": [("docString", "string")], "table": [("dataTable", "DataTable")]}.get(draft.argument or "", [])
    names = [f"{name}: {type_}" if typed else name for name, type_ in own]
    after = after_literal(draft)
    written = re.search(r"\bfunction\b|=>", after)
    is_arrow = written is not None and written.group() == "=>"
    is_async = "async" in after.split("{")[0] or draft.model.framework == "playwright-bdd"
    if draft.model.framework == "playwright-bdd":
        fixtures = re.search(r"\(\s*(\{[^}]*\})", after)
        names.insert(0, fixtures.group(1) if fixtures else "{}")
    if draft.body is not None:
        is_arrow, is_async = draft.body.is_arrow, draft.body.is_async
    begin = ", async " if is_async else ", "
    begin += f"({draft.taken(names)}) => {{" if is_arrow else f"function ({draft.taken(names)}) {{"
    unit = "  " if not re.search(r"^\t", draft.source, re.MULTILINE) else "\t"
    pending = ["return 'pending';"] if draft.model.framework == "cucumber-js" else []
    closed = _DECLARED.sub("", draft.head).removesuffix(")")
    end = ");" if ";" in draft.source else ")"
    return NewCode(block(draft, f"{closed}{begin}", *draft.lines([f"// {TODO}", *pending], unit), "}" + end))


def _shared_call(name: str, arguments: list[str], function: FunctionSource) -> str:
    passed = ", ".join(arguments)
    uses_this = function.node.type != "arrow_function" and re.search(r"\bthis\b", function.text) is not None
    return f"return {name}.call(this, {passed});" if uses_this else f"return {name}({passed});"


def _quoted(value: str, source: str) -> str:
    """The value in the quotes that the source prefers."""
    double = json.dumps(value, ensure_ascii=False)
    if source.count("'") <= source.count('"'):
        return double
    return "'" + double[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


CALLING = CallStyle(
    {
        "cucumber-js": Others.NONE,
        "playwright-bdd": Others.FIRST,
        "cypress-cucumber-preprocessor": Others.NONE,
    },
    _quoted,
    Way.SCRIPT_MODULES,
    wait="await {call}",
    binds_this=True,
    digits_are_numbers=True,
    whole_floats=True,
    end_where_used=True,
)

WRITING = Writing(
    literals=_literals,
    interpolation=Interpolation(re.compile(rf"\$\{{\s*({NAME})\s*\}}")),
    slashed_regexes=True,
    step_calls=StepCalls(re.compile(rb"[Ss]tep\(\s*this"), _calls),
    mixed_with=frozenset(("javascript", "typescript")),
    own_step=re.compile(r"\{[^{}();]*\$step\b[^{}();]*\}\s*[,:)]|\bthis\.\$step\b"),
    all_arguments="arguments",
    call="call_expression",
    call_end=re.compile(rb"\s*,?\s*\)[ \t]*;?"),
    snippet=snippet,
    frame=lambda asked: imported_frame(asked, "cucumber-js", "@cucumber/cucumber"),
    shared_call=_shared_call,
    named_value="const {name} = {function};",
    calling=CALLING,
)
