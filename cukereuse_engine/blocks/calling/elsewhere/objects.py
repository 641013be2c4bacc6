"""Functions of another class, called on the object that the runner passes.

Cucumber-JVM, Reqnroll and SpecFlow create one object of each class for a scenario and pass it to every constructor that
takes one; Behat's contexts fetch each other from the environment. An object that the code creates itself is another
one."""

import re
from collections.abc import Iterator, Mapping, Sequence

from cukereuse_engine.blocks.calling.functions import (
    NotCallableError,
    SourceFunctions,
    StepFunction,
    SuiteFunctions,
    plain_name,
    style_of,
)
from cukereuse_engine.functions.classes import Class
from cukereuse_engine.refactor.rename_plan import TextEdit

_HIDDEN = re.compile(r"\b(?:private|protected|internal)\b")


class Objects:
    def __init__(self, home: SourceFunctions, owner: int, suite: SuiteFunctions) -> None:
        """`owner`: the byte at which the class of the code begins."""
        self._home, self._suite = home, suite
        self._class = home.class_at(owner)
        self._used: set[str] = set()

    def called(self, function: StepFunction, name: str) -> str:
        shown = function.definition.shown
        source = self._suite.of(function.definition.path)
        theirs = source.class_at(function.owner)
        if self._class is None or theirs is None:
            raise NotCallableError(f"the class of “{shown}” can't be read here")
        style, wanted = style_of(function.definition), plain_name(theirs.id)
        if len(self._suite.classes(wanted, function.definition.language)) != 1:
            raise NotCallableError(f"several classes are called {wanted}")
        head = source.head(function)
        if _HIDDEN.search(head) or (style.public and not re.search(r"\bpublic\b", head)):
            raise NotCallableError(f"the function of “{shown}” is not public")
        held = next((held for held, type_name in held_by(self._class, self._home) if type_name == wanted), None)
        if held is None:
            mine = plain_name(self._class.id)
            where = (
                f"let {mine} fetch it from Behat's environment first"
                if style.fetched is not None
                else f"let the constructor of {mine} take one first"
            )
            raise NotCallableError(f"{mine} has no {wanted} that the runner gives it; {where}")
        self._used.add(held)
        return style.member.format(object=held, name=name)

    def edits(self) -> Mapping[str, Sequence[TextEdit]]:
        return {}

    def names(self) -> frozenset[str]:
        return frozenset(self._used)


def held_by(class_: Class, source: SourceFunctions) -> Iterator[tuple[str, str]]:
    """Yields the objects of other classes that a class gets from the runner: the member and the class's name."""
    style = style_of(source.definitions[0])
    written = source.text_of(class_.node)
    if style.fetched is not None:
        for match in style.fetched.finditer(written):
            yield match["name"], plain_name(match["named"] or match["said"])
        return
    for name, field in class_.fields.items():
        kept = style.kept_with
        is_member = kept is None or re.search(rf"{kept.pattern}{re.escape(name)}\b", written) is not None
        if field.injected and field.type and is_member:
            yield name, plain_name(field.type)
