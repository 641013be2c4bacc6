"""The source text of a new definition, by language: the model's own way to register, the runner's own body."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.creation.phrase import Phrase

_KEYWORDS = re.compile(r"\b(given|when|then|and|but|step|definestep|stepdefinition)\b", re.IGNORECASE)
_DECLARED = re.compile(r"\A(?:export\s+)?(?:const|let|var)\s+\w+\s*=\s*")
"""playwright-bdd: what a registration gives back may have a name."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TODO = "Write code here that turns the phrase above into concrete actions"
_RESERVED = frozenset(
    ["class", "def", "for", "from", "if", "in", "int", "is", "not", "or", "string", "type", "with", "word"]
)


@dataclass(frozen=True, slots=True)
class Body:
    """What a definition does, in place of the runner's own "pending"."""

    lines: Sequence[str]
    parameters: Sequence[str] | None = None
    """All that the function takes, as written; None: as in the runner's own snippet."""
    is_async: bool = False
    result: str = ""
    """Type of what it gives back, where it gives back something."""
    is_arrow: bool = False
    throws: str = ""
    """Java's clause, with a space before it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What the code of a definition is made of."""

    head: str
    """Registration up to and with the literal and what closes it: `@given("…")`, `Given("…"`, `[Given(@"…")]`."""
    indent: str
    phrase: Phrase
    keyword: str
    """"Given", "When" or "Then"."""
    name: str
    """Of the function."""
    argument: str | None
    """"docstring" or "table" where the step has one."""
    model: StepDefinition
    source: str
    """Of the file, to follow its habits."""
    body: Body | None = None

    def taken(self, own: Sequence[str]) -> str:
        """The list of parameters: what the body asks for, else the snippet's `own`."""
        return ", ".join(own if self.body is None or self.body.parameters is None else self.body.parameters)

    def lines(self, own: Sequence[str], indent: str = "    ") -> list[str]:
        """The lines of the function, indented: the body's, else the snippet's `own`, which are so already."""
        return [*own] if self.body is None else _indented(self.body.lines, indent)


@dataclass(frozen=True, slots=True)
class Code:
    text: str
    """Whole lines, the first indented, no newline at the end."""
    apart: str = ""
    """A function that stands at the end of the file, where the language registers it elsewhere."""


def head_line(model: StepDefinition, lines: list[str]) -> str:
    """The line on which the registration begins: above the literal, where that stands on a line of its own."""
    number = model.literal.line - 1
    before = lines[number][: model.literal.column - 1]
    while not before.strip() and number:
        number -= 1
        before = lines[number]
    return lines[number]


def head_of(model: StepDefinition, lines: list[str], literal: str, keyword: str, source: str) -> str:
    """How the model is registered, with another literal and keyword; only the first line of what spans several."""
    prefix = lines[model.literal.line - 1][: model.literal.column - 1]
    prefix = prefix if prefix.strip() else head_line(model, lines).rstrip()
    wanted = _keyword_in(prefix, keyword, model, source)
    prefix = _KEYWORDS.sub(lambda _: wanted, prefix, count=1)
    stack = []
    for character in prefix:
        if character in _CLOSING:
            stack.append(_CLOSING[character])
        elif stack and character == stack[-1]:
            stack.pop()
    return f"{prefix.lstrip()}{literal}{''.join(reversed(stack))}"


def _keyword_in(prefix: str, keyword: str, model: StepDefinition, source: str) -> str:
    """The keyword as this file may write it: one that is not imported stays the model's, or is named in full."""
    match = _KEYWORDS.search(prefix)
    if match is None or match.group().lower() in ("step", "definestep", "stepdefinition"):
        return match.group() if match is not None else ""
    wanted = keyword.lower() if match.group().islower() else keyword
    if model.language in ("ruby", "csharp", "go") or re.search(rf"\b{wanted}\b", source) or "*" in _imports(source):
        return wanted
    before = prefix[: match.start()]
    if model.language in ("java", "kotlin") and before.rstrip().endswith("@"):
        return f"io.cucumber.java.en.{wanted}"
    if model.language in ("java", "kotlin") and not before.strip():  # of the class that holds all keywords
        return wanted
    if model.language == "php" and before.rstrip().endswith("#["):
        return f"\\Behat\\Step\\{wanted}"
    if model.language == "php":
        return wanted
    if model.language == "rust":
        return f"cucumber::{wanted}"
    return match.group()


def _imports(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if re.match(r"\s*(?:from|import|use)\b", line))


