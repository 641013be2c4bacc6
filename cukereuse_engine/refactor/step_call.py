"""A step that code runs by its text, and the places in a source that are code."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.glue.languages.source import Source
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError

INSERTED = re.compile(r"#\{[^{}]*\}|\$?\{[^{}]*\}|%[sd]")
"""A value that a program inserts: it may be anything."""


PUT_IN_TEXT = re.compile(INSERTED.pattern + r"|#?\$[A-Za-z_]\w*(?:->\w+|\[[^\]]*\])?|#@{1,2}\w+")
"""The same without braces: `$x` of PHP, `#@x` of Ruby."""


_NO_CODE = re.compile("comment|string|regex|heredoc|char")
"""Types of nodes in the grammars that contain text."""


_PUT_IN = re.compile("interpolation|substitution")


@dataclass(frozen=True, slots=True)
class StepCall:
    """A step that code runs."""

    step: Step
    """The step that it runs if it is plain, otherwise with its text as written; path and span are those in the source,
    without byte order mark."""
    plain: bool
    """True if the text that it runs is known: nothing is inserted, and only the literal's own quote is escaped."""
    unsafe: str
    """Signs that the literal around it can't hold."""
    quote: str = ""
    """The literal's quote, if it can be escaped."""
    escaped: str = ""
    """That quote as it is escaped in the literal."""
    whole: str = ""
    """The text with everything that is joined to its literal; empty if nothing is."""

    @property
    def place(self) -> str:
        return f"{self.step.path}:{self.step.line}"

    def could_say(self) -> Iterator[str]:
        """The texts that it may run: its own and, if values are inserted, the text with a sample."""
        yield self.whole or self.step.text
        if not self.plain:
            text = (self.whole or self.step.text).replace('\\"', '"').replace("\\'", "'").replace('""', '"')
            yield text
            for value in ("1", "a", '"a"'):
                yield PUT_IN_TEXT.sub(value, text)

    def may_say(self, texts: Iterable[str]) -> bool:
        """True if it could run one of these texts, whatever is inserted; only if it has a word of its own."""
        if self.plain:
            return False
        first, *others = PUT_IN_TEXT.split((self.whole or self.step.text).replace('\\"', '"').replace("\\'", "'"))
        if not others or not re.search(r"\w", "".join([first, *others])):
            return False
        return any(text.startswith(first) and _follow(others, text, len(first)) for text in texts)

    def written(self, text: str) -> str | None:
        """A new text as the source must write it; None if it can't."""
        if not self.plain or any(sign in text for sign in (*self.unsafe, "\n", "\r", "\\", "#{", "#$", "#@")):
            return None
        return text.replace(self.quote, self.escaped) if self.quote else text


def _follow(parts: Sequence[str], text: str, at: int) -> bool:
    """True if a text contains the parts from an offset on, in their order, the last one at its end."""
    *inner, last = parts
    for part in inner:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return text.endswith(last) and len(text) - len(last) >= at


class CodePlaces:
    """Tells which places of a source are code. Parses it only if needed, as most sources call no step."""

    def __init__(self, path: str, source: str, language: str) -> None:
        self._path, self._source, self._language = path, source, language

    @cached_property
    def _tree(self) -> Source | None:
        from cukereuse_engine.functions.reading import parse  # with all grammars: for steps that code runs alone

        try:
            return parse(self._path, self._source.encode("utf-8", "surrogatepass"), self._language)
        except SlowSourceError:
            return None

    def holds(self, at: int) -> bool:
        """True if the code point offset `at` is outside comments and literals; inserted expressions are code. If
        parsing takes too long, all of the source counts as code."""
        if self._tree is None:
            return True
        offset = at if self._source.isascii() else len(self._source[:at].encode("utf-8", "surrogatepass"))
        node = self._tree.root.descendant_for_byte_range(offset, offset + 1)
        while node is not None:
            if _PUT_IN.search(node.type):
                return True
            if _NO_CODE.search(node.type):
                return False
            node = node.parent
        return True
