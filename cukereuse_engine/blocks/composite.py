"""The code of step definitions that only run other steps: writes it, and reads it in sources.

Reading only looks at the source and does not depend on how it was written.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import cast

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.code_parts.snippet import Body, camel

Piece = str | int
"""A part of a step's text as it is, or the number of a parameter."""
Line = tuple[str, Sequence[Piece]]
"""A step's keyword, with what follows it, and its text."""


def _behave(lines: Sequence[Line], names: Sequence[str]) -> Body:
    has_parameters = any(isinstance(piece, int) for _, text in lines for piece in text)

    def literal(text: str) -> str:
        escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        return escaped.replace("{", "{{").replace("}", "}}") if has_parameters else escaped

    def said(text: Sequence[Piece]) -> str:
        return "".join(literal(piece) if isinstance(piece, str) else f"{{{names[piece]}}}" for piece in text)

    opening = f'context.execute_steps({"f" if has_parameters else ""}"""'
    return Body([opening, *(f"    {literal(keyword)}{said(text)}" for keyword, text in lines), '""")'])


def _ruby(lines: Sequence[Line], names: Sequence[str]) -> Body:
    def literal(text: str) -> str:
        return re.sub(r"#(?=[{$@])", r"\\#", text.replace("\\", "\\\\"))

    def said(text: Sequence[Piece]) -> str:
        return "".join(literal(piece) if isinstance(piece, str) else f"#{{{names[piece]}}}" for piece in text)

    return Body(["steps <<~STEPS", *(f"  {literal(keyword)}{said(text)}" for keyword, text in lines), "STEPS"])


def _turnip(lines: Sequence[Line], names: Sequence[str]) -> Body:
    """Calls of `step`, which takes no keyword."""

    def said(text: Sequence[Piece]) -> str:
        if all(isinstance(piece, str) and not re.search(r"[\\']", piece) for piece in text):
            return f"'{''.join(map(str, text))}'"
        parts = [
            re.sub(r'[\\"]|#(?=[{$@])', r"\\\g<0>", piece) if isinstance(piece, str) else f"#{{{names[piece]}}}"
            for piece in text
        ]
        return f'"{"".join(parts)}"'

    return Body([f"step {said(text)}" for _, text in lines])


def _godog(lines: Sequence[Line], names: Sequence[str]) -> Body:
    def said(text: Sequence[Piece]) -> str:
        parts = [
            [json.dumps("".join(cast("Iterator[str]", group)), ensure_ascii=False)]
            if is_text
            else [camel(names[cast("int", piece)]) for piece in group]
            for is_text, group in groupby(text, lambda piece: isinstance(piece, str))
        ]
        return " + ".join(part for group in parts for part in group)

    return Body(["return godog.Steps{", *(f"\t{said(text)}," for _, text in lines), "}"], result="godog.Steps")


_STEP_METHODS = ("Given", "When", "Then", "And", "But")


def _specflow(lines: Sequence[Line], names: Sequence[str]) -> Body:
    """Calls of the methods that a binding class inherits from `Steps`."""

    def said(text: Sequence[Piece]) -> str:
        is_filled = any(isinstance(piece, int) for piece in text)

        def literal(part: str) -> str:
            escaped = part.replace("\\", "\\\\").replace('"', '\\"')
            return escaped.replace("{", "{{").replace("}", "}}") if is_filled else escaped

        inside = "".join(literal(piece) if isinstance(piece, str) else f"{{{camel(names[piece])}}}" for piece in text)
        return f'{"$" if is_filled else ""}"{inside}"'

    def method(keyword: str) -> str:
        return keyword.strip() if keyword.strip() in _STEP_METHODS else "And"

    return Body([f"{method(keyword)}({said(text)});" for keyword, text in lines])


WRITERS: Mapping[str, Callable[[Sequence[Line], Sequence[str]], Body]] = {
    "behave": _behave,
    "cucumber-ruby": _ruby,
    "godog": _godog,
    "specflow": _specflow,
    "turnip": _turnip,
}
"""By framework: writes a body that runs steps. `names`: the parameters' names in the code."""


_CLASS = re.compile(r"\bclass\s+\w+(?:<[^>{]*>)?\s*(?P<bases>:[^{]*)?\{")


