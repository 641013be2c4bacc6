"""From lines to the official parser's tokens: its matchers, with a faster reading of table rows and steps.

Never decides which token may follow which: the parser or recovery does.
"""

from collections.abc import Iterable
from typing import Any, cast

from gherkin.gherkin_line import GherkinLine
from gherkin.token import Token
from gherkin.token_matcher import TokenMatcher
from gherkin.token_matcher_markdown import GherkinInMarkdownTokenMatcher

from cukereuse_engine.gherkin.flavour import Flavour, Syntax


class LineToken(Token):
    """A token with the attributes that the matchers set."""

    matched_type: str | None
    matched_keyword: str
    matched_keyword_type: str
    matched_text: str
    matched_items: list[Any]
    matched_gherkin_dialect: str

    def __init__(self, line: GherkinLine, location: Any) -> None:
        self.line, self.location = line, location
        self.first = line.get_line_text()[:1] if line else None
        """The first character that is no blank, or nothing on an empty line; None at the end."""


def matcher(*, flavour: Flavour = Flavour.GHERKIN, language: str = "") -> TokenMatcher:
    return _MATCHERS[flavour.syntax](language or flavour.language)


class LineScanner:
    """The official `TokenScanner` for lines that are already split."""

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
    """The values of a table row's cells, like `GherkinLine.table_cells`, but without a step for each character."""
    row = line.get_line_text().strip()
    if "\\" in row:
        return [cell["text"] for cell in line.table_cells]
    return [cell.strip() for cell in row.split("|")[1:-1]]


class GherkinMatcher(TokenMatcher):
    """The official matcher, with only the values of a table row's cells."""

    firsts: dict[str, frozenset[str | None]]
    """Kind of a line to what `LineToken.first` can be for it, in the language of the moment."""

    def match_StepLine(self, token: Token) -> bool:  # noqa: N802
        line = token.line
        trimmed = line.get_line_text()
        for keyword in self._steps_by_first.get(trimmed[:1], ()):
            if trimmed.startswith(keyword):
                types = self.keyword_types[keyword]
                kind = types[0] if len(types) == 1 else "Unknown"
                rest = line.get_rest_trimmed(len(keyword))
                self._set_token_matched(token, "StepLine", rest, keyword, keyword_type=kind)
                return True
        return False

    def match_TableRow(self, token: Token) -> bool:  # noqa: N802
        if not token.line.startswith("|"):
            return False
        self._set_token_matched(token, "TableRow", items=cast("Any", cells_of(token.line)))
        return True

    def _change_dialect(self, dialect_name: str, location: Any = None) -> None:
        super()._change_dialect(dialect_name, location)
        dialect = self.dialect
        self._steps_by_first: dict[str, list[str]] = {}
        for keyword in self._sorted_step_keywords:
            self._steps_by_first.setdefault(keyword[0], []).append(keyword)
        self.firsts = _FIRSTS | {
            "FeatureLine": _first_of(dialect.feature_keywords),
            "RuleLine": _first_of(dialect.rule_keywords),
            "BackgroundLine": _first_of(dialect.background_keywords),
            "ScenarioLine": _first_of([*dialect.scenario_keywords, *dialect.scenario_outline_keywords]),
            "ExamplesLine": _first_of(dialect.examples_keywords),
            "StepLine": _first_of(self._steps_by_first),
        }


_FIRSTS: dict[str, frozenset[str | None]] = {
    "EOF": frozenset({None}),
    "Empty": frozenset({""}),
    "Comment": frozenset("#"),
    "Language": frozenset("#"),
    "TagLine": frozenset("@"),
    "DocStringSeparator": frozenset('"`'),
    "TableRow": frozenset("|"),
}


def _first_of(keywords: Iterable[str]) -> frozenset[str | None]:
    return frozenset(keyword[0] for keyword in keywords)


class TreeMatcher(GherkinMatcher):
    """With the cells' columns too."""

    match_TableRow = TokenMatcher.match_TableRow  # noqa: N815


class BehaveMatcher(GherkinMatcher):
    """Step keywords count in any case, and keep their spelling; ''' opens a DocString too."""

    def match_DocStringSeparator(self, token: Token) -> bool:  # noqa: N802
        is_open = bool(self._active_doc_string_separator)
        matched: bool = super().match_DocStringSeparator(token)
        return matched or (not is_open and self._match_DocStringSeparator(token, "'''", True))

    def match_StepLine(self, token: Token) -> bool:  # noqa: N802
        if super().match_StepLine(token):
            return True
        line = token.line
        trimmed = line.get_line_text()
        folded = trimmed.lower()
        for keyword in self._steps_by_first.get(trimmed[:1], ()):
            if folded.startswith(keyword.lower()) and trimmed[len(keyword) :].strip():
                types = self.keyword_types[keyword]
                kind = types[0] if len(types) == 1 else "Unknown"
                rest = line.get_rest_trimmed(len(keyword))
                self._set_token_matched(token, "StepLine", rest, trimmed[: len(keyword)], keyword_type=kind)
                return True
        return False

    def _change_dialect(self, dialect_name: str, location: Any = None) -> None:
        super()._change_dialect(dialect_name, location)
        for keyword in self._sorted_step_keywords:
            for first in {keyword[0].lower(), keyword[0].upper()} - {keyword[0]}:
                self._steps_by_first.setdefault(first, []).append(keyword)
        self.firsts["StepLine"] = _first_of(self._steps_by_first)
        self.firsts["DocStringSeparator"] = frozenset("\"`'")


class MarkdownMatcher(GherkinInMarkdownTokenMatcher):
    """The official matcher of Gherkin in Markdown, with only the values of a table row's cells."""

    def match_TableRow(self, token: Token) -> bool:  # noqa: N802
        if not super().match_TableRow(token):
            return False
        cast("LineToken", token).matched_items = cells_of(token.line)
        return True


_MATCHERS = {
    Syntax.GHERKIN: GherkinMatcher,
    Syntax.MARKDOWN: MarkdownMatcher,
    Syntax.BEHAVE: BehaveMatcher,
}
