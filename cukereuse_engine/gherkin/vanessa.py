"""Control lines of Vanessa Automation, 1C's runner, which are not Gherkin: conditions, loops, attempts, comments,
groups.

Their steps are nested by indentation and run like others; the lines themselves are no steps. Russian and English.
"""

import re

_TAIL = r"[\s,;:]*$"
_OPENS = re.compile(
    rf"\s*(?:(?:Если|ИначеЕсли|If|ElseIf|ElsIf)\b.*\b(?:Тогда|Then)|(?:Попытка|Try)"
    rf"|(?:Для\s+каждого|Пока|For\s+each|While)\b.*\b(?:Цикл|Тогда|Loop|Do|Then)){_TAIL}",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    rf"\s*(?:Иначе|КонецЕсли|Исключение|КонецПопытки|КонецЦикла|Else|EndIf|Except|EndTry|EndDo|EndLoop){_TAIL}",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?://|\*[^\s*])")
"""A comment, or a heading right behind its asterisk."""
_STEP_TAG = re.compile(r"\s*@\w+:\s")
"""A setting of the step below it."""


def opens_control(line: str) -> bool:
    """True if a whole line begins a condition, a loop or an attempt."""
    return _OPENS.match(line) is not None


def is_control(line: str) -> bool:
    """True for a line of control flow, a comment, or a heading without a blank after its asterisk."""
    return opens_control(line) or _CLOSES.match(line) is not None or _COMMENT.match(line) is not None


def is_step_tag(line: str) -> bool:
    """True for `@YandexTTS: ermil,evil` above a step. Only this runner has tags with a value."""
    return _STEP_TAG.match(line) is not None


def is_comment(line: str) -> bool:
    return line.lstrip().startswith("//")


def heads_group(lines: list[str], at: int) -> bool:
    """True if the line at this index, which begins with `*`, is a heading: the next line is indented more."""
    below = next((line for line in lines[at + 1 : at + 20] if line.strip() and not line.lstrip().startswith("#")), "")
    return _width(below) > _width(lines[at]) and not below.lstrip().startswith(("|", '"""', "```"))


def _width(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
