"""Who else names a constant that says an expression."""

import pytest

from cukereuse_engine.refactor.constants import user_elsewhere

OTHERS = [
    ("python", "a.py", "b.py", "import a\nlog(LOGIN=a.LOGIN)\n", 2),
    ("python", "a.py", "b.py", "import a\n# LOGIN = 3\nprint(a.LOGIN)\n", 3),
    ("python", "a.py", "b.py", "from a import x\nLOGIN = 'z'\nprint(LOGIN)\n", 0),
    ("python", "a.py", "b.py", "from a import x\nLOGIN: str = 'z'\nprint(LOGIN)\n", 0),
    ("ruby", "s.rb", "r.rb", "module U\n  LOGIN ||= '/login'\nend\n", 0),
    ("ruby", "s.rb", "r.rb", "visit LOGIN\n", 1),
    ("java", "S.java", "J.java", 'class J { private static final String LOGIN = "x"; void f() { g(LOGIN); } }\n', 0),
    ("java", "S.java", "J.java", "class J {\n  void f() { g(S.LOGIN); }\n}\n", 2),
]


@pytest.mark.parametrize(("language", "path", "other", "text", "line"), OTHERS)
def test_who_else_names_it(language: str, path: str, other: str, text: str, line: int) -> None:
    sources = {path: b"", other: text.encode()}
    found = user_elsewhere("LOGIN", path, language, sources, sources.__getitem__)
    assert found == (f"{other}:{line}" if line else "")