def why_not(definition: StepDefinition, source: str, language: str) -> str:
    """Why steps can't be run beside a definition; empty if they can. `source`: the whole file's; `language`: the
    dialect of the features."""
    if definition.framework != "specflow":
        return ""
    if language != "en":
        return "steps that are run from C# are read in English"
    before = source.encode("utf-8", "surrogatepass")[: definition.literal.start_byte].decode("utf-8", "replace")
    *_, bases = [""] + [match["bases"] or "" for match in _CLASS.finditer(before)]
    if re.search(r"[:,]\s*(?:TechTalk\.SpecFlow\.)?Steps\s*(?:,|\Z)", bases.rstrip()):
        return ""
    return "the class of its steps does not derive from SpecFlow's Steps, which can run steps"


_SAYING_STEPS = {
    "behave": re.compile(rb"execute_steps"),
    "cucumber-ruby": re.compile(rb"\bsteps\b"),
    "godog": re.compile(rb"\bSteps\b"),
    "specflow": re.compile(rb"(?<=[\s;{])(?:Given|When|Then|And|But)\s*\("),
    "turnip": re.compile(rb"\bstep\b"),
}


def may_run_steps(definition: StepDefinition, source: bytes) -> bool:
    """False if `steps_run_by` returns None for any arguments; one search finds most of these."""
    function, saying = definition.function, _SAYING_STEPS.get(definition.framework)
    return (
        function is not None
        and saying is not None
        and saying.search(source, function.start_byte, function.end_byte) is not None
    )


def steps_run_by(definition: StepDefinition, source: bytes, names: Sequence[str], values: Sequence[str]) -> str | None:
    """The Gherkin steps, one a line, that a definition's function runs with these arguments; None unless it is one call
    with a readable text. `source`: the whole file's."""
    function = definition.function
    if function is None:
        return None
    code = source[function.start_byte : function.end_byte].decode("utf-8")
    if definition.framework == "behave":
        return _run_by_python(code, names, values)
    if definition.framework == "cucumber-ruby":
        return _run_by_ruby(code, values)
    if definition.framework == "turnip":
        return _run_by_turnip(code, values)
    if definition.framework == "godog":
        return _run_by_go(code, values)
    if definition.framework == "specflow":
        return _run_by_csharp(code, values)
    return None


def _run_by_python(code: str, names: Sequence[str], values: Sequence[str]) -> str | None:
    function = _python_function(code)
    text = _executed(function.body) if function is not None else None
    if function is None or text is None:
        return None
    taken = [parameter.arg for parameter in function.args.args[1:]]
    named = dict(zip(names, values, strict=True))
    given = named if any(names) else dict(zip(taken, values, strict=False))
    texts = []
    for part in text.values if isinstance(text, ast.JoinedStr) else [text]:
        match part:
            case ast.Constant(value=str(written)):
                texts.append(written)
            case ast.FormattedValue(value=ast.Name(id=name)) if name in taken and name in given:
                texts.append(given[name])
            case _:
                return None
    return "".join(texts)


