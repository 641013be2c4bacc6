"""Everything is compared by meaning in the end, whatever is cancelled, downloaded or empty meanwhile."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import inf
from threading import Barrier, Event, current_thread
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from cukereuse_server.protocol.diagnostics import Diagnose
from cukereuse_server.protocol.state import Announced, Logged, ModelMissing
from cukereuse_server.worker.handlers.diagnostics import diagnose
from cukereuse_server.workspace.activities import INDEX, VECTORS
from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.code_findings import CodeFindings
from cukereuse_server.workspace.suite_findings import SuiteFindings

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.index.exact import ExactIndex
from cukereuse_engine.storage import cache_dir
from tests.server.conftest import World

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cukereuse_engine.progress import Progress
    from tests.server.conftest import HashEmbedder

FEATURE = "Feature: f\n  Scenario: s\n    When I press the {0} button\n    And I click the {0} button\n"


def begun(root: "Path", seed: int = 0, suites: int = 2) -> World:
    world = World(root / str(seed), seed)
    for number in range(suites):
        world.write(f"{number}/cukereuse.toml", "")
        world.write(f"{number}/a.feature", FEATURE.format("red"))
        world.write(
            f"{number}/steps.py", "from behave import when\n\n@when('I press the red button')\ndef f(c): pass\n"
        )
    world.configure()
    return world


def interrupted(world: World, pieces: int, then: Callable[[], object]) -> None:
    """Read the files, do the given number of pieces of work, then call `then`, then do the rest."""
    while not world.workspace.suites:
        world.host.step()
    for _ in range(pieces):
        world.host.step()
    then()
    world.settled()


def test_a_suite_that_begins_empty_is_read_with_the_models_tokens(world: World, embedder: "HashEmbedder") -> None:
    world.write("a.feature", "")
    world.configure()
    world.settled()
    world.workspace.changed_on_disk([str(world.write("a.feature", FEATURE.format("red")))])
    assert not embedder.tokenised
    (suite,) = world.settled().suites.values()
    suite.findings.all()
    assert len(suite.neighbours.index or ()) == 2
    assert sorted(embedder.tokenised) == ["I click the red button", "I press the red button"]


@pytest.mark.parametrize("pieces", range(0, 36, 6))
def test_who_cancels_without_a_model_is_told_of_no_error(tmp_path: "Path", pieces: int) -> None:
    world = begun(tmp_path)
    interrupted(world, pieces, partial(world.workspace.cancel, INDEX))
    assert not [event.message for event in world.host.events if isinstance(event, Announced)]
    assert all(suite.settled for suite in world.workspace.suites.values())


@pytest.mark.parametrize("seed", range(3))
def test_a_model_may_come_at_any_time(
    tmp_path: "Path", embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    def open_embedder(*_: Any, allow_download: bool, **__: Any) -> "HashEmbedder":
        if not allow_download:
            raise CukereuseError("no model")
        return embedder

    monkeypatch.setattr("cukereuse_engine.embedding_models.opening.open_embedder", open_embedder)
    monkeypatch.setattr("cukereuse_server.workspace.stages.reading._FILES_AT_ONCE", 1)
    for pieces in range(seed, 42, 6):
        world = begun(tmp_path / str(pieces), seed)
        for colour in ("green", "blue", "white"):  # some are read when it comes
            world.write(f"0/{colour}.feature", FEATURE.format(colour))
        embedder.tokenised.clear()
        interrupted(world, pieces, world.workspace.allow_download)
        for suite in world.workspace.suites.values():
            assert len(suite.neighbours.vectors) == len(suite.neighbours) > 1, pieces
            suite.findings.all()
        assert embedder.tokenised, pieces


@pytest.mark.parametrize("is_there", [True, False])
def test_another_model_can_be_chosen_at_any_time(
    tmp_path: "Path", embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    other = type(embedder)()
    other.__dict__["_coarse"] = type(embedder)(noise=0.3)

    def open_embedder(name: str, **_: Any) -> "HashEmbedder":
        if name == "other" and not is_there:
            raise CukereuseError("the other model is missing")
        return other if name == "other" else embedder

    monkeypatch.setattr("cukereuse_engine.embedding_models.opening.open_embedder", open_embedder)
    for pieces in (0, 9, 72):
        world = begun(tmp_path / str(pieces))
        interrupted(world, pieces, partial(world.configure, model="other"))
        for suite in world.workspace.suites.values():
            assert len(suite.neighbours.vectors) == (len(suite.neighbours) if is_there else 0) < 9, pieces
            for key in suite.neighbours.keys() if is_there else ():
                (vector,) = other.coarse().embed([suite.texts.masked(key)])
                assert suite.neighbours.vectors.get(key) == pytest.approx(vector)
        assert world.workspace.embedder is (other.coarse() if is_there else None)
        assert is_there or any(isinstance(event, ModelMissing) for event in world.host.events)


def test_templates_are_embedded_while_files_are_read_and_once(
    tmp_path: "Path", embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cukereuse_server.workspace.early_vectors._TEMPLATES_AT_ONCE", 3)
    monkeypatch.setattr("cukereuse_server.workspace.early_vectors.usable_cores", lambda: 2)
    monkeypatch.setattr("cukereuse_server.workspace.stages.reading._FILES_AT_ONCE", 1)
    early = 0
    for seed in range(4):
        world, embedded = World(tmp_path / str(seed), seed), embedder.coarse().embedded
        colours = ["red", "green", "blue", "white", "black", "brown", "grey", "pink"]
        for colour in colours:
            world.write(f"{colour}.feature", FEATURE.format(f"{colour}{'ish' * seed}"))
        world.configure()
        embedded.clear()
        while not embedded:
            world.host.step()
        (suite,) = world.workspace.suites.values()
        early += len(suite.texts.files) < len(colours)
        world.settled()
        assert sorted(embedded) == sorted(suite.texts.masked(key) for key in suite.neighbours.keys())  # noqa: SIM118
        assert len(suite.neighbours.vectors) == 2 * len(colours)
        for key in suite.neighbours.keys():  # noqa: SIM118
            (vector,) = embedder.coarse().embed([suite.texts.masked(key)])
            assert suite.neighbours.vectors.get(key) == pytest.approx(vector)
    assert early


def test_what_is_not_embedded_is_compared_by_wording(
    tmp_path: "Path", embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody cancels in the middle, before anything was compared."""
    del embedder
    monkeypatch.setattr("cukereuse_server.workspace.stages.embedding._TEXTS_AT_ONCE", 1)
    for seed in range(4):
        world = begun(tmp_path, seed, suites=1)
        for number in range(12):
            world.write(f"0/{number}.feature", FEATURE.format(f"colour{number}"))
        embedding = world.workspace.pipeline.model.embedding

        def cancelled(*asked: Any, world: World = world, embed: Any = embedding.embed, **options: Any) -> Any:
            world.workspace.cancel(VECTORS)
            return embed(*asked, **options)

        monkeypatch.setattr(embedding, "embed", cancelled)
        (suite,) = world.settled().suites.values()
        assert 0 < len(suite.neighbours.vectors) == len(suite.neighbours.index or ()) < 20
        assert suite.findings.is_known(str(tmp_path)), "all are compared"


