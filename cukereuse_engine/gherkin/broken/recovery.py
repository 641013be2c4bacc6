"""Steps of a file that the official parser rejects: no well-formed scenario is lost.

The official matchers say what each line is; this module says where a line may be, as the official grammar does,
and goes on after what may not. Each thing skipped is one note with its line. For a text that the official parser
accepts it gives the same steps (a test holds that), so every scenario without damage reads as it would alone.
Never makes a step of a line that the dialect does not make one.
"""

import re
from typing import Protocol

from gherkin.errors import AstBuilderException, NoSuchLanguageException, ParserError

from cukereuse_engine.gherkin.broken.docstrings import (
    BEHAVE_FENCES,
    FENCES,
    MARKDOWN_FENCES,
    DocString,
    LineKind,
    best_reading,
    fence_of,
)
from cukereuse_engine.gherkin.broken.places import DESCRIBED, TITLES, LinePlace, has_room_for, misplaced
from cukereuse_engine.gherkin.broken.repaired_titles import has_feature, not_a_feature, repaired_feature, repaired_title
from cukereuse_engine.gherkin.broken.suspects import correction, shorten
from cukereuse_engine.gherkin.dialects import keywords, nearest_language
from cukereuse_engine.gherkin.flavour import Flavour, Syntax
from cukereuse_engine.gherkin.line_matcher import BAD_TAGS, LineMatcher
from cukereuse_engine.gherkin.records import Note
from cukereuse_engine.gherkin.tokens import LineToken, line_token
from cukereuse_engine.gherkin.vanessa import is_comment, is_control, is_step_tag

CONFLICT = re.compile(r"(<{7}|>{7}|={7}|\|{7})(?:\s|$)")
FENCES_OF = {Syntax.GHERKIN: FENCES, Syntax.MARKDOWN: MARKDOWN_FENCES, Syntax.BEHAVE: BEHAVE_FENCES}
REFUSED = "Not valid Gherkin"
"""The beginning of a note about a text that is rejected although each line has its place."""


class Builder(Protocol):
    """The receiver of the lines: see `builder.StepBuilder`."""

    notes: list[Note]
    language: str

    @property
    def may_be_vanessa(self) -> bool: ...

    @property
    def has_control(self) -> bool: ...

    def build(self, token: LineToken) -> None: ...

    def close_doc_string(self) -> None: ...

    def drop_tags(self) -> None: ...


def recover(lines: list[str], builder: Builder, error: ParserError, *, flavour: Flavour) -> None:
    """Feed `builder` with all that can be read of `lines`. `error` is why the official parser refused them."""
    recovery = _Recovery(lines, builder, flavour)
    recovery.run()
    if not recovery.notes and not recovery.has_own_grammar:
        location = getattr(error, "location", {"line": 0})
        message = str(error).partition(": ")[2]
        recovery.notes.append(Note(location["line"], location.get("column", 0), f"{REFUSED}: {message}."))
    builder.notes += recovery.notes


