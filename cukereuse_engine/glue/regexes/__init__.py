"""Regular expressions of every glue language in the syntax of one engine (PyPI `regex`, version 0 behaviour).

A pattern is cut into tokens once; translation, capture groups and the literals that a match must contain all read
those. Nothing here compiles or matches. What a dialect refuses, or what has no spelling in `regex`, is told as the
pattern's `problem`; other faults pass through and show where the pattern is compiled.
"""

from cukereuse_engine.glue.regexes.dialects import ENGINE, Dialect
from cukereuse_engine.glue.regexes.lexer import Lexer
from cukereuse_engine.glue.regexes.numbering import numbered
from cukereuse_engine.glue.regexes.pattern import Group, Pattern, Token, TokenKind

__all__ = ["ENGINE", "Dialect", "Group", "Pattern", "Token", "TokenKind", "translate"]


def translate(pattern: str, dialect: Dialect, flags: str = "") -> Pattern:
    """`pattern`, written in `dialect`, in the syntax of `regex`.

    White space and comments that the flag "x" takes away are taken away here, so that the result needs no such flag.
    """
    row = dialect.under(flags)
    return numbered(Lexer(pattern, row, flags).run(), row)
