"""Discovery with a local server that has GitHub's forms, limits and faults."""

import importlib.util
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest

from corpus_tools.stages.discover import search
from corpus_tools.stages.discover.client import GitHub
from corpus_tools.stages.discover.run import Discovered, discover
from corpus_tools.stages.discover.search import Days, Range
from corpus_tools.support.repositories import read_repositories
from cukereuse_engine.errors import CukereuseError

UNTIL = date(2026, 1, 1)


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("github_server", Path(__file__).with_name("github_server.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["github_server"] = module
    spec.loader.exec_module(module)
    return module


fake = _load()
Run = Callable[..., tuple[Discovered, list[float]]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def of(world: object, **options: object) -> tuple[Discovered, list[float]]:
        waits: list[float] = []
        with fake.Server(world) as address:
            paths = discover(
                tmp_path,
                until=UNTIL,
                api="local",
                **options,  # type: ignore[arg-type]
                connect=lambda folder: GitHub(folder, api=address, token="t", sleep=waits.append, clock=lambda: 1000.0),
            )
        return paths, waits

    return of


def names(corpus: Path) -> list[str]:
    return [repository.full_name for repository in read_repositories(corpus / "repos.csv")]


def test_two_shapes_of_search(run: Run, tmp_path: Path) -> None:
    world = fake.World(
        [
            fake.repository("a/gherkin", 30),
            fake.repository("b/few", 9),
            fake.repository("c/old", 99, archived=True),
            fake.repository("d/minor", 12, None, language="Ruby"),
            fake.repository("e/other", 11, "NOASSERTION", language="Java"),
            fake.repository("f/unloved", 2, language="Java"),
        ],
        [
            {"repo": name, "size": 10 * i, "words": words}
            for i, (name, words) in enumerate(
                [
                    ("a/gherkin", "Feature:"),
                    ("D/Minor", "Scenario:"),
                    ("e/other", "Background:"),
                    ("f/unloved", "Feature:"),
                    ("g/gone", "Feature:"),
                ]
            )
        ],
    )
    outcome, _ = run(world)
    assert names(tmp_path) == ["a/gherkin", "d/minor", "e/other"]
    assert outcome == Discovered(3, 1, 0)
    rows = {repository.full_name: repository for repository in read_repositories(tmp_path / "repos.csv")}
    assert (rows["d/minor"].license_spdx, rows["d/minor"].license_class) == ("", "unlicensed")
    assert rows["e/other"].license_class == "unknown"
    assert rows["a/gherkin"].last_pushed == "2026-03-04"
    before = len(world.asked)
    run(world)
    assert len(world.asked) == before, "a finished search asks nothing"


def test_past_the_cap_by_stars_and_dates(run: Run, tmp_path: Path) -> None:
    spread = [fake.repository(f"s/{i}", 10 + i % 400) for i in range(1500)]
    same = [
        fake.repository(f"t/{i}", 500, created_at=f"20{10 + i % 14}-0{1 + i % 9}-15T00:00:00Z") for i in range(1200)
    ]
    outcome, _ = run(fake.World(spread + same), code=False)
    assert outcome.repositories == 2700
    assert outcome.beyond_cap == 0
    assert len(set(names(tmp_path))) == 2700


def test_code_search_is_split_on_size_and_what_is_beyond_is_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a lower cap, as each repository that is found is asked for."""
    monkeypatch.setattr(search, "CAP", 200)
    files = [{"repo": f"r/{i}", "size": i, "words": "Feature:"} for i in range(220)]
    files += [{"repo": f"r/{i}", "size": 7777, "words": "Background:"} for i in range(220, 430)]
    world = fake.World([fake.repository(f"r/{i}", 20, language="Go") for i in range(430)], files, cap=200)
    outcome, _ = run(world)
    assert outcome.beyond_cap == 10
    assert outcome.repositories == 420


@pytest.mark.parametrize(
    ("fault", "wait"),
    [
        ({"status": 429, "headers": {"Retry-After": "17"}}, 17.0),
        ({"status": 403, "headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1040"}}, 41.0),
        ({"status": 403, "body": b'{"message": "You have exceeded a secondary rate limit"}'}, 60.0),
        ({"status": 502}, 1.0),
        ({"body": b"<html>"}, 1.0),
        ({"body": b'{"total_count": 1', "cut": True}, 1.0),
        ({"body": b"[]"}, 1.0),
        ({"body": b'{"total_count": 0, "incomplete_results": true, "items": []}'}, 1.0),
    ],
)
def test_faults_are_waited_for(run: Run, tmp_path: Path, fault: dict[str, object], wait: float) -> None:
    outcome, waits = run(fake.World([fake.repository("a/a", 30)], faults=[fake.Fault(**fault)]), code=False)
    assert waits == [wait]
    assert outcome.repositories == 1
    assert names(tmp_path) == ["a/a"]


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ([{"status": 500}] * 6, "failed 6 times"),
        ([{"status": 401}], "refuses the token"),
        ([{"status": 422, "body": b"bad query"}], "bad query"),
    ],
)
def test_faults_that_last_are_told(run: Run, faults: list[dict[str, object]], message: str) -> None:
    with pytest.raises(CukereuseError, match=message):
        run(fake.World([], faults=[fake.Fault(**fault) for fault in faults]), code=False)


@pytest.mark.parametrize(("token", "message"), [("t", "refuses the token"), (None, "asks for a token")])
def test_a_refusal_names_what_is_missing(tmp_path: Path, token: str | None, message: str) -> None:
    with fake.Server(fake.World([], faults=[fake.Fault(401)])) as address, pytest.raises(CukereuseError, match=message):
        GitHub(tmp_path, api=address, token=token).get("/search/code")


def test_long_waits_are_told_and_the_last_try_is_not_waited_after(tmp_path: Path) -> None:
    waits: list[float] = []
    messages: list[str] = []
    limit = fake.Fault(429, {"Retry-After": "17"})
    faults = [*(fake.Fault(502) for _ in range(4)), limit, fake.Fault(502)]
    with fake.Server(fake.World([], faults=faults)) as address:
        github = GitHub(tmp_path, api=address, sleep=waits.append, say=messages.append)
        with pytest.raises(CukereuseError, match="failed 6 times: status 502"):
            github.get("/search/code")
    assert waits == [1.0, 2.0, 4.0, 8.0, 17.0]
    assert messages == [
        "status 502: trying again in 4 seconds",
        "status 502: trying again in 8 seconds",
        "rate limit: trying again in 17 seconds",
    ]


@pytest.mark.parametrize("api", ["http://127.0.0.1:9", "http://no-such-name.invalid"])
def test_a_network_that_is_missing_is_told_at_once(tmp_path: Path, api: str) -> None:
    waits: list[float] = []
    with pytest.raises(CukereuseError, match=f"{api} can't be reached: ") as raised:
        GitHub(tmp_path, api=api, sleep=waits.append).get("/users/acme")
    assert waits == []
    assert "--local" in raised.value.hint


def test_a_network_that_ends_later_is_waited_for(tmp_path: Path) -> None:
    waits: list[float] = []
    with fake.Server(fake.World([], owners={"acme": "User"})) as address:
        github = GitHub(tmp_path, api=address, sleep=waits.append)
        assert github.get("/users/acme") is not None
    with pytest.raises(CukereuseError, match="failed 6 times: no answer: Connection refused"):
        github.get("/users/other")
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_a_stopped_search_goes_on_with_the_answers_it_has(run: Run, tmp_path: Path) -> None:
    many = [fake.repository(f"s/{i}", 10 + i) for i in range(450)]
    world = fake.World(many, faults=[])
    broken = fake.World(many)
    answered = 3

    class Late(list):  # type: ignore[type-arg]
        """Raises a fault after some answers."""

        def __bool__(self) -> bool:
            return len(broken.asked) > answered

        def pop(self, _: int = 0) -> object:  # type: ignore[override]
            return fake.Fault(401)

    broken.faults = Late()
    with pytest.raises(CukereuseError):
        run(broken, code=False)
    assert not (tmp_path / "repos.csv").exists()
    run(world, code=False)
    assert len(world.asked) == 5 - answered
    assert len(names(tmp_path)) == 450


def test_halves_cover_a_range_once() -> None:
    assert Range("size", 3, 3).halves() is None
    assert [str(half) for half in Range("stars", 10, 13).halves() or ()] == ["stars:10..11", "stars:12..13"]
    assert str(Days("created", 0, 1)) == "created:2007-10-01..2007-10-02"
    assert all(isinstance(half, Days) for half in Days("created", 0, 9).halves() or ())
