"""A report of a user as a small suite of our own, with its runner's behaviour."""

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

UNDEFINED, AMBIGUOUS = Status.UNDEFINED, Status.AMBIGUOUS
Steps = list[tuple[str, "tuple[str | None, ...] | Status"]]
"""Lines of a feature with their bindings: the values of the arguments, or the status if it is not bound."""


def glue_of(name: str, source: str) -> Glue:
    glue = Glue("suite")
    glue.update_file(f"suite/features/steps/{name}", source.encode())
    return glue


def check(report: str, name: str, source: str, steps: Steps) -> None:
    """`name`: of the file with the step definitions, whose text is `source`."""
    glue = glue_of(name, source)
    path = "suite/features/a.feature"
    lines = "\n".join(line for line, _ in steps)
    read = read_text(path, f"Feature: Reports\nScenario: one\n{lines}\n").steps
    glue.update_feature(path, read)
    outcomes: list[tuple[str | None, ...] | Status] = []
    for step in read:
        bound = glue.bind(step)
        arguments = tuple(argument.value for match in bound.texts[0].matches for argument in match.arguments)
        outcomes.append(arguments if bound.status is Status.BOUND else bound.status)
    assert outcomes == [expected for _, expected in steps], report