def function_name(model: StepDefinition, phrase: Phrase, keyword: str, source: str) -> str:
    """As the model's is written: snake, camel or Pascal case; unique in the file."""
    words = re.findall(r"[^\W_]+", phrase.words) or [keyword]
    words = [word for word in words if word.isascii()] or [keyword]
    style = model.function_name
    if model.language == "csharp" or (style[:1].isupper() and style):
        if re.match(r"(?:Given|When|Then)(?![a-z])", style):
            words = [keyword, *words]
        name = "".join(word[:1].upper() + word[1:] for word in words)
    elif "_" in style or model.language in ("python", "rust") or not style:
        name = "_".join(word.lower() for word in words)
    else:
        name = words[0].lower() + "".join(word[:1].upper() + word[1:] for word in words[1:])
    name = f"{keyword.lower()}_{name}" if name[0].isdigit() or name in _RESERVED else name
    number, unique = 1, name
    while re.search(rf"\b{re.escape(unique)}\b", source):
        number += 1
        unique = f"{name}{number}"
    return unique


def code_of(draft: Draft) -> Code:
    return WRITERS[draft.model.language](draft)


def _block(draft: Draft, *lines: str) -> str:
    return "\n".join(f"{draft.indent}{line}" if line else "" for line in lines)


def _indented(lines: Sequence[str], by: str = "    ") -> list[str]:
    return [f"{by}{line}" if line else "" for line in lines]


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _python(draft: Draft) -> Code:
    names = [parameter.name for parameter in draft.phrase.parameters]
    step = f"{draft.keyword} {draft.phrase.expression}"
    body = f"raise NotImplementedError({f'STEP: {step}'!r})"
    if draft.model.framework == "behave":
        name = "step_impl" if draft.model.function_name == "step_impl" else draft.name
        names = ["context", *names]
    else:
        names += {"docstring": ["docstring"], "table": ["datatable"]}.get(draft.argument or "", [])
        name = "_" if draft.model.function_name == "_" else draft.name
    begin = "async def" if draft.body is not None and draft.body.is_async else "def"
    return Code(_block(draft, draft.head, f"{begin} {name}({draft.taken(names)}):", *draft.lines([f"    {body}"])))


def _ruby(draft: Draft) -> Code:
    more = {"docstring": ["doc_string"], "table": ["table"]}.get(draft.argument or "", [])
    names = [*(parameter.name for parameter in draft.phrase.parameters), *more]
    taken = f" |{', '.join(names)}|" if names else ""
    lines = draft.lines([f"  pending # {_TODO}"], "  ")
    return Code(_block(draft, f"{draft.head} do{taken}", *lines, "end"))


def _javascript(draft: Draft) -> Code:
    more = {"docstring": ["docString"], "table": ["dataTable"]}.get(draft.argument or "", [])
    names = [*(camel(parameter.name) for parameter in draft.phrase.parameters), *more]
    types = {"int": "number", "float": "number"}
    if draft.model.language == "typescript":
        typed = [
            f"{camel(parameter.name)}: {types.get(parameter.type, 'string')}" for parameter in draft.phrase.parameters
        ]
        names = [*typed, *(f"{extra}: {'string' if extra == 'docString' else 'DataTable'}" for extra in more)]
    after = _after(draft)
    is_arrow = re.match(r"[^{]*?=>", after) is not None
    is_async = "async" in after.split("{")[0] or draft.model.framework == "playwright-bdd"
    if draft.model.framework == "playwright-bdd":
        fixtures = re.search(r"\(\s*(\{[^}]*\})", after)
        names.insert(0, fixtures.group(1) if fixtures else "{}")
    if draft.body is not None:
        is_arrow, is_async = draft.body.is_arrow, draft.body.is_async
    begin = ", async " if is_async else ", "
    begin += f"({draft.taken(names)}) => {{" if is_arrow else f"function ({draft.taken(names)}) {{"
    unit = "  " if not re.search(r"^\t", draft.source, re.MULTILINE) else "\t"
    pending = [f"{unit}return 'pending';"] if draft.model.framework == "cucumber-js" else []
    closed = _DECLARED.sub("", draft.head).removesuffix(")")
    end = ");" if ";" in draft.source else ")"
    return Code(_block(draft, f"{closed}{begin}", *draft.lines([f"{unit}// {_TODO}", *pending], unit), "}" + end))


def _after(draft: Draft) -> str:
    """The model's source behind its literal."""
    source = draft.source.encode("utf-8", "surrogatepass")
    return source[draft.model.literal.end_byte :][:400].decode("utf-8", "replace")


def _jvm(draft: Draft, types: dict[str, str], declare: Callable[[str, str], str]) -> list[str]:
    declared = [
        declare(camel(parameter.name), types.get(parameter.type, types["string"]))
        for parameter in draft.phrase.parameters
    ]
    if draft.argument == "docstring":
        declared.append(declare("docString", types["string"]))
    elif draft.argument == "table":
        declared.append(declare("dataTable", "io.cucumber.datatable.DataTable"))
    return declared


