"""pytest-bdd: a module has its own step definitions, those of its star imports, and those around it."""

from pathlib import Path

import pytest

from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.glue.text_binding import Status

FEATURE = "Feature: f\n  Scenario: one\n    When I go\n  Scenario: two\n    When I go\n"
IMPORT = "from pytest_bdd.parsers import re\nfrom pytest_bdd import given, parsers, scenario, scenarios, then, when\n"


def module(runs: str, *, defines: str = '@when("I go")', before: str = "") -> str:
    definition = f"{defines}\ndef go(): ...\n" if defines else ""
    return f"{before}{IMPORT}{runs}\n{definition}"


STEPS = module("")
BEHAVE = 'from behave import when\n@when("I go")\ndef go(context): ...\n'
JS = "const { When } = require('@cucumber/cucumber')\nWhen('I go', () => {})"
RUNS_A, RUNS_B = module('scenarios("a.feature")'), module('scenarios("b.feature")')
NONE = module('scenarios("a.feature")', defines="")
SITUATIONS: list[tuple[dict[str, str], str]] = [
    ({"t/test_a.py": RUNS_A, "t/test_b.py": RUNS_B}, "t/test_a.py"),
    ({"t/test_a.py": RUNS_A, "t/test_b.py": RUNS_A}, "t/test_a.py t/test_b.py"),
    ({"t/test_a.py": NONE, "t/test_b.py": RUNS_B}, "-"),
    ({"t/test_a.py": NONE, "t/conftest.py": STEPS}, "t/conftest.py"),
    ({"t/test_a.py": NONE, "conftest.py": STEPS}, "conftest.py"),
    ({"t/test_a.py": NONE, "t/u/conftest.py": STEPS}, "-"),
    ({"t/test_a.py": NONE, "conftest.py": STEPS, "t/conftest.py": STEPS}, "t/conftest.py"),
    ({"t/test_a.py": RUNS_A, "conftest.py": STEPS, "t/conftest.py": STEPS}, "t/test_a.py"),
    ({"t/test_a.py": "from steps.go import *\n" + NONE, "steps/go.py": STEPS}, "steps/go.py"),
    ({"t/test_a.py": "from .go import *\n" + NONE, "t/go.py": STEPS, "go.py": STEPS}, "t/go.py"),
    ({"t/test_a.py": "from ..go import *\n" + NONE, "t/go.py": STEPS, "go.py": STEPS}, "go.py"),
    ({"t/test_a.py": "from steps import *\n" + NONE, "steps/__init__.py": "from .go import *", "steps/go.py": STEPS},
     "steps/go.py"),
    ({"t/test_a.py": "from steps.go import go\n" + NONE, "steps/go.py": STEPS}, "steps/go.py?"),
    ({"t/test_a.py": "import steps.go\n" + NONE, "steps/go.py": STEPS}, "steps/go.py?"),  # nobody says who loads it
    ({"t/test_a.py": NONE, "steps/go.py": STEPS, "t/test_b.py": RUNS_B}, "steps/go.py?"),
    ({"t/test_a.py": RUNS_A, "t/go.py": STEPS}, "t/test_a.py"),
    ({"t/test_a.py": NONE, "steps/go.py": STEPS, "t/test_b.py": "from steps.go import *\n" + RUNS_B}, "-"),
    ({"t/test_a.py": NONE, "t/test_b.py": RUNS_A, "steps/go.py": STEPS}, "t/test_b.py?"),  # guesses yield
    ({"t/test_a.py": NONE, "conftest.py": STEPS, "t/conftest.py": STEPS, "e/features/steps/s.py": BEHAVE},
     "t/conftest.py"),
    ({"t/test_a.py": NONE, "conftest.py": STEPS, "t/conftest.py": STEPS, "t/steps/s.py": BEHAVE},
     "t/conftest.py t/steps/s.py"),
    ({"t/test_a.py": NONE, "t/conftest.py": STEPS, "web/package.json": "{}", "web/features/steps/s.js": JS},
     "t/conftest.py"),
    ({"t/test_a.py": NONE, "web/package.json": "{}", "web/features/steps/s.js": JS}, "web/features/steps/s.js"),
    ({"t/test_a.py": NONE, "t/lib/go.py": STEPS, "e/features/steps/s.py": BEHAVE}, "t/lib/go.py?"),
    ({"t/test_a.py": NONE, "u/lib/go.py": STEPS, "t/steps/s.py": BEHAVE}, "t/steps/s.py"),
    ({"t/test_a.py": "from house import *\n" + NONE, "e/features/steps/s.py": BEHAVE}, "e/features/steps/s.py"),
    ({"t/test_a.py": "from os.path import *\n" + NONE, "t/test_b.py": RUNS_B}, "-"),
    ({"t/test_a.py": "from house import *\n" + NONE, "t/test_b.py": RUNS_B}, "t/test_b.py?"),  # house was not found
    ({"t/test_a.py": NONE, "conftest.py": "from steps.go import *", "steps/go.py": STEPS}, "steps/go.py"),
    ({"t/test_a.py": NONE, "conftest.py": 'pytest_plugins = ["steps.go"]', "steps/go.py": STEPS}, "steps/go.py"),
    ({"t/test_a.py": NONE, "conftest.py": 'pytest_plugins = "steps.go"', "steps/go.py": STEPS}, "steps/go.py"),
    ({"t/test_a.py": NONE, "conftest.py": "pytest_plugins = [*found()]", "steps/go.py": STEPS, "t/test_b.py": RUNS_B},
     "steps/go.py?"),
    *(({"t/test_a.py": NONE, "conftest.py": loads, "steps/go.py": STEPS, "t/test_b.py": RUNS_B}, "steps/go.py?")
      for loads in ("pytest_plugins = []\npytest_plugins.append(name())", "from x import pytest_plugins")),
    *(({"t/pyproject.toml": "", "t/conftest.py": loads, "t/test_a.py": NONE, "t/steps/go.py": STEPS,
        "u/pyproject.toml": "", "u/conftest.py": loads, "u/test_b.py": NONE, "u/steps/go.py": STEPS}, expected)
      for loads, expected in (  # a project has its own
        ("pytest_plugins = [path[:-3] for path in glob('steps/*.py')]", "t/steps/go.py?"),
        ("pytest_plugins = ['steps.go']\npytest_plugins += ['more']", "t/steps/go.py"),
        ("pytest_plugins = ['steps.go']\npytest_plugins.append('more')", "t/steps/go.py"))),
    ({"t/test_a.py": NONE, "conftest.py": "pytest_plugins = [*found()]", "u/conftest.py": STEPS}, "u/conftest.py?"),
    *(({"t/test_a.py": NONE, "conftest.py": loads, "steps/go.py": STEPS}, "steps/go.py") for loads in (
        "pytest_plugins = []\npytest_plugins += ['steps.go']",
        "if a:\n  pytest_plugins = 'b'\nelse:\n  pytest_plugins = 'steps.go'",
        "try:\n    from steps.go import *\nexcept ImportError: ...", "import a; from steps.go import *",
        "\ufefffrom steps.go import *")),
    *(({"t/test_a.py": NONE, place: text, "steps/go.py": STEPS}, "steps/go.py") for place, text in (
        ("pytest.ini", "[pytest]\naddopts = -v -p steps.go"), ("pytest.ini", "[pytest]\naddopts = -psteps.go"),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = ["-v", "-p", "steps.go"]'),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = [\n  "-p",\n  "steps.go",\n]'),
        ("pytest.toml", '[pytest]\naddopts = ["-p", "steps.go"]'),
        (".pytest.toml", '[pytest]\naddopts = "-p steps.go"'))),
    ({"t/test_a.py": NONE, "pytest.ini": "[pytest]\naddopts = --x-p steps.go", "steps/go.py": STEPS}, "steps/go.py?"),
    ({"t/test_a.py": NONE, "l/setup.cfg": "[options.entry_points]\npytest11 =\n x=steps.go\n", "l/steps/go.py": STEPS,
      "l/test_b.py": module('scenarios("b.feature")', defines="")}, "l/steps/go.py?"),  # who installs it has it
    ({"t/test_a.py": NONE, "pyproject.toml": '[project.entry-points.pytest11]\nx = "steps.go"\n', "steps/go.py": STEPS},
     "steps/go.py"),
    ({"t/test_a.py": NONE, "setup.cfg": "[options.entry_points]\npytest11 =\n x=steps.go\n", "src/steps/go.py": STEPS},
     "src/steps/go.py"),
    ({"u/test_a.py": RUNS_A, "t/test_b.py": RUNS_B, "pytest.ini": "[pytest]\nbdd_features_base_dir = t\n"},
     "u/test_a.py"),
    ({"u/test_a.py": RUNS_A, "u/a.feature": "", "pytest.ini": "[pytest]\nbdd_features_base_dir = t\n",
      "u/pytest.ini": "[pytest]\n", "t/test_b.py": RUNS_A}, "t/test_b.py"),  # the nearest settings alone count
    ({"u/test_a.py": module('scenarios("../t")'), "t/test_b.py": RUNS_B}, "u/test_a.py"),
    ({"t/test_a.py": module('scenarios(".")'), "u/test_b.py": module('scenarios("../x")')}, "t/test_a.py"),
    ({"u/test_a.py": module('scenarios("a.feature", features_base_dir="t")'), "t/test_b.py": RUNS_B}, "u/test_a.py"),
    ({"u/test_a.py": module('scenarios(os.path.join(os.path.dirname(__file__), "..", "t"))', before="import os\n"),
      "t/test_b.py": RUNS_B}, "u/test_a.py"),
    ({"u/test_a.py": module('HERE = Path(__file__).parent\nscenarios(HERE.parent / "t" / "a.feature")'),
      "t/test_b.py": RUNS_B}, "u/test_a.py"),
    ({"u/test_a.py": module('scenarios(str(Path(__file__).resolve().parents[1] / "t"))'), "t/test_b.py": RUNS_B},
     "u/test_a.py"),
    ({"u/test_a.py": module('scenarios(f"{ROOT}/t/a.feature")'), "t/test_b.py": RUNS_B}, "u/test_a.py"),
    ({"t/test_a.py": module("scenarios(WHERE)"), "t/test_b.py": RUNS_A}, "t/test_b.py"),
    ({"t/test_a.py": module("import pytest_bdd as bdd\nbdd.scenarios('a.feature')"), "t/test_b.py": RUNS_B},
     "t/test_a.py"),
    ({"t/test_a.py": module('@scenario("a.feature", "one")\ndef test_one(): ...'), "t/test_b.py": RUNS_B},
     "t/test_a.py"),
    ({"t/test_a.py": module('@scenario("a.feature", "one")\ndef test_one(): ...'),
      "t/test_b.py": module('test_two = scenario("a.feature", "two")')}, "t/test_a.py"),
    ({"t/test_a.py": module('mine = partial(scenario, "a.feature")\n@mine("one")\ndef test_one(): ...'),
      "t/test_b.py": module('test_two = scenario("a.feature", "two")')}, "t/test_a.py"),
    ({"t/test_a.py": module('scenarios("a.feature")', defines='@when("I go")\ndef a(): ...\n\n@when(re("I g."))')},
     "t/test_a.py"),
    ({"t/test_a.py": STEPS, "t/test_b.py": STEPS}, "t/test_a.py! t/test_b.py!"),  # nobody says who runs it
    ({"t/test_a.py": "from .. import *\nfrom . import *\n" + NONE, "t/__init__.py": STEPS}, "t/__init__.py"),
    ({"t/test_a.py": "from .test_a import *\n" + RUNS_A, "conftest.py": "pytest_plugins = ['conftest', 5]"},
     "t/test_a.py"),
]  # fmt: skip
"""Sources, and those to which the first scenario's step binds: `!`: in one run; `?`: by a guess; `-`: none."""