def _python_function(code: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    import textwrap

    try:
        tree = ast.parse(textwrap.dedent(code))
    except SyntaxError:
        return None
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return next(functions, None)


def _executed(body: Sequence[ast.stmt]) -> ast.expr | None:
    """The argument of `execute_steps`, if a function does nothing else."""
    match body:
        case [ast.Expr(value=ast.Call(func=ast.Attribute(attr="execute_steps"), args=[text]))]:
            return text
        case _:
            return None


_STEPS = re.compile(
    r"\Afunc\s*(?:\([^)]*\)\s*)?\w*\((?P<taken>[^)]*)\)\s*(?:godog\.)?Steps\s*\{"
    r"\s*return\s+(?:godog\.)?Steps\{(?P<steps>.*)\}\s*\}\s*\Z",
    re.DOTALL,
)
_GO = re.compile(r'\s*(?:(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<raw>`[^`]*`)|(?P<name>[^\W\d]\w*)|(?P<sign>[+,]))')


def _run_by_go(code: str, values: Sequence[str]) -> str | None:
    match = _STEPS.match(code)
    if match is None:
        return None
    taken = [parameter.split()[0] for parameter in match["taken"].split(",") if parameter.strip()]
    given = dict(zip(taken, values, strict=False))
    steps, text_so_far, at, text = [], "", 0, match["steps"].rstrip()
    while at < len(text):
        token = _GO.match(text, at)
        if token is None or (token["name"] and token["name"] not in given):
            return None
        at = token.end()
        if token["text"]:
            try:
                text_so_far += json.loads(token["text"])
            except ValueError:
                return None
        elif token["raw"]:
            text_so_far += token["raw"][1:-1]
        elif token["name"]:
            text_so_far += given[token["name"]]
        if (token["sign"] == "," or at == len(text)) and text_so_far:
            steps.append(f"* {text_so_far}")
            text_so_far = ""
    return "\n".join(steps)


_METHOD = re.compile(r"\A.*?\bvoid\s+\w+\s*\((?P<taken>[^)]*)\)\s*\{(?P<body>.*)\}\s*\Z", re.DOTALL)
_STATEMENT = re.compile(
    r"\s*(?P<method>Given|When|Then|And|But)\s*\("
    r'\s*(?P<filled>\$?)"(?P<text>(?:[^"\\\n]|\\.)*)"\s*\)\s*;\s*'
)
_PART = re.compile(r'\{\{|\}\}|\{(?P<name>\w+)\}|\\(?P<escaped>["\\])|(?P<other>[{}\\])')


def _run_by_csharp(code: str, values: Sequence[str]) -> str | None:
    method = _METHOD.match(code)
    if method is None:
        return None
    taken = [parameter.split()[-1] for parameter in method["taken"].split(",") if parameter.strip()]
    given = dict(zip(taken, values, strict=False))
    steps, at, body = [], 0, method["body"]
    while at < len(body.rstrip()):
        statement = _STATEMENT.match(body, at)
        if statement is None:
            return None
        at = statement.end()
        text = _csharp_text(statement["text"], given if statement["filled"] else None)
        if text is None:
            return None
        steps.append(f"{statement['method']} {text}")
    return "\n".join(steps) or None


def _csharp_text(literal: str, given: Mapping[str, str] | None) -> str | None:
    """The value of a literal; `given`: the values in an interpolated one."""
    pieces, at = [], 0
    for part in _PART.finditer(literal):
        pieces.append(literal[at : part.start()])
        at = part.end()
        if part["escaped"]:
            pieces.append(part["escaped"])
        elif given is None and part["other"] != "\\":
            pieces.append(part[0])
        elif part["other"] or (part["name"] and part["name"] not in (given or {})):
            return None
        else:
            pieces.append((given or {})[part["name"]] if part["name"] else part[0][0])
    return "".join([*pieces, literal[at:]])


_BLOCK = re.compile(r"\A[^\n]*\bdo(?:[ ]*\|(?P<names>[^|\n]*)\|)?[ ]*\n(?P<body>.*)\n\s*end\s*\Z", re.DOTALL)
_STEP = re.compile(r"""\s*step[ (]*(?:'(?P<plain>[^'\\\n]*)'|"(?P<filled>(?:[^"\\\n]|\\.)*)")\)?[ ]*(?:\n|\Z)""")


def _run_by_turnip(code: str, values: Sequence[str]) -> str | None:
    block = _BLOCK.match(code.replace("\r\n", "\n"))
    if block is None:
        return None
    taken = [name.strip() for name in (block["names"] or "").split(",") if name.strip()]
    given = dict(zip(taken, values, strict=False))
    steps, at, body = [], 0, block["body"].rstrip()
    while at < len(body):
        call = _STEP.match(body, at)
        if call is None:
            return None
        at = call.end()
        steps.append(f"* {call['plain'] if call['filled'] is None else _filled_in(call['filled'], given)}")
    return "\n".join(steps) or None


_HEREDOC = re.compile(
    r"\A[^\n]*\bdo(?:[ ]*\|(?P<names>[^|\n]*)\|)?[ ]*\n"
    r"\s*steps[ ]*\(?<<~(?P<mark>[A-Z]+)\)?[ ]*\n(?P<body>.*?)\n\s*(?P=mark)\s*\n\s*end\s*\Z",
    re.DOTALL,
)


def _run_by_ruby(code: str, values: Sequence[str]) -> str | None:
    heredoc = _HEREDOC.match(code.replace("\r\n", "\n"))
    if heredoc is None:
        return None
    taken = [name.strip() for name in (heredoc["names"] or "").split(",") if name.strip()]
    return _filled_in(heredoc["body"], dict(zip(taken, values, strict=False)))


def _filled_in(text: str, given: Mapping[str, str]) -> str:
    """The text as Ruby interpolates it."""
    return re.sub(r"\\(.)|#\{(\w+)\}", lambda each: given.get(each[2], "") if each[1] is None else each[1], text)
