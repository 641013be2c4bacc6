"""C#: tells by an attribute's text if it is a Cucumber Expression or a regex; nothing else does."""

import re

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition

_ANCHOR = re.compile(r"\^|.*\$\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\w*\}")
_NAMED_PLACEHOLDER = re.compile(r"(?<![\\\w\])])\{(?:[A-Za-z_]\w*)?\}")
"""Text that no regex contains: a quantifier has digits, and follows something."""
_REGEX_SIGNS = re.compile(r"\([^)]+[*+]\)|\.\*|\\\.|\\d\+")
_QUANTIFIED = re.compile(r"[\w\])]\{\d+(?:,\d*)?\}|\[[^\]]+\]")
"""A repetition, a set of characters."""
_NO_EXPRESSION = re.compile(r"\([^()]*\||\\[^{}()\\/\s]")
"""Alternatives in parentheses, and escapes of what needs none."""


def is_cucumber_expression(text: str, framework: str) -> bool:
    """True by Reqnroll's rule (CucumberExpressionDetector.cs). SpecFlow took every pattern for a regex, except in its
    last preview; there, only signs that no regex contains count. In a file that names neither (`framework` is empty), a
    text that is no sensible Cucumber Expression is a regex too.
    """
    if _ANCHOR.match(text):
        return False
    if framework == "reqnroll" and _PLACEHOLDER.search(text):
        return True
    if framework == "specflow" or not framework:
        if _QUANTIFIED.search(text):
            return False
        if _NAMED_PLACEHOLDER.search(text) and not _REGEX_SIGNS.search(text):
            return True
    if framework == "specflow" or _REGEX_SIGNS.search(text):
        return False
    return bool(framework) or not _NO_EXPRESSION.search(text)


def kind_reason(definition: StepDefinition) -> str:
    """What in the text makes `is_cucumber_expression` true or false."""
    text = definition.expression
    if definition.kind is ExpressionKind.REGEX:
        if _ANCHOR.match(text):
            return "begins with ^" if text.startswith("^") else "ends with $"
        patterns = (_REGEX_SIGNS, _QUANTIFIED, _NO_EXPRESSION)
        sign = next((match.group() for pattern in patterns if (match := pattern.search(text)) is not None), "")
        return f"contains {sign}" if sign else ""
    placeholder = _PLACEHOLDER.search(text)
    return f"contains {placeholder.group()}" if placeholder is not None else "has no ^ before it and no $ behind it"
