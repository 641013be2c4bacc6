"""From a decoded text to a record of its steps: by the official parser, or by recovery if that rejects the text.

Never raises for any text.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gherkin import Parser
from gherkin.errors import ParserError
from gherkin.token import Token
from gherkin.token_matcher import TokenMatcher

from cukereuse_engine.gherkin.broken.recovery import recover
from cukereuse_engine.gherkin.builder import StepBuilder
from cukereuse_engine.gherkin.default_language import ENGLISH
from cukereuse_engine.gherkin.dialects import keywords
from cukereuse_engine.gherkin.flavour import Flavour, Syntax
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.gherkin.records import FileRecord
from cukereuse_engine.gherkin.tokens import GherkinMatcher, LineScanner, LineToken, TreeMatcher, matcher

if TYPE_CHECKING:
    from gherkin.ast_builder import AstBuilder
    from gherkin.token_scanner import TokenScanner

_Builder = TypeVar("_Builder", bound=StepBuilder)


def parse(text: str, encoding: str, *, flavour: Flavour = Flavour.GHERKIN) -> FileRecord:
    """The steps of a feature text without byte order mark, and what had to be skipped."""
    builder, recovered = build(text, StepBuilder, flavour=flavour)
    return builder.record(encoding, recovered=recovered)


def build(text: str, kind: type[_Builder], *, flavour: Flavour) -> tuple[_Builder, bool]:
    """A builder of this kind, fed with everything that can be read of a text; and true if recovery had to read it."""
    return build_lines(*split_lines(text), kind, flavour=flavour)


def build_lines(
    lines: list[str], starts: list[int], kind: type[_Builder], *, flavour: Flavour
) -> tuple[_Builder, bool]:
    """As `build`, for a text that is already split."""
    flavour = _as_it_reads(lines, flavour)
    builder = kind(lines, starts, flavour.language)
    try:
        _official(lines, builder, flavour=flavour)
    except ParserError as error:
        builder = kind(lines, starts, flavour.language)
        recover(lines, builder, error, flavour=flavour)
        return builder, True
    return builder, False


def _as_it_reads(lines: list[str], flavour: Flavour) -> Flavour:
    """English for an English file, whatever a configuration says, if the file names no language."""
    if flavour.language == ENGLISH:
        return flavour
    own, english = (
        tuple(f"{word}:" for word, kind in keywords(language).titles if kind == "feature")
        for language in (flavour.language, ENGLISH)
    )
    begins = [line.lstrip() for line in lines]
    is_english = any(line.startswith(english) for line in begins) and not any(line.startswith(own) for line in begins)
    return replace(flavour, language=ENGLISH) if is_english else flavour


def tree(text: str) -> Any:
    """The official parser's `GherkinDocument` of a text without lone CRs. Raises `ParserError`."""
    return _parsed(_FasterParser(), split_lines(text)[0], TreeMatcher())


def _official(lines: list[str], builder: StepBuilder, *, flavour: Flavour) -> None:
    """Read a text by the official parser. Raises `ParserError` at the first line that is no Gherkin."""
    kind = _MarkdownSteps if flavour.syntax is Syntax.MARKDOWN else _Steps
    _parsed(kind(cast("AstBuilder", builder)), lines, matcher(flavour=flavour))


def _parsed(parser: Parser, lines: list[str], matcher: TokenMatcher) -> Any:
    parser.stop_at_first_error = True
    return parser.parse(cast("TokenScanner", LineScanner(lines)), matcher)


_STATE = re.compile(r"match_token_at_(\d+)")
_STATES: dict[int, Callable[..., int]] = {
    int(match.group(1)): getattr(Parser, name) for name in dir(Parser) if (match := _STATE.fullmatch(name))
}


class _FastParser(Parser):
    """The official parser makes its table of states again for each line; this one has one table for all, and does not
    collect errors, because the first one ends the parse."""

    def match_token(self, state: int, token: Token, context: Any) -> int:
        return _STATES[state](self, token, context)

    def handle_external_error(
        self, context: Any, default_value: Any, argument: Any, action: Callable[[Any], Any]
    ) -> Any:
        del context, default_value
        return action(argument)


class _FasterParser(_FastParser):
    """Asks the matcher only if a line's first character can match: otherwise a step is tried as eight other things."""


def _gated(kind: str) -> Callable[..., bool]:
    name = f"match_{kind}"

    def match(self: _FasterParser, context: Any, token: LineToken) -> bool:
        del self
        matcher: GherkinMatcher = context.token_matcher
        return token.first in matcher.firsts[kind] and getattr(matcher, name)(token)

    return match


for _kind in GherkinMatcher().firsts:
    setattr(_FasterParser, f"match_{_kind}", _gated(_kind))


class _WithoutRules(Parser):
    """For a builder that needs only the tokens."""

    def build(self, context: Any, token: Token) -> None:
        del context
        self.ast_builder.build(token)

    def start_rule(self, context: Any, rule_type: str) -> None:
        """Nothing."""

    def end_rule(self, context: Any, rule_type: str) -> None:
        """Nothing."""


class _Steps(_WithoutRules, _FasterParser): ...


class _MarkdownSteps(_WithoutRules, _FastParser): ...
