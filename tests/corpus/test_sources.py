"""Sources of a corpus beside a search: lists of addresses, organisations, checkouts, the suites of a monorepo."""

import base64
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pyarrow.parquet as pq
import pytest

from corpus_tools.stages.discover.client import GitHub
from corpus_tools.stages.materialise import materialise
from corpus_tools.stages.parse import ParseOptions, parse
from corpus_tools.support.checkouts import checkouts
from corpus_tools.support.repositories import read_manifest, read_repositories
from cukereuse_engine.cli.main import run

FEATURE = "Feature: f\n  Scenario: s\n    Given a step of {}\n"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


fake, made = _load("github_server"), _load("test_materialise")


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    for name in ("a/one", "b/two", "c/three"):
        made.make(tmp_path / "origin" / name, {"features/x.feature": FEATURE.format(name)})
    return tmp_path / "origin"


@pytest.fixture
def nothing_to_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request to GitHub fails."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("asked the network")

    monkeypatch.setattr("urllib.request.urlopen", refuse)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    both = capsys.readouterr()
    return both.out + both.err


def texts(corpus: Path) -> list[tuple[str, str]]:
    rows = pq.read_table(corpus / "steps.parquet", columns=["repo", "text"]).to_pylist()
    return [(row["repo"], row["text"]) for row in rows]


