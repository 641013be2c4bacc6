"""A plan from kept results equals a plan from nothing, whatever happened in between."""

import random
import shutil
import time
from pathlib import Path

import pytest

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import RenamePlan
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.scanning.repository import read_repository
from cukereuse_engine.settings import Settings
from cukereuse_engine.storage import kept

FILES = {
    "shop/features/a.feature": "Feature: a\n  Scenario: s\n    Given I open the shop\n    Then I see 3 goods\n",
    "shop/features/b.feature": "Feature: b\n  Scenario: s\n    Given I wait\n    And I open the shop\n    When I pay\n",
    "shop/features/step_definitions/steps.rb": "Given('I open the shop') { }\nThen('I see {int} goods') { |n| }\n",
    "shop/features/step_definitions/more.rb": "When('I pay') { step 'I open the shop' }\n",
    "shop/features/step_definitions/waits.rb": "Given(WAITING) { }\n",
    "shop/features/step_definitions/names.rb": "WAITING = 'I wait'\n",
    "web/behat.yml": "default:\n  suites:\n    web:\n      paths: [features]\n      contexts: [web.context]\n",
    "web/services.xml": '<services><service id="web.context" class="Web" /></services>',
    "web/features/c.feature": "Feature: c\n  Scenario: s\n    Given I open the shop\n    Then I see 3 goods\n",
    "web/Web.php": (
        "<?php class Web implements Context {\n"
        "  /** @Given I open the shop */ function open() {}\n"
        "  /** @Then I see :number goods */ function see($number) {}\n}\n"
    ),
    "web/Other.php": "<?php class Other implements Context { /** @Given I open the shop */ function open() {} }\n",
}
OTHER = {
    "shop/features/a.feature": ("3 goods", "4 goods"),
    "shop/features/b.feature": ("When I pay", "When I open the shop"),
    "shop/features/step_definitions/steps.rb": ("{int}", "{word}"),
    "shop/features/step_definitions/more.rb": ("step 'I open the shop'", "pay"),
    "shop/features/step_definitions/names.rb": ("I wait", "I rest"),
    "shop/features/step_definitions/waits.rb": ("WAITING", "'I wait'"),
    "web/services.xml": ('"Web"', '"Other"'),
    "web/behat.yml": ("[features]", "[nowhere]"),
    "web/Web.php": ("I open the shop", "I open a shop"),
}


@pytest.fixture(autouse=True)
def _soon_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "SETTLED", 10_000_000)


def planned(folder: Path, *, use_cache: bool) -> tuple[object, ...]:
    repository = read_repository([folder], Settings(jobs=1), lambda _: Settings(jobs=1), use_cache=use_cache)
    workspace = repository.suites
    assert workspace is not None
    assert workspace.glue is not None
    plans: list[RenamePlan | str] = []
    for source, target in (
        ("I open the shop", "I enter the shop"),
        ("I see 3 goods", "3 goods are shown"),
        ("I wait", "time goes by"),
    ):
        try:
            plans.append(plan_rename(request_for(workspace, source, target), workspace))
        except CukereuseError as error:
            plans.append(error.message)
    return workspace.files, workspace.texts, workspace.glue.definitions, workspace.source_paths, plans


def change(folder: Path, chance: random.Random) -> None:
    name = chance.choice([*FILES])
    path = folder / name
    match chance.randrange(6):
        case 0:
            path.write_text(FILES[name])
        case _ if not path.exists():
            path.write_text(FILES[name])
        case 1 | 2 if name in OTHER:
            path.write_text(FILES[name].replace(*OTHER[name]))
        case 3 if name.endswith(".feature"):
            path.rename(path.with_name("moved.feature"))
            path.with_name("moved.feature").rename(path)
            shutil.copy(path, path.with_name(f"new{chance.randrange(3)}.feature"))
        case 4:
            (folder / "web" / ".gitignore").write_text(chance.choice(("", "c.feature\n", "Other.php\n")))
        case 5:
            path.unlink()


@pytest.mark.parametrize("seed", range(4))
def test_kept_or_not(tmp_path: Path, own_cache: Path, seed: int) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    chance = random.Random(seed)
    for round_ in range(10):
        for _ in range(chance.randrange(3)):
            change(tmp_path, chance)
        if round_ in (4, 7):
            database = own_cache / "kept.sqlite"
            data = bytearray(database.read_bytes())
            for at in chance.sample(range(len(data)), 200):
                data[at] ^= 255
            database.write_bytes(data)
        time.sleep(0.03)
        assert planned(tmp_path, use_cache=True) == planned(tmp_path, use_cache=False)
    assert any(isinstance(plan, RenamePlan) for plan in planned(tmp_path, use_cache=True)[-1])  # type: ignore[attr-defined]
