"""Definitions for one place only: a rename never moves a step to a definition that its feature never loads.

Each kind writes the same small model to disk, some places with definitions and steps of their own, as its runner needs
it. The lines of these files alone tell the result.
"""

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.request import request_for

WORDS = ("I wait", "I rest", "time passes", "I wait here", "all is well")
TARGETS = ("I wait", "time passes", "I rest", "we go home")
Place = tuple[tuple[str, ...], tuple[str, ...]]
"""The texts of a place's definitions, and those of its steps."""


@dataclass(frozen=True)
class Kind:
    write: Callable[[Sequence[Place]], dict[str, str]]
    glue: Callable[[int], str]
    """The file with the definitions of a place."""
    feature: Callable[[int], str]
    """The file with its steps."""
    has_common: bool = False
    """True if the first place is no feature: its definitions serve all."""
    nearer_first: bool = False
    """True if a place's own definitions take precedence over those for all."""


def _feature(number: int, steps: Sequence[str], tag: str = "") -> str:
    steps_text = "".join(f"    Given {text}\n" for text in steps)
    return f"Feature: F{number}\n\n  {tag}\n  Scenario: S{number}\n{steps_text}"


def _cypress(places: Sequence[Place]) -> dict[str, str]:
    head = "import { Given } from '@badeball/cypress-cucumber-preprocessor';\n"
    patterns = '["cypress/e2e/[filepath]/**/*.js", "cypress/common/*.js"]'
    files = {"package.json": f'{{"cypress-cucumber-preprocessor": {{"stepDefinitions": {patterns}}}}}\n'}
    for number, (definitions, steps) in enumerate(places):
        files[CYPRESS.glue(number)] = head + "".join(f"Given('{text}', () => {{}});\n" for text in definitions)
        if number:
            files[CYPRESS.feature(number)] = _feature(number, steps)
    return files


def _scoped(scope: str) -> Callable[[Sequence[Place]], dict[str, str]]:
    def write(places: Sequence[Place]) -> dict[str, str]:
        files = {"reqnroll.json": "{}\n", "A.csproj": "<Project/>\n"}
        for number, (definitions, steps) in enumerate(places):
            limit = f"[Scope({scope.format(number)})]" if number else ""
            methods = "".join(
                f'    [Given("{text}")] public void M{at}() {{}}\n' for at, text in enumerate(definitions)
            )
            files[f"steps/S{number}.cs"] = f"using Reqnroll;\n[Binding] {limit}\nclass S{number}\n{{\n{methods}}}\n"
            if number:
                files[f"features/f{number}.feature"] = _feature(number, steps, f"@t{number}")
        return files

    return write


def _block(head: str, opens: str, defines: str) -> Callable[[Sequence[Place]], dict[str, str]]:
    def write(places: Sequence[Place]) -> dict[str, str]:
        files = {"package.json": "{}\n"}
        for number, (definitions, steps) in enumerate(places):
            inside = "".join(f"    {defines.format(text)}\n" for text in definitions)
            body = opens.replace("NUMBER", str(number)).replace("INSIDE", inside)
            files[f"specs/s{number}.steps.ts"] = f"{head}\n{body}"
            files[f"features/f{number}.feature"] = _feature(number, steps)
        return files

    return write


def _behat(places: Sequence[Place]) -> dict[str, str]:
    suites = "".join(
        f"    s{number}: {{contexts: [C0, C{number}], paths: ['%paths.base%/features/f{number}.feature']}}\n"
        for number in range(1, len(places))
    )
    files = {"behat.yml": f"default:\n  suites:\n{suites}"}
    for number, (definitions, steps) in enumerate(places):
        methods = "".join(
            f'    /** @Given /^{text}$/ */\n    public function m{at}() {{ "{text}"; }}\n'
            for at, text in enumerate(definitions)
        )
        files[f"steps/C{number}.php"] = f"<?php\nclass C{number} implements Context\n{{\n{methods}}}\n"
        if number:
            files[f"features/f{number}.feature"] = _feature(number, steps)
    return files


