"""Regular expressions of every glue language in the syntax of one engine (PyPI `regex`, version 0 behaviour).

A pattern is cut into tokens once. Translation, capture groups and the literals that a match must contain all use these
tokens. Nothing here compiles or matches. If the dialect refuses a pattern, or `regex` can't express it, the pattern has
a `problem`; other faults appear when the pattern is compiled.
"""

from cukereuse_engine.glue.regexes.dialects import ENGINE, Dialect
from cukereuse_engine.glue.regexes.lexer import Lexer
from cukereuse_engine.glue.regexes.numbering import numbered
from cukereuse_engine.glue.regexes.pattern import Group, Pattern, Token, TokenKind

__all__ = ["ENGINE", "Dialect", "Group", "Pattern", "Token", "TokenKind", "translate"]


def translate(pattern: str, dialect: Dialect, flags: str = "") -> Pattern:
    """`pattern`, written in `dialect`, in the syntax of `regex`.

    White space and comments that the flag "x" ignores are removed here, so that the result needs no such flag.
    """
    row = dialect.under(flags)
    return numbered(Lexer(pattern, row, flags).run(), row)