def _java(draft: Draft) -> Code:
    types = {"int": "Integer", "float": "Double", "string": "String"}
    taken = draft.taken(_jvm(draft, types, lambda name, type_: f"{type_} {name}"))
    pending = [f"    // {_TODO}", "    throw new io.cucumber.java.PendingException();"]
    if draft.head.lstrip().startswith("@"):
        throws = draft.body.throws if draft.body is not None else ""
        head = f"public void {draft.name}({taken}){throws} {{"
        return Code(_block(draft, draft.head, head, *draft.lines(pending), "}"))
    return Code(_block(draft, f"{draft.head.removesuffix(')')}, ({taken}) -> {{", *pending, "});"))


def _kotlin(draft: Draft) -> Code:
    types = {"int": "Int", "float": "Double", "string": "String"}
    taken = draft.taken(_jvm(draft, types, lambda name, type_: f"{name}: {type_}"))
    pending = [f"    // {_TODO}", "    throw io.cucumber.java.PendingException()"]
    if draft.head.lstrip().startswith("@"):
        return Code(_block(draft, draft.head, f"fun {draft.name}({taken}) {{", *draft.lines(pending), "}"))
    begin = f" {taken} ->" if taken else ""
    return Code(_block(draft, f"{draft.head} {{{begin}", *pending, "}"))


def _csharp(draft: Draft) -> Code:
    types = {"int": "int", "float": "decimal"}
    taken = [f"{types.get(parameter.type, 'string')} {camel(parameter.name)}" for parameter in draft.phrase.parameters]
    taken += {"docstring": ["string multilineText"], "table": ["Table table"]}.get(draft.argument or "", [])
    pending = (
        f"throw new {'StepPendingException' if draft.model.framework == 'specflow' else 'PendingStepException'}();"
    )
    result = "async Task" if draft.body is not None and draft.body.is_async else "void"
    head = f"public {result} {draft.name}({draft.taken(taken)})"
    return Code(_block(draft, draft.head, head, "{", *draft.lines([f"    {pending}"]), "}"))


def _php(draft: Draft) -> Code:
    taken = [f"${camel(parameter.name)}" for parameter in draft.phrase.parameters]
    taken += {
        "docstring": ["\\Behat\\Gherkin\\Node\\PyStringNode $string"],
        "table": ["\\Behat\\Gherkin\\Node\\TableNode $table"],
    }.get(draft.argument or "", [])
    head = draft.head.strip()
    written = [head] if head.startswith("#[") else ["/**", f" * {head.lstrip('/* ')}", " */"]
    body = draft.lines(["    throw new \\Behat\\Behat\\Tester\\Exception\\PendingException();"])
    return Code(_block(draft, *written, f"public function {draft.name}({draft.taken(taken)}): void", "{", *body, "}"))


def _go(draft: Draft) -> Code:
    types = {"int": "int", "float": "float64"}
    taken = [f"{camel(parameter.name)} {types.get(parameter.type, 'string')}" for parameter in draft.phrase.parameters]
    taken += {"docstring": ["body *godog.DocString"], "table": ["table *godog.Table"]}.get(draft.argument or "", [])
    name = draft.name[0].lower() + draft.name[1:]
    result = (draft.body.result if draft.body is not None else "") or "error"
    body = "\n".join(draft.lines(["\treturn godog.ErrPending"], "\t"))
    function = f"func {name}({draft.taken(taken)}) {result} {{\n{body}\n}}"
    return Code(_block(draft, f"{draft.head.removesuffix(')')}, {name})"), function)


def _rust(draft: Draft) -> Code:
    types = {"int": "i64", "float": "f64"}
    after = _after(draft)
    world = re.search(r"fn\s+\w+\s*\(\s*(\w+\s*:\s*&mut\s+\w+)", after)
    taken = [world.group(1) if world else "world: &mut World"]
    taken += [f"{parameter.name}: {types.get(parameter.type, 'String')}" for parameter in draft.phrase.parameters]
    taken += ["step: &cucumber::gherkin::Step"] if draft.argument else []
    is_async = re.search(r"\basync\s+fn\b", after[:200]) if draft.body is None else draft.body.is_async
    result = f" -> {draft.body.result}" if draft.body is not None and draft.body.result else ""
    head = f"{'async ' if is_async else ''}fn {draft.name}({draft.taken(taken)}){result} {{"
    return Code(_block(draft, draft.head, head, *draft.lines([f"    todo!({_quoted(_TODO)})"]), "}"))


def _quoted(text: str) -> str:
    return f'"{text}"'


WRITERS: dict[str, Callable[[Draft], Code]] = {
    "python": _python,
    "ruby": _ruby,
    "javascript": _javascript,
    "typescript": _javascript,
    "java": _java,
    "kotlin": _kotlin,
    "csharp": _csharp,
    "php": _php,
    "go": _go,
    "rust": _rust,
}