CYPRESS = Kind(
    _cypress,
    lambda number: f"cypress/e2e/f{number}/s.js" if number else "cypress/common/s.js",
    lambda number: f"cypress/e2e/f{number}.feature",
    has_common=True,
)
JEST = (
    "import { defineFeature, loadFeature } from 'jest-cucumber';",
    "const feature = loadFeature('./features/fNUMBER.feature');\ndefineFeature(feature, (test) => {\n"
    "  test('SNUMBER', ({ given }) => {\nINSIDE  });\n});\n",
    "given('{}', () => {{}});",
)
VITEST = (
    "import { describeFeature, loadFeature } from '@amiceli/vitest-cucumber';",
    "const feature = await loadFeature('../features/fNUMBER.feature');\ndescribeFeature(feature, (f) => {\n"
    "  f.Scenario('SNUMBER', (s) => {\nINSIDE  });\n});\n",
    "s.Given('{}', () => {{}});",
)
KINDS = {
    "cypress [filepath]": CYPRESS,
    **{
        f"[Scope] by {name}": Kind(
            _scoped(scope),
            lambda number: f"steps/S{number}.cs",
            lambda number: f"features/f{number}.feature",
            has_common=True,
            nearer_first=True,
        )
        for name, scope in (
            ("tag", 'Tag = "t{}"'),
            ("feature", 'Feature = "F{}"'),
            ("scenario", 'Scenario = "S{}"'),
        )
    },
    "jest-cucumber": Kind(
        _block(*JEST), lambda number: f"specs/s{number}.steps.ts", lambda number: f"features/f{number}.feature"
    ),
    "vitest-cucumber": Kind(
        _block(*VITEST), lambda number: f"specs/s{number}.steps.ts", lambda number: f"features/f{number}.feature"
    ),
    "Behat's suites": Kind(
        _behat,
        lambda number: f"steps/C{number}.php",
        lambda number: f"features/f{number}.feature",
        has_common=True,
    ),
}
_DEFINED = re.compile(r"""(?i:\bgiven)\(['"]([^'"]*)['"]|@Given /\^(.*)\$/""")
_SAID = re.compile(r"^ +Given (.*)$", re.MULTILINE)


def served(kind: Kind, root: Path, count: int) -> list[tuple[str, list[tuple[int, int]]]]:
    """The text of each step, with the definitions that its feature loads, by place and number. If the runner prefers
    own definitions, they come before the common ones."""
    definitions = [_DEFINED.findall((root / kind.glue(place)).read_text("utf-8")) for place in range(count)]
    served = []
    for place in range(int(kind.has_common), count):
        for text in _SAID.findall((root / kind.feature(place)).read_text("utf-8")):
            loaded = (place, 0) if kind.has_common and place else (place,)
            matching = [
                (path, number) for path in loaded for number, texts in enumerate(definitions[path]) if text in texts
            ]
            own = [match for match in matching if match[0] == place] if kind.nearer_first else []
            served.append((text, own or matching))
    return served


@pytest.mark.parametrize("name", KINDS)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), target=st.sampled_from(TARGETS), move=st.booleans())
def test_a_step_stays_with_what_its_feature_loads(name, data, target, move, disk):
    kind = KINDS[name]
    homes = st.tuples(
        st.lists(st.sampled_from(WORDS), max_size=3, unique=True).map(tuple),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True).map(tuple),
    )
    places = data.draw(st.lists(homes, min_size=2, max_size=3))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        suite = disk(root)
        suite.write(kind.write(places))
        before = served(kind, root, len(places))
        source = data.draw(st.sampled_from(sorted({text for text, _ in before})))
        workspace = suite.workspace()
        known = {path: frozenset([path]) for path in workspace.files}
        within = data.draw(st.sampled_from([None, *known.values()]))
        try:
            plan = plan_rename(request_for(workspace, source, target, move=move, within=within), workspace)
        except CukereuseError as error:
            event(f"refused: {type(error).__name__}")
            return
        suite.apply(plan)
        event("renamed" if plan.files else "nothing to rename")
        after = served(kind, root, len(places))
        assert len(before) == len(after)
        for (old, was), (new, now) in zip(before, after, strict=True):
            changed = old != new
            assert not changed or old == source or {*was} & _of(before, source), f"{old} -> {new} by chance"
            if not move or not changed:
                assert now == was, f"{old} -> {new}"
            elif was:
                assert len(now) == len(was), f"{old} -> {new}"


def _of(steps: Sequence[tuple[str, list[tuple[int, int]]]], text: str) -> set[tuple[int, int]]:
    return {match for step, matches in steps for match in matches if step == text}


@pytest.mark.parametrize("name", KINDS)
def test_new_words_of_another_place_are_no_home(name, tmp_path, disk):
    """The target is defined, but not for this feature: the step's own definition gets its wording."""
    kind = KINDS[name]
    suite = disk(tmp_path)
    suite.write(kind.write([((), ("all is well",)), (("I wait",), ("I wait",)), (("time passes",), ())]))
    workspace = suite.workspace()
    for move in (False, True):
        plan = plan_rename(request_for(workspace, "I wait", "time passes", move=move), workspace)
        assert [Path(file.path).name for file in plan.files if file.is_glue] == [Path(kind.glue(1)).name]
        assert not plan.moves
    suite.apply(plan)
    assert ("time passes", [(1, 0)]) in served(kind, tmp_path, 3)