class _Recovery:
    def __init__(self, lines: list[str], builder: Builder, flavour: Flavour) -> None:
        self.notes: list[Note] = []
        self.has_own_grammar = False
        """Lines of Vanessa Automation's own were read."""
        self._lines = lines
        self._builder = builder
        self._flavour = flavour
        self._markdown = flavour.syntax is Syntax.MARKDOWN
        self._fences = FENCES_OF[flavour.syntax]
        self._language_read = False
        self._matcher = LineMatcher(flavour)
        self._reading: dict[int, DocString | None] | None = None
        """The result of `best_reading`, from the first title on."""
        self._ahead: dict[int, LineToken] = {}
        """Tokens that `best_reading` requested and that are not taken yet."""
        self._place = LinePlace.START
        self._in_background = False
        self._title_indent = 0
        self._title_at = 0
        self._arguments: list[str] = []
        self._ragged = False
        self._conflict = self._conflict_base = False
        self._feature_seen = False
        self._skipped_at = -2
        """Index of the last line skipped: one note serves the lines that follow it."""
        self._orphan_at = -2
        """Index of the last line of something skipped that may have a table or DocString of its own below."""

    def run(self) -> None:
        at = 0
        while at < len(self._lines):
            at = self._line(at)

    # One line each: returns the index of the line to read next.

    def _line(self, at: int) -> int:
        line = self._lines[at]
        if not line.strip():
            return self._pass(at)
        if CONFLICT.match(line) and self._conflict_marker(at):
            return at + 1
        if self._conflict_base:
            return at + 1
        fence = fence_of(line, self._fences)
        if fence and self._place is LinePlace.STEPS:
            return self._doc_string(at, fence)
        if self._place is LinePlace.START and not self._language_read and self._reads_language(at):
            return at + 1
        return self._read(at, self._token(at))

    def _read(self, at: int, token: LineToken) -> int:
        kind = token.matched_type
        if kind == "Comment":
            self._build(token)
            return self._pass(at)
        if kind == "TagLine":
            return self._tags(at)
        if kind in TITLES:
            self._title(at, token)
        elif kind == "StepLine":
            self._step(at, token)
        elif kind == "TableRow":
            self._row(at, token)
        else:
            self._other(at, token)
        return at + 1

    def _pass(self, at: int) -> int:
        """Skip a blank line or a comment, which ends nothing."""
        self._skipped_at += self._skipped_at == at - 1
        self._orphan_at += self._orphan_at == at - 1
        return at + 1

    def _title(self, at: int, token: LineToken, *, tagged: bool = False) -> None:
        kind, place = token.matched_type, self._place
        in_place = has_room_for(kind, place, in_background=self._in_background)
        if not in_place and place in DESCRIBED and not tagged:
            self._description(token)
            return
        if kind != "FeatureLine" and place is LinePlace.START and not self._feature_seen:
            self._feature_seen = True
            self._skip(at, f'"{keywords(self._matcher.language).feature}:" is missing above this line.', always=True)
        if not in_place:
            self._skip(at, misplaced(kind, token.matched_keyword), always=True)
        if kind != "ExamplesLine":
            self._title_at = at
        elif not in_place:
            self._place = LinePlace.LOST
            return
        self._enter(token)

    def _enter(self, token: LineToken) -> None:
        kind = token.matched_type
        self._build(token)
        self._skipped_at = -2
        self._arguments, self._ragged = [], False
        if kind == "ExamplesLine":
            self._place = LinePlace.EXAMPLES
            return
        first = self._place is LinePlace.START
        self._feature_seen = True
        self._in_background = kind == "BackgroundLine"
        self._title_indent = token.line.indent
        self._place = LinePlace.HEADER if kind in ("FeatureLine", "RuleLine") else LinePlace.DESCRIPTION
        if first:
            self._read_ahead(token.location["line"])

    def _step(self, at: int, token: LineToken) -> None:
        if self._place in (LinePlace.DESCRIPTION, LinePlace.STEPS):
            self._build(token)
            self._place = LinePlace.STEPS
            self._arguments, self._ragged = [], False
            self._skipped_at = self._orphan_at = -2
        elif self._place in (LinePlace.HEADER, LinePlace.EXAMPLES):
            self._description(token)
        elif self._place is LinePlace.ROWS:
            self._skip(at, 'A step below examples belongs to no scenario. Write "Scenario:" above it.')
        else:
            self._skip(at, 'Not a step: it is outside any scenario. Write "Scenario:" above it.')

    def _row(self, at: int, token: LineToken) -> None:
        if self._orphan_at == at - 1:
            self._orphan_at = self._skipped_at = at
            return
        if self._place is LinePlace.STEPS:
            if "table" in self._arguments and self._arguments[-1] != "table":
                self._skip(at, "A step can have only one table.")
                return
            if not self._arguments or self._arguments[-1] != "table":
                self._arguments.append("table")
        elif self._place is LinePlace.EXAMPLES:
            self._place = LinePlace.ROWS
        elif self._place is not LinePlace.ROWS:
            self._other(at, token)
            return
        try:
            self._builder.build(token)
        except AstBuilderException:
            if not self._ragged:
                self._skip(at, "This row has a different number of cells from the table's first row.", always=True)
            self._ragged = True

    def _doc_string(self, at: int, fence: str) -> int:
        doc_string = self._reading.get(at) if self._reading else None
        if doc_string is None:
            self._skip(at, f"{fence} closes nothing here: the line that opens the DocString is missing.", always=True)
            return at + 1
        orphan = self._orphan_at == at - 1
        if orphan:
            self._orphan_at = doc_string.end
        elif "docstring" in self._arguments:
            self._skip(at, "A step can have only one DocString.", always=True)
        else:
            separator = line_token(self._lines[at], at + 1)
            separator.matched_type = "DocStringSeparator"
            self._builder.build(separator)
            self._builder.close_doc_string()
            self._arguments.append("docstring")
        if doc_string.closed:
            self._skipped_at = doc_string.end if orphan else -2
            return doc_string.end + 1
        self._skip(at, f"The DocString opened here is never closed. Write {fence} below its last line.", always=True)
        return doc_string.end

    def _is_of_step(self, at: int) -> bool:
        """True if a line of tags belongs to the step below it, as in Vanessa Automation."""
        if self._place not in (LinePlace.DESCRIPTION, LinePlace.STEPS) or not self._builder.may_be_vanessa:
            return False
        below = next((index for index in range(at + 1, len(self._lines)) if self._lines[index].strip()), None)
        is_step = below is not None and self._matcher.token(self._lines[below], below).matched_type == "StepLine"
        return is_step and (self._builder.has_control or is_step_tag(self._lines[at]))

    def _tags(self, at: int) -> int:
        """Read all tag lines up to what they belong to."""
        if self._is_of_step(at):
            self.has_own_grammar = True
            return at + 1
        end = self._tag_lines(at)
        owner = self._token(end) if end < len(self._lines) else None
        if owner is not None and self._takes_tags(owner.matched_type):
            self._title(end, owner, tagged=True)
            return end + 1
        self._builder.drop_tags()
        if owner is not None and owner.matched_type == "BackgroundLine":
            self._skip(at, f'"{owner.matched_keyword}:" cannot have tags. Remove them.', always=True)
            self._title(end, owner, tagged=True)
            return end + 1
        self._skip(at, "These tags belong to nothing: no feature, rule, scenario or examples below.", always=True)
        return end

    def _tag_lines(self, at: int) -> int:
        """Build tags and the comments among them. Returns the index of the line below."""
        tokens = list[tuple[int, LineToken]]()
        while at < len(self._lines):
            line = self._lines[at]
            is_own = self._builder.has_control and is_comment(line)
            self.has_own_grammar |= is_own
            if not is_own and line.strip():
                token = self._token(at)
                if token.matched_type not in ("TagLine", "Comment"):
                    break
                tokens.append((at, token))
            at += 1
        for index, token in tokens:
            if token.matched_type == "TagLine" and token.matched_items is BAD_TAGS:
                words = re.findall(r"@[^\s@]+", self._lines[index].split(" #")[0])
                token.matched_items = [{"text": word} for word in words]
                self._skip(index, "Tags cannot contain spaces. Write each tag with its own @.", always=True)
            self._build(token)
        return at

    def _takes_tags(self, kind: str | None) -> bool:
        if kind == "ExamplesLine":
            return self._place not in (LinePlace.START, LinePlace.HEADER) and not self._in_background
        return kind in ("FeatureLine", "RuleLine", "ScenarioLine")

    def _other(self, at: int, token: LineToken) -> None:
        if self._markdown:
            return  # prose
        in_block = self._place in (LinePlace.DESCRIPTION, LinePlace.STEPS)
        is_own = is_control if in_block else is_comment
        if self._builder.has_control and is_own(self._lines[at]):
            self.has_own_grammar = True
            return  # its steps are read as any others
        prose = self._place in DESCRIBED
        if prose and (not self._reading or at not in self._reading):
            self._description(token)
            return
        repaired = self._repaired(at)
        if repaired is not None:
            self._skip(at, f'Not a title. Write "{shorten(repaired.line.get_line_text().strip())}".', always=True)
            self._title(at, repaired)
            return
        line = self._lines[at]
        better = correction(line, self._matcher.language)
        self._orphan_at = at
        if better is not None and self._place is LinePlace.STEPS:
            self._skip(at, f'Not a step. Write "{shorten(better)}".', always=True)
        elif self._place is LinePlace.START:
            self._skip(at, not_a_feature(self._lines, at, self._matcher.language))
        else:
            self._skip(at, "Neither a step nor any other Gherkin; skipped.")

    def _repaired(self, at: int) -> LineToken | None:
        """The title that a line was meant to be."""
        if self._place is LinePlace.START:
            better = repaired_feature(self._lines, at, self._matcher.language)
        else:
            better = repaired_title(
                self._lines, at, self._matcher.language, above=self._title_at, indent=self._title_indent
            )
        return self._matcher.token(better, at) if better is not None else None

    def _conflict_marker(self, at: int) -> bool:
        """True if this line is a merge-conflict marker."""
        sign = self._lines[at][0]
        if sign == "<":
            self._conflict = True
            self._skip(at, "Merge conflict: both sides are read. Resolve the conflict.", always=True)
        elif not self._conflict:
            return False
        self._conflict_base = sign == "|"
        if sign == ">":
            self._conflict = False
        return True

    # What a line is.

    def _token(self, at: int) -> LineToken:
        return self._ahead.pop(at, None) or self._matcher.token(self._lines[at], at)

    def _reads_language(self, at: int) -> bool:
        """True if the line is the file's `# language:` header."""
        line = self._lines[at]
        try:
            token = self._matcher.header(line, at)
        except NoSuchLanguageException:
            name = line.partition(":")[2].strip()
            nearest = nearest_language(name)
            hint = f' Did you mean "{nearest}"?' if nearest else ""
            self._skip(at, f'Unknown language "{name}".{hint}', always=True)
            self._matcher.speak(nearest if nearest and has_feature(self._lines, nearest) else self._flavour.language)
            matched = True
        else:
            matched = token is not None
            if token is not None:
                self._build(token)
        self._language_read, self._builder.language = matched, self._matcher.language
        return matched

    def _kind(self, at: int) -> LineKind:
        """The kind of a line for `best_reading`."""
        if CONFLICT.match(self._lines[at]):
            return LineKind("Comment")
        token = self._ahead[at] = self._token(at)
        repaired = self._repaired(at) if token.matched_type is None and not self._markdown else None
        return (
            LineKind(token.matched_type or "")
            if repaired is None
            else LineKind(repaired.matched_type or "", misspelt=True)
        )

    def _read_ahead(self, begin: int) -> None:
        self._reading = best_reading(
            self._lines,
            begin,
            self._place,
            in_background=self._in_background,
            kind_of=self._kind,
            markdown=self._markdown,
            fences=self._fences,
        )

    # What becomes of it.

    def _build(self, token: LineToken) -> None:
        self._builder.build(token)

    def _description(self, token: LineToken) -> None:
        token.matched_type = "Other"
        self._builder.build(token)

    def _skip(self, at: int, message: str, *, always: bool = False) -> None:
        """Note that a line was skipped; no note if the line before was skipped too, unless `always`."""
        if always or self._skipped_at != at - 1:
            line = self._lines[at]
            self.notes.append(Note(at + 1, len(line) - len(line.lstrip()) + 1, message))
        self._skipped_at = -2 if always else at
