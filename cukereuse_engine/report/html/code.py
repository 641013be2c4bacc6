"""The functions of a finding's step definitions, side by side, with what differs marked."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.report.code_pieces import pieces, tokens
from cukereuse_engine.report.visible import encodable

ABOUT_CODE = frozenset(("same-code", "suspect-definition", "divergent-definition"))
"""Rules whose findings show functions."""
MOST_FINDINGS_WITH_CODE = 200
"""Maximum number of findings with code, because a page must stay small."""
_MOST_FUNCTIONS = 3
_MOST_CHARACTERS = 3_000

Read = Callable[[str], bytes | None]


def read_source(path: str) -> bytes | None:
    """The contents of a file; None if it can't be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None


def code_of(finding: Finding, paths: Callable[[str], int], read: Read = read_source) -> list[list[Any]]:
    """For each function its path, line, name, and its source in pieces: text, and 1 if the first function lacks it (for
    the first function: if the second one does). Empty if fewer than two are known."""
    if finding.rule not in ABOUT_CODE:
        return []
    functions = {
        definition.function_id: definition for subject in finding.subjects for definition in subject.definitions
    }
    shown = [(definition, text) for definition in functions.values() if (text := _source(definition, read))][
        :_MOST_FUNCTIONS
    ]
    if not shown:
        return []
    texts = [tokens(text) for _, text in shown]
    shown_code = []
    for place, (definition, _) in enumerate(shown):
        other = texts[1 if place == 0 else 0] if len(texts) > 1 else texts[0]
        span = definition.function
        assert span is not None
        shown_code.append(
            [paths(span.path), span.line, encodable(definition.function_name), pieces(texts[place], other)]
        )
    return shown_code


def _source(definition: StepDefinition, read: Read) -> str:
    span = definition.function
    data = read(span.path) if span is not None else None
    if span is None or data is None:
        return ""
    start = data.rfind(b"\n", 0, span.start_byte) + 1
    if data[start : span.start_byte].strip():
        start = span.start_byte
    text = dedent(data[start : span.end_byte].decode("utf-8", "replace").replace("\r\n", "\n").expandtabs(4)).strip(
        "\n"
    )
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
