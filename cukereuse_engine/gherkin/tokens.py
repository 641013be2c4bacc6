"""Lines -> the official parser's tokens: its matchers, with table rows read faster.

Never decides which token may follow which: that is the parser's part, or recovery's.
"""

from typing import Any, cast

from gherkin.gherkin_line import GherkinLine
from gherkin.token import Token
from gherkin.token_matcher import TokenMatcher
from gherkin.token_matcher_markdown import GherkinInMarkdownTokenMatcher


class LineToken(Token):
    """A token with what the matchers write into it."""

    matched_type: str | None
    matched_keyword: str
    matched_keyword_type: str
    matched_text: str
    matched_items: list[Any]
    matched_gherkin_dialect: str


def matcher(*, markdown: bool, language: str = "en") -> TokenMatcher:
    return MarkdownMatcher(language) if markdown else GherkinMatcher(language)


class LineScanner:
    """The official `TokenScanner`, over lines that are split already."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._read = 0

    def read(self) -> LineToken:
        number = self._read = self._read + 1
        if number > len(self._lines):
            return LineToken("", {"line": number})  # type: ignore[arg-type]  # the end, as the official scanner has it
        return line_token(self._lines[number - 1], number)


def line_token(line: str, number: int) -> LineToken:
    return LineToken(GherkinLine(line or "\n", number), {"line": number})


def cells_of(line: GherkinLine) -> list[str]:
    """The values of a table row's cells, as `GherkinLine.table_cells` but without walking through each character."""
    row = line.get_line_text().strip()
    if "\\" in row:
        return [cell["text"] for cell in line.table_cells]
    return [cell.strip() for cell in row.split("|")[1:-1]]


class GherkinMatcher(TokenMatcher):
    """The official matcher; table rows carry their cells' values only."""

    def match_TableRow(self, token: Token) -> bool:  # noqa: N802
        if not token.line.startswith("|"):
            return False
        self._set_token_matched(token, "TableRow", items=cast("Any", cells_of(token.line)))
        return True


class MarkdownMatcher(GherkinInMarkdownTokenMatcher):
    """The official matcher of Gherkin in Markdown; table rows carry their cells' values only."""

    def match_TableRow(self, token: Token) -> bool:  # noqa: N802
        if not super().match_TableRow(token):
            return False
        cast("LineToken", token).matched_items = cells_of(token.line)
        return True
