"""The HTML report as a file: complete, safe, deterministic. Its behaviour is tested in test_html_browser.py."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.report import html
from cukereuse_engine.report.html import data as page_data
from cukereuse_engine.scanning.result import ScanResult


class Page(HTMLParser):
    def __init__(self, content: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.content: dict[str, list[str]] = {}
        self._inside = ""
        self.feed(content.decode("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_data(self, data: str) -> None:
        self.content.setdefault(self._inside, []).append(data)


def embedded(content: bytes) -> dict[str, Any]:
    packed = re.search(rb'id="data">([A-Za-z0-9+/=]+)</script>', content)
    assert packed
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return data


def test_the_page_allows_exactly_its_own_style_and_script(shop: ScanResult) -> None:
    page = Page(html.render(shop))
    [policy] = [a["content"] for t, a in page.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for directive, tag in (("script-src", "script"), ("style-src", "style")):
        code = [text for text in page.content[tag] if len(text.splitlines()) > 5]
        digest = base64.b64encode(hashlib.sha256(code[0].encode()).digest()).decode()
        assert len(code) == 1
        assert rules[directive] == f"'sha256-{digest}'"


def test_the_page_names_nothing_to_load(hostile: ScanResult) -> None:
    page = Page(html.render(hostile))
    for tag, attributes in page.tags:
        assert tag not in {"img", "iframe", "object", "base"}
        assert not any(name.startswith("on") for name in attributes)
        assert "src" not in attributes
        if tag == "link":
            assert (attributes["href"] or "").startswith("data:")
    assert "url(" not in page.content["style"][0]


def test_hostile_text_is_no_markup(hostile: ScanResult, shop: ScanResult) -> None:
    assert [tag for tag, _ in Page(html.render(hostile)).tags].count("script") == 2
    assert b"onerror" not in html.render(hostile)
    assert {tag for tag, _ in Page(html.render(hostile)).tags} == {tag for tag, _ in Page(html.render(shop)).tags}


def test_the_figures_are_there_without_a_script(shop: ScanResult) -> None:
    text = re.sub(r"<[^>]+>", " ", html.render(shop).decode().split("<main")[0])
    assert "3 things to look at: 2 warnings, 1 information." in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "42 %" in text


def test_the_same_scan_gives_the_same_bytes(shop: ScanResult) -> None:
    assert html.render(shop) == html.render(shop)


def test_the_data_holds_the_scan(shop: ScanResult) -> None:
    data = embedded(html.render(shop))
    assert data["clusters"]["occurrences"] == [5, 3, 3]
    assert data["clusters"]["files"] == [3, 2, 1]
    places = data["clusters"]["places"][0][0]
    assert [data["paths"][places[0]], places[1], places[2]] == ["shop/features/login.feature", 5, 11]
    assert [data["keywords"][places[3]], data["scenarios"][places[4]]] == ["Given", "Shopping"]
    assert [finding["rule"] for finding in data["findings"]] == ["divergent-definition", "divergent-wording"]
    assert [[data["paths"][path], *row] for path, *row in data["files"]] == [
        ["shop/features/login.feature", 0, 5, 5],
        ["shop/features/basket.feature", 0, 3, 2],
        ["shop/features/orders.feature", 0, 4, 2],
    ]


def test_places_are_capped_and_counts_are_not(
    suite_builder: type, result_of: Callable[..., ScanResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_data, "PLACE_BUDGET", 500)
    suite = suite_builder()
    suite.add("again and again", "a.feature", range(1, 1_001))
    suite.add("a" * 100_000, "a.feature", [2_000])
    suite.cluster("again and again")
    suite.cluster("a" * 100_000)
    clusters = embedded(html.render(result_of(suite.build())))["clusters"]
    assert clusters["occurrences"][0] == 1_000
    assert len(clusters["places"][0][0]) == 5 * 300
    assert clusters["texts"][1][0].endswith("(100,000 characters)")
    assert len(clusters["texts"][1][0]) < page_data.TEXT_LIMIT + 50


def test_places_left_out_of_a_finding_are_counted_as_places(
    suite_builder: type, result_of: Callable[..., ScanResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block of many steps is one place."""
    monkeypatch.setattr(page_data, "PLACE_BUDGET", 1)
    suite = suite_builder()
    suite.add("again and again", "a.feature", range(1, 101))
    suite.add("the preferred one", "a.feature", [200])
    suite.finding("again and again", "the preferred one")
    [finding] = suite.findings
    [subject] = finding.others
    suite.findings = [replace(finding, others=(replace(subject, occurrences=700),))]
    [shown] = embedded(html.render(result_of(suite.build())))["findings"][0]["others"]
    assert (shown["n"], len(shown["places"]) // 5 + shown["unlisted"]) == (700, 100)
    assert shown["unlisted"] > 0


@pytest.mark.parametrize("root", [".", "", "../web shop", "../web shop/"])
def test_the_title_is_the_folders_name(
    root: str,
    suite_builder: type,
    result_of: Callable[..., ScanResult],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "web shop").mkdir()
    monkeypatch.chdir(tmp_path / "web shop")
    page = Page(html.render(result_of(suite_builder(root=root).build())))
    assert page.content["title"][0].startswith("web shop ")


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 200))
def test_a_cap_is_shared_fairly(counts: list[int], cap: int) -> None:
    listed = page_data.shares(counts, cap)
    assert all(1 <= n <= count for n, count in zip(listed, counts, strict=True))
    assert sum(listed) <= max(cap, len(counts))
    if sum(listed) < sum(counts):
        assert sum(listed) == cap or len(counts) > cap
        # Nothing is cut while a text with more places lists more.
        cut = [n for n, count in zip(listed, counts, strict=True) if n < count]
        assert max(listed) - min(cut) <= 1


