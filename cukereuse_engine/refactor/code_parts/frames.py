"""The code around a new definition in a file of its own."""

import re
from dataclasses import dataclass
from pathlib import Path

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.lines import split_lines
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.refactor.code_parts.snippet import NewCode, head_line

_CLASS = re.compile(
    r"^[ \t]*(?:(?:public|final|open|internal|sealed|partial|abstract|static|data)[ \t]+)*class[ \t]+(\w+)([^{\n]*)",
    re.MULTILINE,
)


class NoNewFileError(CukereuseError):
    """A runner would not load the new file, or only with more code than can be written."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The code before and after a definition in a file of its own."""

    begin: str
    """The file's first lines, imports among them; may be empty."""
    end: str = ""
    gap: str = "\n\n"
    """The text between the beginning and the definition."""

    def whole(self, code: NewCode) -> str:
        apart = f"\n{code.apart}\n" if code.apart else ""
        return f"{self.begin}{self.gap if self.begin else ''}{code.text}\n{self.end}{apart}"


@dataclass(frozen=True, slots=True)
class Asked:
    model: StepDefinition
    text: str
    path: str
    keyword: str

    @property
    def name(self) -> str:
        """The name of the class."""
        return Path(self.path).stem

    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.text.splitlines()]

    def head(self) -> str:
        """The line on which the model is registered."""
        return head_line(self.model, split_lines(self.text)[0])

    def indent(self) -> str:
        head = self.head()
        return head[: len(head) - len(head.lstrip())]

    def enclosing(self) -> re.Match[str]:
        around = enclosing_class(self.model, self.text)
        if around is None:
            raise NoNewFileError(f"it is unclear which class of {self.model.path} contains the step definitions")
        return around


def enclosing_class(model: StepDefinition, text: str) -> re.Match[str] | None:
    """The head of the class around the model: its name, and the text up to its brace."""
    at = len(text.encode("utf-8", "surrogatepass")[: model.literal.start_byte].decode("utf-8", "surrogatepass"))
    classes = [match for match in _CLASS.finditer(text) if match.start() < at]
    return classes[-1] if classes else None