def test_threads_that_have_begun_give_way_once_somebody_types(
    tmp_path: "Path", embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads may embed on two cores while nobody types; then no core is left for others."""
    for setting, value in (("_TEXTS_AT_ONCE", 1), ("usable_cores", lambda: 2)):
        monkeypatch.setattr(f"cukereuse_server.workspace.stages.embedding.{setting}", value)
    world, both = begun(tmp_path, suites=1), Barrier(2, timeout=10)
    typed, gave_way = Event(), list[str]()
    embedding = world.workspace.pipeline.model.embedding
    monkeypatch.setattr(embedding, "_is_calm", lambda: not typed.is_set())
    monkeypatch.setattr(embedding, "prepare", lambda *_: None)  # leaves both texts to the two threads
    monkeypatch.setattr(world.host, "give_way", lambda _: gave_way.append(current_thread().name.split("_")[0]))
    embed = embedder.coarse().embed

    def embedded(texts: "Sequence[str]", progress: "Progress") -> Any:
        with progress.stage("embedding", 1, "texts") as stage:
            both.wait()
            typed.set()
            stage.advance()
            both.wait()
        return embed(texts)

    monkeypatch.setattr(embedder.coarse(), "embed", embedded)
    world.settled()
    assert gave_way.count("cukereuse-model") == 2


def test_what_comes_while_exact_vectors_are_made_gets_one_too(
    world: World, embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(world.write("a.feature", FEATURE.format("red")))
    world.configure()
    world.settled()
    (suite,) = world.settled().suites.values()
    embed = embedder.embed

    def type_meanwhile(*asked: Any) -> Any:
        world.workspace.open(path, 1, FEATURE.format("green"))
        world.workspace.settled()
        return embed(*asked)

    monkeypatch.setattr(embedder, "embed", type_meanwhile)
    suite.neighbours.exactly(suite.neighbours.keys())
    assert suite.neighbours.leaves_open
    world.workspace.pipeline.renew()
    world.settled()
    assert "i press the green button" in suite.neighbours
    assert len(suite.neighbours.vectors) == len(suite.neighbours) == 2


def test_an_index_has_what_comes_while_it_is_made(
    world: World, embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it is there, every vector is looked at."""
    monkeypatch.setattr("cukereuse_server.workspace.suite_stages._VECTORS_AT_ONCE", 1)
    path = str(world.write("a.feature", FEATURE.format("red")))
    world.configure()
    embedding = world.workspace.pipeline.model.embedding
    open_index, nearest = embedding.open_index, []

    def opened(*asked: Any, **named: Any) -> Any:
        index = open_index(*asked, **named)
        add = index.add

        def type_meanwhile(*added: Any) -> None:
            add(*added)
            (suite,) = world.workspace.suites.values()
            if not nearest:
                rows = suite.neighbours.vectors
                nearest.extend(suite.neighbours.nearest(rows.many([key])[0], 1) == [key] for key in rows.keys())  # noqa: SIM118
                world.workspace.open(path, 1, FEATURE.format("green"))
                world.workspace.settled()
                keys = suite.neighbours.keys()
                suite.use_vectors(keys, embedder.coarse().embed([suite.texts.masked(key) for key in keys]))

        monkeypatch.setattr(index, "add", type_meanwhile)
        return index

    monkeypatch.setattr(embedding, "open_index", opened)
    (suite,) = world.settled().suites.values()
    assert nearest == [True, True]
    assert suite.neighbours.index is not None
    assert set(suite.neighbours.index.keys()) == set(suite.neighbours.keys()) == set(suite.neighbours.vectors.keys())
    assert "i press the green button" in suite.neighbours


def test_an_index_that_is_worn_is_made_again_while_nobody_types(world: World, embedder: "HashEmbedder") -> None:
    """A branch may lack half of the steps: no question waits meanwhile."""
    del embedder
    path = world.root / "a.feature"

    def index_of(templates: int) -> Any:
        world.write(path.name, FEATURE.format("red") + "".join(f"    And I {'a' * n}\n" for n in range(templates)))
        world.workspace.changed_on_disk([str(path)])
        (suite,) = world.settled().suites.values()
        assert suite.neighbours.index is not None
        assert set(suite.neighbours.index.keys()) == set(suite.neighbours.keys())
        return suite.neighbours.index

    world.write(path.name, "")
    world.configure()
    index = index_of(200)
    if isinstance(index, ExactIndex):
        pytest.skip("an exact index does not wear out")
    assert index_of(100) is index
    assert index.is_worn
    world.workspace.typed = -inf
    for _ in range(3):
        world.workspace.idle()
        world.host.drain()
    assert index_of(100) is not index
    assert not index_of(100).is_worn
    assert world.workspace.idle() is None


def test_an_index_outlives_a_killed_process(world: World, embedder: "HashEmbedder") -> None:
    """It is saved as soon as nobody types, and again when much of it has changed."""
    del embedder
    path = world.root / "a.feature"

    def changes(templates: int, *, typed: float) -> tuple[int, int]:
        """The changes of the index that are not saved, before and after the worker is idle."""
        world.write(path.name, FEATURE.format("red") + "".join(f"    And I {'a' * n}\n" for n in range(templates)))
        world.workspace.changed_on_disk([str(path)])
        (suite,) = world.settled().suites.values()
        assert suite.neighbours.index is not None
        before, world.workspace.typed = suite.neighbours.index.unsaved, typed
        for _ in range(2):
            world.workspace.idle()
            world.host.drain()
        return before, suite.neighbours.index.unsaved

    world.write(path.name, "")
    world.configure()
    assert changes(18, typed=monotonic()) == (20, 20)
    assert changes(18, typed=-inf) == (20, 0)
    world = World(world.root)
    world.configure()
    assert changes(18, typed=-inf) == (0, 0), "read from the file"
    assert changes(19, typed=-inf) == (1, 1), "not worth saving"
    assert changes(20, typed=-inf) == (2, 0)
    assert not [event for event in world.host.events if isinstance(event, Logged) and "the index" in event.message]


def test_saving_an_index_is_not_tried_without_end(
    world: World, embedder: "HashEmbedder", caplog: pytest.LogCaptureFixture
) -> None:
    """Where the cache may not be written, or the disk is full."""
    del embedder
    (cache_dir() / "server").parent.mkdir(parents=True, exist_ok=True)
    (cache_dir() / "server").write_text("", "utf-8")
    world.write("a.feature", FEATURE.format("red"))
    world.configure()
    world.settled().typed = -inf
    for _ in range(3):
        world.workspace.idle()
        world.host.drain()
    assert [record.message.count("can't be saved") for record in caplog.records] == [1]


def test_a_comparison_goes_on_where_an_open_file_cannot_be_looked_into(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(world.write("a.feature", FEATURE.format("red")))
    world.workspace.open(path, 1, FEATURE.format("green"))
    looked = SuiteFindings.look_into

    def look_into(self: SuiteFindings, path: str) -> Any:
        del self
        monkeypatch.setattr(SuiteFindings, "look_into", looked)
        raise ZeroDivisionError(path)

    monkeypatch.setattr(SuiteFindings, "look_into", look_into)
    world.configure()
    (suite,) = world.settled().suites.values()
    assert suite.compared


def test_no_question_waits_until_all_steps_are_bound(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("siblings", "bindings"):
        monkeypatch.setattr(f"cukereuse_server.workspace.{module}.STEPS_AT_ONCE", 3)
    bound = texts_bound(monkeypatch)
    steps = "".join(f"    When I press the {'x' * n} button\n" for n in range(1, 30))
    world.write("a.feature", f"Feature: f\n  Scenario: s\n{steps}")
    one = str(world.write("0.feature", "Feature: g\n  Scenario: s\n    When I press the one button\n"))
    world.write("steps.py", "from behave import when\n\n@when('I press the {name} button')\ndef f(c, name): pass\n")
    world.configure()
    while not bound:
        world.host.step()
    (suite,) = world.workspace.suites.values()
    asked = len(bound)
    assert (suite.functions_in(one).total(), suite.undefined_in(one)) == (1, [])
    assert {*bound[asked:]} == {"I press the one button"}, "the texts of the file in question alone"
    most = 0
    while len(bound) < 30:
        before = len(bound)
        world.host.step()
        most = max(most, len(bound) - before)
    assert most == 3


def test_no_step_is_undefined_without_the_last_definition_and_most_are_with_the_first(world: World) -> None:
    path = str(world.write("a.feature", "Feature: f\n  Scenario: s\n    When I press it\n    Then it is so\n"))
    code = "from behave import when\n\n@when('I press it')\ndef f(c): pass\n"
    source = str(world.write("steps/steps.py", code))
    world.configure()
    (suite,) = world.settled().suites.values()
    for version, (text, undefined) in enumerate([(code, [4]), ("", []), (f"\n{code}", [4]), ("# so\n", [])]):
        world.workspace.open(source, version, text)
        world.settled()
        for _ in suite.look_up_functions():
            pass
        assert [step.line for step in suite.undefined_in(path)] == undefined


def test_a_changed_file_costs_its_own_steps_however_many_files_say_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(30):
        world.write(f"{n}.feature", "Feature: f\n  Scenario: s\n    When I press the one button\n")
    world.write("steps.py", "from behave import when\n\n@when('I press the {name} button')\ndef f(c, name): pass\n")
    world.configure()
    world.settled()
    bound = texts_bound(monkeypatch)
    for n in range(10):
        (world.root / f"{n}.feature").unlink()
    changed = world.write("20.feature", "Feature: f\n  Scenario: s\n    When I press the other button\n")
    world.workspace.changed_on_disk([str(world.root), str(changed)])
    (suite,) = world.settled().suites.values()
    assert bound == ["I press the other button"]
    assert suite.functions_in(str(world.root / "15.feature")).total() == 1


def test_no_question_waits_until_all_files_are_gone_that_a_branch_lacks(world: World) -> None:
    for n in range(30):
        world.write(f"{n}.feature", "Feature: f\n  Scenario: s\n    When I press the one button\n")
    world.configure()
    world.settled()
    for n in range(20):
        (world.root / f"{n}.feature").unlink()
    world.workspace.changed_on_disk([str(world.root)])
    numbers = [30]
    while world.host.step():
        numbers.append(sum(len(suite.texts.files) for suite in world.workspace.suites.values()))
    assert numbers[-1] == 10
    assert max(before - after for before, after in pairwise(numbers)) == 1


SAME_CODE = """from behave import when

@when('I press the {name} button')
def press(context, name): context.page.click(name, wait=True)

@when('I choose the tea called {name}')
def choose(context, name): context.page.click(name, wait=True)
"""


def test_no_question_waits_for_findings_about_code(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made in slices, also where the code changes in the middle."""
    texts = "    When I press the red button\n    And I choose the tea called Earl\n"
    feature = str(world.write("a.feature", f"Feature: f\n  Scenario: s\n{texts}"))
    source = str(world.write("steps.py", SAME_CODE))
    world.configure()
    (suite,) = world.settled().suites.values()
    assert [finding.rule for finding in suite.findings.of_code()] == ["same-code"]
    assert not suite.findings.is_code_due
    other = SAME_CODE.replace("wait=True", "wait=False", 1)
    slices: list[int] = []
    with monkeypatch.context() as no_wait:
        no_wait.setattr(CodeFindings, "all", lambda *_: pytest.fail("it waits"))
        for version, code in enumerate((other, SAME_CODE, other)):
            world.workspace.open(source, version, code)
            assert diagnose(world.workspace.settled(), Diagnose(path=feature)).complete
            assert suite.findings.is_code_due
            slices.append(sum(1 for _, _ in zip(range(version + 1), suite.findings.look_into_code(), strict=False)))
        world.settled()
        assert not suite.findings.is_code_due
    assert slices == [1, 2, 3]
    assert not suite.findings.of_code()


def test_findings_about_code_that_fail_are_not_made_again_and_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[int] = []

    def fail(*_: Any) -> Any:
        failed.append(1)
        raise OSError("disk")

    monkeypatch.setattr("cukereuse_server.workspace.code_findings.gather_used", fail)
    texts = "    When I press the red button\n    And I choose the tea called Earl\n"
    feature = str(world.write("a.feature", f"Feature: f\n  Scenario: s\n{texts}"))
    world.write("steps.py", SAME_CODE)
    world.configure()
    for _ in range(3):
        world.workspace.typed = -inf
        world.settled().idle()
    assert diagnose(world.workspace, Diagnose(path=feature)).complete
    (suite,) = world.workspace.suites.values()
    assert suite.findings.of_code() == ()
    assert len(failed) == 1


def texts_bound(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts whose steps in one file are bound from now on."""
    bound, bind = list[str](), SuiteBindings._bound_in
    monkeypatch.setattr(
        SuiteBindings, "_bound_in", lambda self, path, text, by: bound.append(text) or bind(self, path, text, by)
    )
    return bound


def test_no_vectors_are_kept_for_a_suite_that_is_gone(
    world: World, embedder: "HashEmbedder", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is closed while its files are read."""
    del embedder
    monkeypatch.setattr("cukereuse_server.workspace.early_vectors._TEMPLATES_AT_ONCE", 1)
    monkeypatch.setattr("cukereuse_server.workspace.early_vectors.usable_cores", lambda: 2)
    monkeypatch.setattr("cukereuse_server.workspace.stages.reading._FILES_AT_ONCE", 1)
    for colour in ("red", "green", "blue"):
        world.write(f"gone/{colour}.feature", FEATURE.format(colour))
    world.write("here/a.feature", FEATURE.format("red"))
    world.configure(world.root / "gone")
    embedding = world.workspace.pipeline.model.embedding
    while not embedding._prepared:
        world.host.step()
    world.configure(world.root / "here")
    world.settled()
    assert not embedding._prepared
