"""From the parser's tokens to records of steps.

Replaces the official `AstBuilder` (same methods); recovery feeds it too, so that both give the same steps. Never
decides what a line is: its token tells.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from gherkin.dialect import Dialect
from gherkin.errors import AstBuilderException

from cukereuse_engine.gherkin.broken.suspects import Prose, suspects
from cukereuse_engine.gherkin.default_language import ENGLISH
from cukereuse_engine.gherkin.feature import KeywordType
from cukereuse_engine.gherkin.records import KEYWORD_TYPES, BlockRecord, ExamplesRecord, FileRecord, Note, StepRecord
from cukereuse_engine.gherkin.tokens import LineToken
from cukereuse_engine.gherkin.vanessa import heads_group, is_control, opens_control

_TYPE = {
    "Context": KEYWORD_TYPES.index(KeywordType.CONTEXT),
    "Action": KEYWORD_TYPES.index(KeywordType.ACTION),
    "Outcome": KEYWORD_TYPES.index(KeywordType.OUTCOME),
    "Conjunction": KEYWORD_TYPES.index(KeywordType.CONJUNCTION),
    "Unknown": KEYWORD_TYPES.index(KeywordType.UNKNOWN),
}
_CONJUNCTION = _TYPE["Conjunction"]
_UNKNOWN = _TYPE["Unknown"]
_GIVEN = _TYPE["Context"]


class _Types(NamedTuple):
    """The types of a step, because runners differ on conjunctions and `*`: see the fields of `Step`."""

    resolved: int
    carried: int
    run: int

    def after(self, keyword_type: int, *, is_first: bool) -> "_Types":
        """The types of the next step; `is_first` in its scenario or background."""
        if keyword_type == _CONJUNCTION:
            return self
        if keyword_type == _UNKNOWN:
            carried = _GIVEN if is_first or self.carried == _UNKNOWN else self.carried
            return _Types(_UNKNOWN, carried, self.run)
        return _Types(keyword_type, keyword_type, keyword_type)


_START = _Types(_UNKNOWN, _UNKNOWN, _GIVEN)
"""The types before the first step of a feature."""


class StepBuilder:
    """Collects one file. `lines` and `starts` are those of `lines.split_lines`; `language` is that of a file without a
    header."""

    def __init__(self, lines: list[str], starts: list[int], language: str = ENGLISH) -> None:
        self._default_language = language
        self._lines = lines
        self._starts = starts
        self.reset()

    def reset(self) -> None:
        self.language = self._default_language
        self.blocks: list[BlockRecord] = []
        self.comments: list[tuple[int, str]] = []
        self.notes: list[Note] = []
        self._feature = ""
        self._rule: str | None = None
        self._feature_tags: tuple[str, ...] = ()
        self._rule_tags: tuple[str, ...] = ()
        self._pending_tags: list[str] = []
        self._block: BlockRecord | None = None
        self._examples: ExamplesRecord | None = None
        self._table_width = -1
        self._in_doc_string = False
        self._after_feature_background = _START
        self._after_background = _START
        self._types = _START
        self._prose = Prose("start", 0)

    # called by the official parser

    def start_rule(self, rule_type: str) -> None:
        """Nothing: the tokens alone determine blocks."""

    def end_rule(self, rule_type: str) -> None:
        """Nothing: the tokens alone determine blocks."""

    def build(self, token: LineToken) -> None:
        """Add a token. Raises `AstBuilderException` for a row that is not as wide as its table's first."""
        handler = self._handlers.get(token.matched_type or "")
        if handler is not None:
            handler(self, token)

    def get_result(self) -> "StepBuilder":
        return self

    # called by recovery

    def close_doc_string(self) -> None:
        """End the open DocString here, without its separator."""
        self._in_doc_string = False

    def drop_tags(self) -> None:
        """Forget the last tags, which belong to nothing."""
        self._pending_tags = []

    def record(self, encoding: str, *, recovered: bool = False) -> FileRecord:
        self._end_prose("end")
        self.notes.sort(key=lambda note: (note.line, note.column))
        return FileRecord(self.language, encoding, recovered, self.blocks, self.notes, self.comments)

    # Tokens.

    def _take_tags(self) -> tuple[str, ...]:
        tags = tuple(self._pending_tags)
        self._pending_tags = []
        return tags

    def _tag_line(self, token: LineToken) -> None:
        self._pending_tags += [item["text"] for item in token.matched_items]

    def _feature_line(self, token: LineToken) -> None:
        self._begin_prose("feature", token)
        self.language = token.matched_gherkin_dialect
        self._feature, self._rule = token.matched_text, None
        self._feature_tags, self._rule_tags = self._take_tags(), ()
        self._block = None
        self._after_feature_background = self._after_background = _START

    def _rule_line(self, token: LineToken) -> None:
        self._begin_prose("rule", token)
        self._rule = token.matched_text
        self._rule_tags = self._take_tags()
        self._block = None
        self._after_background = self._after_feature_background

    def _background_line(self, token: LineToken) -> None:
        self._open_block(token, is_background=True, is_outline=False)
        self._types = self._after_feature_background

    def _scenario_line(self, token: LineToken) -> None:
        spec = _dialect(token.matched_gherkin_dialect).spec
        outline = token.matched_keyword in spec["scenarioOutline"]
        self._open_block(token, is_background=False, is_outline=outline)
        self._types = self._after_background

    def _open_block(self, token: LineToken, *, is_background: bool, is_outline: bool) -> None:
        self._begin_prose("background" if is_background else "scenario", token)
        tags = self._feature_tags + self._rule_tags + self._take_tags()
        line = token.location["line"]
        self._block = BlockRecord(
            self._feature, self._rule, token.matched_text, line, tags, is_background, is_outline, [], []
        )
        self.blocks.append(self._block)
        self._examples = None

    def _examples_line(self, token: LineToken) -> None:
        self._begin_prose("examples", token)
        block = self._block
        if block is None:
            self._pending_tags = []
            return
        block.is_outline = True
        self._examples = ExamplesRecord(token.location["line"], block.tags + self._take_tags(), (), [])
        block.examples.append(self._examples)
        self._table_width = -1

    def _step(self, token: LineToken) -> None:
        if self._prose.lines:
            self._end_prose("step")
        block = self._block
        if block is None or self._heads_group(token) or self._is_condition(token):
            return
        keyword_type = _TYPE[token.matched_keyword_type]
        self._types = self._types.after(keyword_type, is_first=not block.steps)
        if block.is_background:
            self._after_background = self._types
            if self._rule is None:
                self._after_feature_background = self._types
        line: int = token.location["line"]
        text: str = token.matched_text
        in_line = len(self._lines[line - 1].rstrip()) - len(text)  # a step's text ends its line
        start = self._starts[line - 1] + in_line
        block.steps.append(
            StepRecord(text, line, in_line + 1, start, token.matched_keyword, keyword_type, *self._types)
        )
        self._table_width = -1
        self._in_doc_string = False

    def _heads_group(self, token: LineToken) -> bool:
        """True if a `*` line of Vanessa Automation names the steps nested below it."""
        if not token.matched_keyword.startswith("*") or self.language not in ("ru", "en"):
            return False
        return self.may_be_vanessa and heads_group(self._lines, token.location["line"] - 1)

    def _is_condition(self, token: LineToken) -> bool:
        """True for `Если … Тогда`: the Russian If is a keyword of Gherkin too."""
        return self.language == "ru" and opens_control(self._lines[token.location["line"] - 1])

    @property
    def may_be_vanessa(self) -> bool:
        """True for a file in Russian, as most that Vanessa Automation runs are, or with its control lines."""
        return self.language == "ru" or self.has_control

    @cached_property
    def has_control(self) -> bool:
        """True if the file contains lines that only Vanessa Automation reads."""
        is_own = is_control if self.language == "ru" else opens_control
        return any(map(is_own, self._lines))

    def _separator(self, token: LineToken) -> None:
        del token
        self._in_doc_string = not self._in_doc_string
        self._argument("docstring")

    def _row(self, token: LineToken) -> None:
        examples = self._examples
        cells: tuple[str, ...] = tuple(token.matched_items)
        if self._table_width < 0:
            self._table_width = len(cells)
            if examples is not None:
                examples.header = cells
            else:
                self._argument("table")
        elif len(cells) != self._table_width:
            raise AstBuilderException("inconsistent cell count within the table", token.location)
        elif examples is not None:
            examples.rows.append(cells)

    def _argument(self, kind: str) -> None:
        if self._block is not None and self._block.steps and self._examples is None:
            step = self._block.steps[-1]
            if step.argument is None:
                step.argument = kind

    def _comment(self, token: LineToken) -> None:
        self.comments.append((token.location["line"], token.matched_text.strip()))

    def _other(self, token: LineToken) -> None:
        if not self._in_doc_string:
            line = token.location["line"]
            self._prose.lines.append((line, self._lines[line - 1]))

    # Descriptions.

    def _begin_prose(self, kind: str, token: LineToken) -> None:
        if self._prose.lines:
            self._end_prose("title")
        self._prose = Prose(kind, token.location["line"])

    def _end_prose(self, ended_by: str) -> None:
        if self._prose.lines:
            self._prose.ended_by = ended_by
            self.notes += suspects(self._prose, self.language)
            self._prose = Prose(self._prose.kind, self._prose.title_line)

    _handlers: ClassVar[dict[str, Callable[["StepBuilder", LineToken], None]]] = {
        "StepLine": _step,
        "TableRow": _row,
        "DocStringSeparator": _separator,
        "Comment": _comment,
        "Other": _other,
        "TagLine": _tag_line,
        "FeatureLine": _feature_line,
        "RuleLine": _rule_line,
        "BackgroundLine": _background_line,
        "ScenarioLine": _scenario_line,
        "ExamplesLine": _examples_line,
    }
    """By the kind of a line. A builder's own methods would be a cycle: each builder would stay, with all that it read,
    until the collector comes."""


_DIALECTS: dict[str, Any] = {}


def _dialect(name: str) -> Any:
    if name not in _DIALECTS:
        _DIALECTS[name] = Dialect.for_name(name)
    return _DIALECTS[name]