def test_what_absolute_paths_share_is_said_once(suite_builder: type, result_of: Callable[..., ScanResult]) -> None:
    one, two = suite_builder(root="/repo/one"), suite_builder(root="/repo/two")
    assert embedded(html.render(result_of(one.build())))["prefix"] == "/repo/one/"
    assert embedded(html.render(result_of(one.build(), two.build())))["prefix"] == "/repo/"
    assert embedded(html.render(result_of(suite_builder(root="repo").build())))["prefix"] == ""


@pytest.mark.parametrize(
    ("path", "folder", "expected"),
    [
        ("features/a.feature", ".", "features/a.feature"),
        ("features/a.feature", "out/reports", "../../features/a.feature"),
        ("/abs/a#b/100%/x y.feature", "/abs/out", "../a%23b/100%25/x%20y.feature"),
        ("javascript:alert(1).feature", ".", "javascript%3Aalert%281%29.feature"),
        ("caf\udce9/ü.feature", ".", "caf%E9/%C3%BC.feature"),
        ("a{line}.feature", ".", "a%7Bline%7D.feature"),
    ],
)
def test_links_lead_from_the_report_to_the_file(path: str, folder: str, expected: str) -> None:
    assert html.PlaceLinks(folder).href(path) == expected


def test_a_template_leads_to_a_repository() -> None:
    links = html.PlaceLinks(template="https://git.example/blob/main/{path}#L{line}")
    assert links.href("a b/c.feature") == "https://git.example/blob/main/a%20b/c.feature#L{line}"
    assert html.PlaceLinks(template="vscode://file{absolute}:{line}:{column}").href("/x/c.feature") == (
        "vscode://file/x/c.feature:{line}:{column}"
    )


@pytest.mark.parametrize(
    "template", ["javascript:alert('{path}')", " JavaScript:x{path}", "data:text/html,{path}", "https://x/{file}"]
)
def test_a_template_that_runs_code_or_names_no_field_is_refused(template: str) -> None:
    with pytest.raises(CukereuseError):
        html.PlaceLinks(template=template)


@pytest.mark.heavy
def test_many_clusters_stay_small(large: Callable[..., ScanResult]) -> None:
    content = html.render(large(20_000, 200_000))
    assert len(content) < 3_000_000
    assert len(embedded(content)["clusters"]["id"]) == 20_000