def bound(root: Path, files: dict[str, str]) -> str:
    for name, text in {"t/a.feature": FEATURE, "pyproject.toml": "", ".git/HEAD": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    glue = Glue.load(str(root), jobs=1)
    steps = read_text(str(root / "t/a.feature"), FEATURE).steps
    glue.update_feature(str(root / "t/a.feature"), steps)
    binding = glue.bind(steps[0])
    mark = ("!" if binding.status is Status.AMBIGUOUS else "") + ("?" if binding.guessed else "")
    paths = {Path(definition.path).relative_to(root).as_posix() + mark for definition in binding.definitions}
    return " ".join(sorted(paths)) or "-"


@pytest.mark.parametrize(("files", "expected"), SITUATIONS)
def test_modules(files: dict[str, str], expected: str, tmp_path: Path) -> None:
    assert bound(tmp_path, files) == expected


def test_a_module_that_changes_is_asked_anew(tmp_path: Path) -> None:
    assert bound(tmp_path, {"t/test_a.py": NONE, "steps/conftest.py": STEPS}) == "-"
    glue = Glue.load(str(tmp_path), jobs=1)
    steps = read_text(str(tmp_path / "t/a.feature"), FEATURE).steps
    glue.update_feature(str(tmp_path / "t/a.feature"), steps)
    assert glue.usage(steps).unused == tuple(glue.definitions)
    changed = glue.update_file(str(tmp_path / "t/test_a.py"), ("from steps.conftest import *\n" + NONE).encode())
    assert changed == {"I go"}
    assert [binding.status for binding in map(glue.bind, steps)] == [Status.BOUND] * 2
    assert glue.usage(steps).unused == ()
    glue.update_file(str(tmp_path / "t/test_a.py"), None)
    assert [binding.status for binding in map(glue.bind, steps)] == [Status.BOUND] * 2  # nobody runs it
