"""Functions of another class, called on the object that the runner hands over.

Cucumber-JVM, Reqnroll and SpecFlow make one object of each class a scenario and give it to whoever takes one in its
constructor; Behat's contexts fetch one another from the environment. An object that code makes itself is another one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from cukereuse_engine.blocks.calling.functions import (
    NotCallableError,
    SourceFunctions,
    StepFunction,
    SuiteFunctions,
    plain_name,
)
from cukereuse_engine.functions.classes import Class
from cukereuse_engine.refactor.rename_plan import TextEdit

_FETCHED = re.compile(
    r"\$this->(?P<name>\w+)\s*=\s*\$[\w>()-]*->getContext\(\s*(?:(?P<named>[\w\\]+)::class|(?P<quote>['\"])(?P<said>[\w\\]+)(?P=quote))\s*\)"
)
_HIDDEN = re.compile(r"\b(?:private|protected|internal)\b")


class Objects:
    def __init__(self, home: SourceFunctions, owner: int, suite: SuiteFunctions) -> None:
        """`owner`: byte at which the class of the code begins."""
        self._home, self._suite = home, suite
        self._class = home.class_at(owner)
        self._used: set[str] = set()

    def called(self, function: StepFunction, name: str) -> str:
        shown = function.definition.shown
        source = self._suite.of(function.definition.path)
        theirs = source.class_at(function.owner)
        if self._class is None or theirs is None:
            raise NotCallableError(f"the class of “{shown}” can't be read here")
        language, wanted = function.definition.language, plain_name(theirs.id)
        if len(self._suite.classes(wanted, language)) != 1:
            raise NotCallableError(f"several classes are called {wanted}")
        head = source.head(function)
        if _HIDDEN.search(head) or (language in ("java", "csharp") and not re.search(r"\bpublic\b", head)):
            raise NotCallableError(f"the function of “{shown}” is not public")
        held = next((held for held, type_name in held_by(self._class, self._home) if type_name == wanted), None)
        if held is None:
            mine = plain_name(self._class.id)
            where = (
                f"let {mine} fetch it from Behat's environment first"
                if language == "php"
                else f"let the constructor of {mine} take one first"
            )
            raise NotCallableError(f"{mine} has no {wanted} that the runner gives it; {where}")
        self._used.add(held)
        return f"{held}->{name}" if language == "php" else f"{held}.{name}"

    def edits(self) -> Mapping[str, Sequence[TextEdit]]:
        return {}

    def names(self) -> frozenset[str]:
        return frozenset(self._used)


def held_by(class_: Class, source: SourceFunctions) -> Iterator[tuple[str, str]]:
    """The objects of other classes that a class gets from the runner: member and name of the class."""
    language = source.definitions[0].language
    written = source.text_of(class_.node)
    if language == "php":
        for match in _FETCHED.finditer(written):
            yield match["name"], plain_name(match["named"] or match["said"])
        return
    for name, field in class_.fields.items():
        is_member = language != "kotlin" or re.search(rf"\b(?:val|var)\s+{re.escape(name)}\b", written) is not None
        if field.injected and field.type and is_member:
            yield name, plain_name(field.type)
