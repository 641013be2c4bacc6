"""A local server with the forms and faults of GitHub's REST search."""

import json
import re
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlparse


@dataclass
class Fault:
    """Replaces the answer to the next request."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"{}"
    cut: bool = False
    """True to promise more bytes than are sent."""


@dataclass
class World:
    repositories: list[dict[str, Any]]
    files: list[dict[str, Any]] = field(default_factory=list)
    """repo, size, words."""
    faults: list[Fault] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    cap: int = 1000
    owners: dict[str, str] = field(default_factory=dict)
    """Maps a login to "Organization" or "User"."""
    most: int = 100
    """Maximum number of rows of a list's page, whatever was requested."""
    tokens: list[str | None] = field(default_factory=list)
    """The authorisation of each request."""
    moved: dict[str, str] = field(default_factory=dict)
    """Maps a path to its new address."""


def repository(
    name: str, stars: int, spdx: str | None = "MIT", language: str = "Gherkin", **more: Any
) -> dict[str, Any]:
    return {
        "full_name": name, "clone_url": f"https://example.org/{name}.git", "default_branch": "main",
        "stargazers_count": stars, "pushed_at": "2026-03-04T05:06:07Z", "created_at": "2015-06-01T00:00:00Z",
        "license": None if spdx is None else {"spdx_id": spdx}, "language": language, "archived": False, **more,
    }  # fmt: skip


class Server:
    """`with Server(world) as address`."""

    def __init__(self, world: World) -> None:
        handler = type("Handler", (_Handler,), {"world": world})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    world: World

    def do_GET(self) -> None:
        world = self.world
        world.asked.append(self.path)
        world.tokens.append(self.headers.get("Authorization"))
        if world.faults:
            self._fault(world.faults.pop(0))
            return
        url = urlparse(self.path)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        if url.path in world.moved:
            self._send(301, b"", {"Location": f"{world.moved[url.path]}?{url.query}"})
            return
        if url.path == "/search/repositories":
            self._search(query, [item for item in world.repositories if _matches(item, query["q"])])
        elif url.path == "/search/code":
            wanted = [
                {"path": "x.feature", "repository": {"full_name": item["repo"]}}
                for item in world.files
                if re.search(r'"(.*?)"', query["q"])[1] in item["words"] and _within(query["q"], "size", item["size"])  # type: ignore[index]
            ]
            self._search(query, wanted)
        elif url.path == "/user":
            self._send(200, b'{"login": "somebody"}')
        elif match := re.fullmatch(r"/users/([^/]+)", url.path):
            kind = world.owners.get(match[1])
            owner = {"login": match[1], "type": kind} if kind else {"message": "Not Found"}
            self._send(200 if kind else 404, json.dumps(owner).encode())
        elif match := re.fullmatch(r"/(?:orgs|users)/([^/]+)/repos", url.path):
            page, size = int(query.get("page", 1)), min(int(query["per_page"]), world.most)
            mine = [item for item in world.repositories if item["full_name"].startswith(f"{match[1]}/")]
            links = [f'<{self._page(1)}>; rel="first"']
            if page * size < len(mine):
                links.insert(0, f'<{self._page(page + 1)}>; rel="next"')
            shown = [item for item in mine[(page - 1) * size : page * size] if not item.get("hidden")]
            self._send(200, json.dumps(shown).encode(), {"Link": ", ".join(links)})
        else:
            name = url.path.removeprefix("/repos/")
            rows = [item for item in world.repositories if item["full_name"].lower() == name.lower()]
            self._send(200 if rows else 404, json.dumps(rows[0] if rows else {"message": "Not Found"}).encode())

    def _page(self, number: int) -> str:
        path = re.sub(r"&page=\d+", "", self.path)
        return f"http://{self.headers['Host']}{path}&page={number}"

    def _search(self, query: dict[str, str], items: list[dict[str, Any]]) -> None:
        page, size = int(query["page"]), int(query["per_page"])
        if page * size > self.world.cap:
            self._send(422, b'{"message": "Only the first 1000 search results are available"}')
            return
        shown = items[(page - 1) * size : page * size]
        self._send(200, json.dumps({"total_count": len(items), "incomplete_results": False, "items": shown}).encode())

    def _fault(self, fault: Fault) -> None:
        self._send(fault.status, fault.body, fault.headers, len(fault.body) + (100 if fault.cut else 0))

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None, length: int | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _matches(item: dict[str, Any], q: str) -> bool:
    created = item["created_at"][:10]
    days = re.search(r"created:(\S+)\.\.(\S+)", q)
    return (
        item["language"] == "Gherkin"
        and _within(q, "stars", item["stargazers_count"])
        and ("archived:false" not in q or not item["archived"])
        and (days is None or days[1] <= created <= days[2])
    )


def _within(q: str, name: str, value: int) -> bool:
    bounds = re.search(rf"{name}:(\d+)\.\.(\d+)", q)
    return bounds is None or int(bounds[1]) <= value <= int(bounds[2])
