"""Tells why a step function can't be called by others, and what it has beside the arguments of its step."""

import re

from cukereuse_engine.blocks.calling.functions import SourceFunctions, StepFunction, taken_by
from cukereuse_engine.glue.definition import Match
from cukereuse_engine.refactor.call_style import CallStyle, Way
from cukereuse_engine.refactor.writing import writing_of

_GIVES_UP = re.compile(r"\breturn\s+[\"'`](?:pending|skipped)\b")


def reason_against(function: StepFunction, source: SourceFunctions, style: CallStyle, match: Match) -> str:
    """Why a function can't be called; empty if it can."""
    if not function.name and style.way is not Way.SCRIPT_MODULES:
        return "has no name"
    if function.name and not source.is_alone(function):
        return f"has the same name as another function: {function.name}"
    if style.in_class and function.owner < 0:
        return "does not belong to a class"
    if function.type.startswith("generator") or function.type == "method_definition":
        return "is a generator or a method and can't be called directly"
    if taken_by(function, match) is None:
        return "has parameters that do not match the arguments of its step"
    own_step = writing_of(function.definition.language).own_step
    if own_step is not None and own_step.search(function.code):
        return "reads the text of its step, which would be another one"
    return _reason_on_this(function, style) or _reason_by_framework(function, source)


def _reason_on_this(function: StepFunction, style: CallStyle) -> str:
    if style.binds_this and _GIVES_UP.search(function.code):
        return "marks the step as pending or skipped"
    if style.declares_this and function.on_this and re.search(r"\bthis\b", function.code) and not this_of(function):
        return "does not declare the type of its World"
    return ""


def _reason_by_framework(function: StepFunction, source: SourceFunctions) -> str:
    framework = function.definition.framework
    if framework == "pytest-bdd":
        before = source.head(function)
        if "target_fixture" in before:
            return "provides a fixture for later steps"
        return "has converters" if "converters" in before else ""
    if framework in ("behave", "cucumber-rs", "playwright-bdd") and len(function.others) > 1:
        return "has parameters that do not match the arguments of its step"
    return ""


def this_of(function: StepFunction) -> str:
    """TypeScript's `this: World`; empty if there is none."""
    declared = re.match(r"(?:async\s+)?\(\s*(this\s*:[^,)]+)", function.code)
    return declared[1].strip() if declared is not None else ""


def fixtures_of(function: StepFunction) -> list[str]:
    pattern = function.others[0].pattern if function.others else None
    if pattern is None:
        return []
    return [child.text.decode("utf-8") for child in pattern.named_children if child.text is not None]
