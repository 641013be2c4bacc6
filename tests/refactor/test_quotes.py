"""A document quotes a step if it has all of it, with any arguments."""

from pathlib import Path

import pytest

from cukereuse_engine.refactor.quotes import quotes

GREETED = 'I greet "Ann" 3 times'
WIZARD = "I see the wizard"
SAME = '"a" <b> "c" are the same here'


@pytest.mark.parametrize(
    ("step", "document", "lines"),
    [
        (GREETED, 'Given I greet "Bob Low" 12 times', [1]),
        (GREETED, "\n`I greet {string} <n> times`", [2]),
        (GREETED, '`I greet "Ann" 3 times`, `I greet "Bob" 1 times`', [1]),
        (GREETED, 'I greet "Ann" 3 times, I greet "Bob" 1 times', []),
        (GREETED, 'I greet the guest, who is "Ann", 3 times', []),
        (GREETED, 'Didi greet "Ann" 3 times', []),
        (SAME, "'x' 'y y' <z> are the same here", [1]),
        (SAME, "There are the same here", []),
        ("I say it ", "I say it to all", []),
        (WIZARD, "Given I see the wizard of Oz", []),
        (WIZARD, "`Given I see the wizard` of Oz", [1]),
        (WIZARD, "Write **I see the wizard** first", [1]),
        (WIZARD, "<td>When I see the wizard</td><td>1</td>", [1]),
        (WIZARD, "| I see the wizard | a step |", [1]),
        *(
            (WIZARD, f"- {given} I see the wizard", [1])
            for given in ("**Given**", "__Given__", "`Given`", "<b>Given</b>", "**Given:**", "**Given**:", "Given:")
        ),
        *((WIZARD, f"Given I see the wizard{end}", [1]) for end in (" # why", "\\", " \\", "  ", ".  ")),
        (WIZARD, "Given I see the wizard #1", []),
        (WIZARD, "Note: I see the wizard", []),
        (WIZARD, "**Given** I see the wizard of Oz", []),
        (WIZARD, "**Note** I see the wizard", []),
        (WIZARD, "| Given I see the wizard<br>When I go |", [1]),
        (WIZARD, "Given I see the wizard <name>", []),
        ("I have left 7", "*I have left 5* is a step", [1]),
        ("I have left 7", "It says (I have left 5) here", [1]),
        (WIZARD, "  * And I see the wizard.", [1]),
        (WIZARD, "12. I see the wizard", [1]),
        (WIZARD, "> Angenommen I see the wizard", [1]),
        (WIZARD, "It begins with: Given I see the wizard", [1]),
        (WIZARD, "Given I see the wizard:", []),
        (WIZARD, 'Given I see the wizard "Oz"', []),
        (WIZARD, "Given I see the wizard, who is old", []),
        (WIZARD, "Today I see the wizard", []),
        (WIZARD, "“I see the wizard of Oz”", []),
        ('I order the "tea"', "`I order the tea`, then sit", [1]),
        ('I order the "tea"', "I order the tea with milk", []),
        ("I sit", "I sit", []),
    ],
)
def test_a_quotation_is_told(tmp_path: Path, step: str, document: str, lines: list[int]) -> None:
    path = tmp_path / "README.md"
    path.write_text(document, "utf-8")
    assert [*quotes(str(tmp_path), [step], lambda each: Path(each).read_bytes())] == [(str(path), at) for at in lines]
