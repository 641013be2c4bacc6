"""The source text of a new definition, by language: the model's own way to register, the runner's own body."""

import re
from collections.abc import Callable, Iterable, Mapping

from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.code_parts.snippet import KEYWORDS, NewCode, Phrase, Snippet, head_prefix
from cukereuse_engine.refactor.step_call import CodePlaces
from cukereuse_engine.refactor.writing import Case, writing_of

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_RESERVED = frozenset(
    ["class", "def", "for", "from", "if", "in", "int", "is", "not", "or", "string", "type", "with", "word"]
)


def head_of(model: StepDefinition, lines: list[str], literal: str, keyword: str, source: str) -> str:
    """The model's registration with another literal and keyword, in one line."""
    prefix = head_prefix(model, lines)
    wanted = _keyword_in(prefix, keyword, model, source)
    prefix = KEYWORDS.sub(lambda _: wanted, prefix, count=1)
    stack = []
    for character in prefix:
        if character in _CLOSING:
            stack.append(_CLOSING[character])
        elif stack and character == stack[-1]:
            stack.pop()
    return f"{prefix.lstrip()}{literal}{''.join(reversed(stack))}"


def _keyword_in(prefix: str, keyword: str, model: StepDefinition, source: str) -> str:
    """The keyword as this file may write it: if it is not imported, the model's, or the keyword with its module."""
    match = KEYWORDS.search(prefix)
    if match is None or match.group().lower() in ("step", "definestep", "stepdefinition"):
        return match.group() if match is not None else ""
    wanted = keyword.lower() if match.group().islower() else keyword
    if _is_known(wanted, model, source):
        return wanted
    return writing_of(model.language).keyword(prefix[: match.start()], wanted, match.group())


def _is_known(keyword: str, model: StepDefinition, source: str) -> bool:
    """True if code names the keyword: a comment may say "given", and promises have a `.then`."""
    imports = "\n".join(line for line in source.splitlines() if re.match(r"\s*(?:from|import|use)\b", line))
    if "*" in imports or re.search(rf"\b{keyword}\b", imports):
        return True
    code = CodePlaces(model.path, source, model.language)
    return any(code.holds(found.start()) for found in re.finditer(rf"(?<![.\w]){keyword}\b", source))


def function_name(model: StepDefinition, phrase: Phrase, keyword: str, source: str) -> str:
    """A name in the model's style (snake, camel or Pascal case), which is unique in the file."""
    words = re.findall(r"[^\W_]+", phrase.words) or [keyword]
    words = [word for word in words if word.isascii()] or [keyword]
    style = model.function_name
    case = _case_of(model)
    if case is Case.PASCAL and re.match(r"(?:Given|When|Then)(?![a-z])", style):
        words = [keyword, *words]
    name = _CASED[case](words)
    name = f"{keyword.lower()}_{name}" if name[0].isdigit() or name in _RESERVED else name
    number, unique = 1, name
    while re.search(rf"\b{re.escape(unique)}\b", source):
        number += 1
        unique = f"{name}{number}"
    return unique


def _case_of(model: StepDefinition) -> Case:
    """The case of the model's name or, without one, of its language."""
    style, case = model.function_name, writing_of(model.language).case
    if case is Case.PASCAL or style[:1].isupper():
        return Case.PASCAL
    return Case.SNAKE if "_" in style or case is Case.SNAKE or not style else Case.CAMEL


def _capitalised(words: Iterable[str]) -> str:
    return "".join(word[:1].upper() + word[1:] for word in words)


_CASED: Mapping[Case, Callable[[list[str]], str]] = {
    Case.PASCAL: _capitalised,
    Case.SNAKE: lambda words: "_".join(words).lower(),
    Case.CAMEL: lambda words: words[0].lower() + _capitalised(words[1:]),
}


def code_of(draft: Snippet) -> NewCode:
    snippet = writing_of(draft.model.language).snippet
    assert snippet is not None
    return snippet(draft)
