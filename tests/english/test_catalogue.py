"""The catalogue's files have all English of their packages, and corrections in them reach the code."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from catalogue import FOLDER, corrected, corrections, written
from literals import PACKAGES, of_python


@pytest.mark.parametrize("package", PACKAGES)
def test_the_catalogue_has_what_the_code_says(package: str) -> None:
    """If this fails, run `python tests/english/catalogue.py`."""
    assert (FOLDER / f"{package}.txt").read_text("utf-8") == written(package)
    assert corrections(written(package)) == {}


def test_a_text_that_is_missing_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"api\.py: \d+ texts in the source, 1 in the catalogue; write it first"):
        corrections("cukereuse_engine/api.py\n  there is no such setting\n")


PLAIN = 'raise Refusal(place, "there is no step here")\n'
PUT_IN = 'warn(f"the step {step.text} has {count(uses)} uses here")\n'
TWO_LINES = 'x = (\n    f"{path} is not a file "\n    "that anybody reads"\n)\n'
ONE_FILE = TWO_LINES.replace("is not", "is").replace("anybody", "nothing")
HELP = (
    '@click.command()\ndef run():\n    """Run all the stages.\n\n    It reads and writes\n    in one folder.\n    """\n'
)


@pytest.mark.parametrize(
    ("source", "new", "expected"),
    [
        (PLAIN, "no step is here", PLAIN.replace("there is no step here", "no step is here")),
        (PUT_IN, "{step.text} has {count(uses)} uses", PUT_IN.replace("the step {", "{").replace(" here", "")),
        (TWO_LINES, "{path} is a file that nothing reads", ONE_FILE),
        (TWO_LINES, "{path} is not a file that people read", TWO_LINES.replace("anybody reads", "people read")),
        (HELP, "Run every stage. ¶ It reads and writes in one folder.", HELP.replace("all the stages", "every stage")),
        (HELP, "Run all the stages. ¶ It works in one folder.", HELP.replace("reads and writes", "works")),
        ('say("one or one or two")', "one or one or three", 'say("one or one or three")'),
        ('say("the step \\"x\\" is gone")', 'the step "y" is gone', None),
        ('say("the step \\"x\\" is gone")', 'this step "x" is gone', 'say("this step \\"x\\" is gone")'),
    ],
)
def test_what_is_corrected_is_put_into_the_source(source: str, new: str, expected: str | None) -> None:
    """`expected` None: the words are not in the source as they read, so their line is named."""
    (literal, *_) = of_python(source)
    assert corrected(source, {literal: new}) == ((expected, []) if expected else (source, [literal.line]))