@pytest.mark.usefixtures("nothing_to_search")
def test_one_more_row_touches_no_other(origin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a list of addresses, all stages, without a network; then one more line, while the others have moved on."""
    corpus, wanted = tmp_path / "corpus", tmp_path / "ours.txt"
    wanted.write_text(f"{(origin / 'a/one').as_uri()}\nteam/two {origin / 'b/two'}\n")
    arguments = ["corpus", "run", str(corpus), "--addresses", str(wanted), "--strategy", "exact"]
    assert run(arguments) == 0, said(capsys)
    assert texts(corpus) == [("a/one", "a step of a/one"), ("team/two", "a step of b/two")]
    assert "lists of addresses" in (corpus / "DATASHEET.md").read_text()
    before = {clone.full_name: clone for clone in read_manifest(corpus / "clone_manifest.jsonl")}
    stamp = (corpus / "clones/a__one/features/x.feature").stat().st_mtime_ns
    parts = {path: path.stat().st_mtime_ns for path in (corpus / ".stages/parse/parts").iterdir()}
    made.commit(origin / "a/one", {"features/later.feature": FEATURE.format("later")})
    wanted.write_text(f"{(origin / 'c/three').as_uri()}\n{wanted.read_text()}")
    assert run(arguments) == 0, said(capsys)
    assert run(["corpus", "run", str(corpus), "--strategy", "exact"]) == 0, said(capsys)
    after = {clone.full_name: clone for clone in read_manifest(corpus / "clone_manifest.jsonl")}
    assert list(after) == ["c/three", "a/one", "team/two"]
    assert before.items() <= after.items()
    assert (corpus / "clones/a__one/features/x.feature").stat().st_mtime_ns == stamp
    now = {path: path.stat().st_mtime_ns for path in (corpus / ".stages/parse/parts").iterdir()}
    assert parts.items() <= now.items()
    assert [repo for repo, _ in texts(corpus)] == ["a/one", "c/three", "team/two"]
    assert materialise(corpus, update=True)[1].commit_sha != before["a/one"].commit_sha
    assert (corpus / "clones/a__one/features/later.feature").is_file()


@pytest.mark.usefixtures("nothing_to_search")
def test_what_was_named_is_not_searched_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If nothing could be cloned, git's reason is shown; if the list was not finished, it is requested."""
    corpus, wanted = tmp_path / "corpus", tmp_path / "ours.txt"
    wanted.write_text(f"team/shop {tmp_path / 'nowhere'}\n")
    for named in (["--addresses", str(wanted)], []):
        assert run(["corpus", "run", str(corpus), *named]) == 2
        errors = said(capsys)
        assert "team/shop: fatal:" in errors
        assert "materialise --retry" in errors
    assert "== discover" not in errors
    (corpus / "repos.csv").unlink()
    assert run(["corpus", "run", str(corpus)]) == 2
    assert "was begun with --addresses or --org" in said(capsys)


@pytest.mark.usefixtures("nothing_to_search")
def test_what_is_no_longer_named_is_told(origin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text(f"a/one {origin / 'a/one'}\nb/two {origin / 'b/two'}\n")
    second.write_text(f"a/one {origin / 'a/one'}\n")
    for wanted, dropped in ((first, False), (second, True)):
        assert run(["corpus", "discover", str(tmp_path / "corpus"), "--addresses", str(wanted)]) == 0
        assert ("1 repository no longer listed: b/two" in said(capsys)) == dropped


@pytest.mark.usefixtures("nothing_to_search")
def test_a_list_of_ones_own_is_never_replaced(origin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    own = f"full_name,clone_url\nx/y,{(origin / 'a/one').as_uri()}\n"
    (corpus / "repos.csv").write_text(own)
    for more in (["discover"], ["run", "--org", "team"], ["run", "--search"]):
        assert run(["corpus", more[0], str(corpus), *more[1:]]) == 2
        assert "your own list" in said(capsys)
    assert run(["corpus", "run", str(corpus), "--strategy", "exact"]) == 0
    assert texts(corpus) == [("x/y", "a step of a/one")]
    assert (corpus / "repos.csv").read_text() == own
    assert "was given, not searched for" in (corpus / "DATASHEET.md").read_text()


def test_what_can_not_be_updated_stays(origin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "corpus"
    made.listed(corpus, origin, ["a/one"])
    first = materialise(corpus)[0]
    (origin / "a/one").rename(tmp_path / "away")
    assert run(["corpus", "materialise", str(corpus), "--update"]) == 0
    assert "1 could not be updated" in said(capsys)
    assert read_manifest(corpus / "clone_manifest.jsonl")[0].commit_sha == first.commit_sha
    assert (corpus / "clones/a__one/features/x.feature").is_file()


class _Private(BaseHTTPRequestHandler):
    """git over HTTP, with a password."""

    root: str
    password = "s3cret"

    def do_GET(self) -> None:
        wanted = "Basic " + base64.b64encode(f"robot:{self.password}".encode()).decode()
        if self.headers.get("Authorization") != wanted:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        environment = {
            **os.environ, "GIT_PROJECT_ROOT": self.root, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": "robot",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }  # fmt: skip
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def private(origin: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Private,), {"root": str(origin)}))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_private_repositories_by_gits_own_credentials(
    private: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The user's credential helper is asked; its answer can't be read anywhere afterwards."""
    home, corpus = tmp_path / "home", tmp_path / "corpus"
    (home / ".config").mkdir(parents=True)
    corpus.mkdir()
    for name in ("GIT_CONFIG_GLOBAL", "GIT_ASKPASS", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_TRACE_CURL", str(tmp_path / "trace"))
    (corpus / "repos.csv").write_text(f"full_name,clone_url\na/one,{private}/a/one\n")
    arguments = ["corpus", "materialise", str(corpus), "--seconds", "60"]
    assert run(arguments) == 0
    errors = said(capsys)
    assert "1 denied" in errors
    assert "git has no credentials" in errors
    (home / ".gitconfig").write_text(
        '[credential]\n\thelper = "!f() { echo username=robot; echo password=s3cret; }; f"\n'
    )
    assert run([*arguments, "--retry"]) == 0
    errors = said(capsys)
    assert "1 ok" in errors, (corpus / "clone_manifest.jsonl").read_text()
    written = [path.read_bytes() for path in corpus.rglob("*") if path.is_file()]
    assert not any(b"s3cret" in content or b"robot" in content for content in written)
    assert "s3cret" not in errors
    assert not (tmp_path / "trace").exists()


def test_filters_of_the_users_own_configuration_do_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository's attributes may name a filter that the user's configuration has for other work."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    monkeypatch.setenv("HOME", str(home))
    mark = tmp_path / "ran"
    (home / ".gitconfig").write_text(f'[filter "mine"]\n\tsmudge = "touch {mark}; cat"\n\trequired = true\n')
    made.make(tmp_path / "origin/a/b", {"x.feature": "Feature: f\n", ".gitattributes": "*.feature filter=mine\n"})
    mark.unlink(missing_ok=True)
    corpus = tmp_path / "corpus"
    made.listed(corpus, tmp_path / "origin", ["a/b"])
    assert materialise(corpus)[0].status == "ok"
    assert not mark.exists()


def organisation(name: str, kind: str = "Organization") -> dict[str, Any]:
    return {"login": name, "type": kind}


@pytest.mark.parametrize(
    ("kind", "token", "private_too"), [("Organization", True, True), ("User", True, False), ("User", False, False)]
)
def test_an_organisation(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    token: bool,
    private_too: bool,
) -> None:
    """Many pages, some without rows that nobody may see; forks and archived repositories are left out; the run waits
    for limits; only the API gets the token."""
    listed = [fake.repository(f"team/r{i}", i % 3, language="Java") for i in range(230)]
    listed[7] |= {"fork": True}
    listed[8] |= {"archived": True}
    listed[9] |= {"hidden": True}
    world = fake.World([*listed, fake.repository("else/where", 99)], owners={"team": kind}, most=50)
    limit = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "0"}
    secondary = fake.Fault(403, body=b'{"message": "You have exceeded a secondary rate limit"}')
    world.faults += [fake.Fault(502), fake.Fault(403, {"Retry-After": "7"}), fake.Fault(403, limit), secondary]
    waits: list[float] = []
    monkeypatch.setitem(GitHub.__init__.__kwdefaults__, "sleep", waits.append)
    if token:
        monkeypatch.setenv("GITHUB_TOKEN", "s3cret-token")
    with fake.Server(world) as address:
        arguments = ["corpus", "discover", str(tmp_path), "--org", "team", "--api", address]
        assert run(arguments) == 0, said(capsys)
        printed = said(capsys)
        assert "1 fork left out; --forks" in printed
        assert "1 archived repository left out; --archived" in printed
        asked = len(world.asked)
        assert run(arguments) == 0
        assert len(world.asked) == asked, "what is done is not asked again"
        printed = said(capsys)
        assert "s3cret-token" not in printed
        assert "asks again" not in printed
        key = tmp_path / ".stages/discover/key.json"
        key.write_text(json.dumps(json.loads(key.read_text()) | {"until": "2025-01-01"}, sort_keys=True))
        assert run(arguments) == 0
        assert len(world.asked) == asked
        assert "as GitHub answered for 2025-01-01; --until 20" in said(capsys)
    assert waits == [1.0, 7.0, 1.0, 60.0]
    assert set(world.tokens) == {"Bearer s3cret-token" if token else None}
    assert not any(b"s3cret-token" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    names = [repository.full_name for repository in read_repositories(tmp_path / "repos.csv")]
    assert len(names) == len(set(names)) == 227
    assert "else/where" not in names
    assert any(f"/{'orgs' if private_too else 'users'}/team/repos" in path for path in world.asked)


@pytest.mark.parametrize("leaves", [False, True])
def test_the_token_stays_with_the_api(tmp_path: Path, leaves: bool) -> None:
    """The API gets the token even if an organisation was renamed, but no other server and no web page does."""
    world, other = fake.World([fake.repository("new/a", 1)]), fake.World([fake.repository("new/a", 1)])
    with fake.Server(world) as address, fake.Server(other) as elsewhere:
        world.moved["/orgs/old/repos"] = f"{elsewhere if leaves else address}/orgs/new/repos"
        github = GitHub(tmp_path, api=address, token="s3cret")
        (rows,) = github.get_pages("/orgs/old/repos", {"per_page": 100})
        assert [row["full_name"] for row in rows] == ["new/a"]
        world.faults.append(fake.Fault(200, {"Link": f'<{elsewhere}/orgs/new/repos?page=2>; rel="next"'}, b"[]"))
        assert [*github.get_pages("/orgs/new/repos", {"per_page": 100})] == [[]]
    assert world.tokens == ["Bearer s3cret"] * (2 if leaves else 3)
    assert other.tokens == [None] * leaves


def test_an_organisation_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with fake.Server(fake.World([])) as address:
        assert run(["corpus", "discover", str(tmp_path), "--org", "nobody", "--api", address]) == 2
    assert "no organisation or user 'nobody'" in said(capsys)


@pytest.mark.parametrize(
    ("repositories", "hint"),
    [([], "GITHUB_TOKEN"), ([{"fork": True}, {"archived": True}], "--forks and --archived")],
)
def test_an_organisation_with_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], repositories: list[dict[str, bool]], hint: str
) -> None:
    listed = [fake.repository(f"team/r{number}", 1, **more) for number, more in enumerate(repositories)]
    with fake.Server(fake.World(listed, owners={"team": "Organization"})) as address:
        assert run(["corpus", "run", str(tmp_path), "--org", "team", "--api", address]) == 2
    printed = said(capsys)
    assert "no repositories were found of team" in printed
    assert hint in printed
    assert "materialise" not in printed


@pytest.mark.usefixtures("nothing_to_search")
def test_a_folder_of_checkouts(origin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Named by their remotes, read where they are; a change is noticed, and nothing is copied."""
    work, corpus = tmp_path / "work", tmp_path / "corpus"
    work.mkdir()
    subprocess.run(["git", "clone", "-q", str(origin / "a/one"), str(work / "x")], check=True)
    subprocess.run(["git", "clone", "-q", str(origin / "a/one"), str(work / "again")], check=True)
    made.make(work / "b__plain", {"features/p.feature": FEATURE.format("p")})
    (work / "notes").mkdir()
    made.git(work, "init", "-q", "--bare", "mirror.git")
    (work / "itself").symlink_to(work)
    secret = "https://me:s3cret@example.org/team/shop.git"
    subprocess.run(["git", "-C", str(work / "x"), "remote", "set-url", "origin", secret], check=True)
    arguments = ["corpus", "run", str(corpus), "--local", str(work), "--strategy", "exact"]
    assert run(arguments) == 0, said(capsys)
    assert texts(corpus) == [("a/one", "a step of a/one"), ("b/plain", "a step of p"), ("team/shop", "a step of a/one")]
    rows = {clone.full_name: clone for clone in read_manifest(corpus / "clone_manifest.jsonl")}
    assert rows["work/notes"].status == "no-features"
    assert "bare" in rows["work/mirror.git"].error
    assert len(rows) == 5
    assert rows["team/shop"].commit_sha == made.git(work / "x", "rev-parse", "HEAD")
    assert not (corpus / "clones").exists()
    assert not any(b"s3cret" in path.read_bytes() for path in corpus.rglob("*") if path.is_file())
    (work / "x/features/x.feature").write_text(FEATURE.format("another thing"))
    assert run(["corpus", "run", str(corpus), "--strategy", "exact"]) == 0, said(capsys)
    assert ("team/shop", "a step of another thing") in texts(corpus)
    assert checkouts([work / "x"])[0].commit_sha.endswith("-dirty")
    made.make(work / "again/module", {"features/m.feature": FEATURE.format("m")})
    assert checkouts([work / "again"])[0].commit_sha == rows["a/one"].commit_sha, "another repository's file"


def test_a_folder_that_may_not_be_looked_into_is_one_row(origin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as lost+found beside the checkouts."""
    closed, real = origin / "a/closed", Path.stat
    closed.mkdir()

    def stat(path: Path, **options: Any) -> os.stat_result:
        if path.parent == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, **options)

    monkeypatch.setattr(Path, "stat", stat)
    rows = {row.full_name: (row.status, row.error) for row in checkouts([origin / "a"])}
    assert rows == {"a/closed": ("failed", f"{closed / 'HEAD'}: Permission denied"), "a/one": ("ok", "")}


def test_checkouts_are_read_without_git(
    origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["corpus", "materialise", str(tmp_path / "c"), "--local", str(origin / "a")]) == 0, said(capsys)
    assert "1 ok" in said(capsys)
    (tmp_path / "list").write_text("https://h/a/b.git\n")
    assert run(["corpus", "run", str(tmp_path / "d"), "--addresses", str(tmp_path / "list")]) == 2
    assert "git is not installed" in said(capsys)


def test_checkouts_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert run(["corpus", "materialise", str(tmp_path / "c"), "--local", str(tmp_path / "empty")]) == 2
    assert "has no checkouts" in said(capsys)
    made.git(tmp_path, "init", "-q", "--bare", "bare.git")
    assert run(["corpus", "materialise", str(tmp_path / "c"), "--local", str(tmp_path / "bare.git")]) == 2
    assert "is a bare git repository" in said(capsys)


@pytest.mark.usefixtures("nothing_to_search")
def test_clones_at_hand_need_no_network(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / "repos.csv").unlink()
    assert run(["corpus", "run", str(corpus), "--strategy", "exact"]) == 0, said(capsys)
    assert "== parse" in said(capsys)
    assert run(["corpus", "run", str(corpus), "--strategy", "exact", "--from", "analyse"]) == 0
    assert "== parse" not in said(capsys)


def test_each_suite_of_a_monorepo_is_a_unit(tmp_path: Path) -> None:
    files = {
        "shop/behave.ini": "", "shop/features/a.feature": FEATURE.format("shop"),
        "bank/cucumber.yml": "", "bank/features/b.feature": FEATURE.format("bank"),
        "docs/c.feature": FEATURE.format("docs"),
    }  # fmt: skip
    made.make(tmp_path / "team/mono", files)
    corpus = tmp_path / "corpus"
    materialise(corpus, local=checkouts([tmp_path / "team/mono"]))
    parse(corpus, ParseOptions(by_suite=True))
    assert sorted(texts(corpus)) == [
        ("team/mono", "a step of docs"),
        ("team/mono//bank", "a step of bank"),
        ("team/mono//shop", "a step of shop"),
    ]
    parse(corpus)
    assert {repo for repo, _ in texts(corpus)} == {"team/mono"}
