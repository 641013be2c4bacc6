"""How comments are written: the part of a language's row for what is read and written beside its code."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Comments:
    line: tuple[str, ...]
    """The signs of a comment that ends with its line; the first is the one that we write."""
    block: tuple[str, str] | None = None
    """The signs around a comment of several lines."""
    margin: str = ""
    """The sign that lines inside such a comment usually begin with."""
    directives: tuple[str, ...] = ()
    """Beginnings of lines that look like comments, but that somebody reads: an attribute, an interpreter's name."""

    @property
    def openings(self) -> tuple[str, ...]:
        """Everything that the text of a comment may stand behind, the longest first."""
        signs = {*self.line, *(self.block or ())[:1], self.margin} - {""}
        return tuple(sorted(signs, key=lambda sign: (-len(sign), sign)))

    def mark_above(self, code: str) -> str:
        """The sign of a comment on a line of its own above this one: the margin, inside a comment of several lines."""
        return self.margin if self.margin and code.lstrip().startswith(self.margin) else self.line[0]


C_LIKE = Comments(("//",), ("/*", "*/"), margin="*")
HASH = Comments(("#",), directives=("#!", "# -*-"))
