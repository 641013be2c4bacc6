"""The catalogue of steps and their repositories; as a table, as a page in a browser, and in the real server."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.pages import catalogue_page
from corpus_tools.stages.catalogue import catalogue
from cukereuse_engine.catalogue.document import VERSION, CatalogueDocument, CatalogueEntry, Owner
from cukereuse_engine.catalogue.search import Catalogue, read_catalogue, said_of
from cukereuse_engine.cli.main import run
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.text.template import template

SHOP = """Feature: Cart
  Scenario: One
    Given the shop is open
    When I add "tea" to the cart
    When I add "milk" to the cart
    Then nobody defined this
"""
BANK = """Feature: Pay
  Scenario: One
    Given the shop is open
    When I add "gold" to the cart
    Then I am rich
"""
SHOP_STEPS = """from behave import given, when
@given('the shop is open')
def open_shop(context):
    context.shop.open()
@when('I add "{thing}" to the cart')
def add(context, thing):
    context.cart.add(thing)
@when('nothing uses this {count:d} "{place}"')
def unused(context, count, place):
    context.idle()
"""
BANK_STEPS = """from behave import given, when, then
@given('the shop is open')
def open_shop(context):
    context.shop.open()
@when('I add "{thing}" to the cart')
def add(context, thing):
    context.cart.clear()
    context.cart.add(thing)
@then('I am rich')
def rich(context):
    assert context.money > 1
"""


@pytest.fixture
def teams(tmp_path: Path) -> Path:
    """Two repositories; one of them has the feature in two suites."""
    corpus = tmp_path / "corpus"
    files = {
        "ant__shop/behave.ini": "", "ant__shop/features/cart.feature": SHOP,
        "ant__shop/features/steps/s.py": SHOP_STEPS, "ant__shop/other/behave.ini": "",
        "ant__shop/other/more.feature": SHOP,
        "bee__bank/behave.ini": "", "bee__bank/features/pay.feature": BANK, "bee__bank/features/steps/s.py": BANK_STEPS,
    }  # fmt: skip
    for name, text in files.items():
        path = corpus / "clones" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in ("ant__shop", "bee__bank"):
        (corpus / "clones" / name / ".git").mkdir()
    return corpus


def entries(corpus: Path) -> dict[str, CatalogueEntry]:
    document = msgspec.json.decode((corpus / "catalogue.json").read_bytes(), type=CatalogueDocument)
    return {entry.step: entry for entry in document.entries}


def test_who_has_which_step(teams: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "catalogue", str(teams)]) == 0
    printed = capsys.readouterr()
    assert "2 repositories; 2 in several, 2 defined by several" in printed.out
    assert "run `cukereuse corpus analyse --strategy auto` first" in printed.err
    listed = entries(teams)
    cart = listed["I add … to the cart"] if "I add … to the cart" in listed else listed['I add "…" to the cart']
    assert cart.repositories == ["ant/shop", "bee/bank"]
    assert [owner.uses for owner in cart.owners] == [4, 1]
    assert len({owner.form for owner in cart.owners}) == 2, "their functions differ"
    opened = listed["the shop is open"]
    assert len({owner.form for owner in opened.owners}) == 1, "their functions do the same"
    assert [(owner.repo, owner.path, owner.line) for owner in opened.owners] == [
        ("ant/shop", "features/steps/s.py", 2),
        ("bee/bank", "features/steps/s.py", 2),
    ]
    assert listed["nobody defined this"].owners[0].expression == ""
    (idle,) = [entry for entry in listed.values() if not entry.uses]
    assert idle.text == 'nothing uses this count "place"', "an editor offers it with a blank each"
    assert listed["I am rich"].uses == 1
    rows = pq.read_table(teams / "catalogue.parquet").to_pylist()
    assert sum(row["uses"] for row in rows) == sum(entry.uses for entry in listed.values()) == 8 + 3
    assert Counter(row["repositories"] for row in rows) == {2: 4, 1: 3}


CONTEXT = r"""<?php
class FeatureContext implements Behat\Behat\Context\Context {
  private $shop;
  /** @Given the shop is open */
  public function open() { $this->shop->open(); }
}
"""


def test_what_a_function_does_is_told_without_its_place(tmp_path: Path) -> None:
    """The same class in two repositories, in two folders of the machine."""
    for corpus in (tmp_path / "one", tmp_path / "other"):
        for name in ("ant__shop", "bee__bank"):
            files = {"behat.yml": "default: {}\n", "features/a.feature": SHOP}
            for path, text in (files | {"features/bootstrap/FeatureContext.php": CONTEXT}).items():
                place = corpus / "clones" / name / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)
        catalogue(corpus)
    first, second = entries(tmp_path / "one")["the shop is open"].owners
    assert first.form == second.form != ""
    assert (tmp_path / "one/catalogue.json").read_bytes() == (tmp_path / "other/catalogue.json").read_bytes()


def test_teams_are_the_code_owners(teams: Path) -> None:
    """Those of the definition, else of the feature that says it most; an edit of CODEOWNERS is read."""
    shop = teams / "clones" / "ant__shop"
    (shop / ".github").mkdir()
    (shop / ".github/CODEOWNERS").write_text("*.feature @ant/features\n*.py @ant/glue @bob\n")
    (teams / "clones/bee__bank/CODEOWNERS").write_text("[Pay] @bee/pay\npay.feature\n")
    catalogue(teams)

    def its(step: str) -> list[str]:
        return [owner.team for owner in entries(teams)[step].owners]

    assert its("the shop is open") == ["@ant/glue @bob", "@bee/pay"]
    assert its("nobody defined this") == ["@ant/features"]
    assert said_of(entries(teams)["the shop is open"]) == "ant/shop (@ant/glue, @bob) and 1 other have this step"
    rows = pq.read_table(teams / "catalogue.parquet").to_pylist()
    assert {row["team"] for row in rows} == {"@ant/glue @bob", "@ant/features", "@bee/pay"}
    (shop / ".github/CODEOWNERS").write_text("/features/steps/ @ant/steps\n")
    catalogue(teams)
    assert its("the shop is open") == ["@ant/steps", "@bee/pay"]
    assert its("nobody defined this") == [""]


def test_the_suites_of_a_monorepo_are_repositories_of_it(teams: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "catalogue", str(teams), "--by-suite"]) == 0
    assert "3 repositories; " in capsys.readouterr().out
    opened = entries(teams)["the shop is open"]
    assert [(owner.repo, owner.uses) for owner in opened.owners] == [
        ("ant/shop", 1), ("ant/shop//other", 1), ("bee/bank", 1),
    ]  # fmt: skip
    assert run(["corpus", "catalogue", str(teams)]) == 0
    assert entries(teams)["the shop is open"].repositories == ["ant/shop", "bee/bank"]


def test_one_more_repository_reads_one_more(teams: Path) -> None:
    catalogue(teams)
    parts = {path: path.stat().st_mtime_ns for path in (teams / ".stages/catalogue/parts").iterdir()}
    before = (teams / "catalogue.json").read_bytes()
    shutil.copytree(teams / "clones/bee__bank", teams / "clones/cat__bank")
    assert catalogue(teams).repositories == 3
    now = {path: path.stat().st_mtime_ns for path in (teams / ".stages/catalogue/parts").iterdir()}
    assert parts.items() < now.items()
    assert len(entries(teams)["I am rich"].repositories) == 2
    shutil.rmtree(teams / "clones/cat__bank")
    catalogue(teams)
    assert (teams / "catalogue.json").read_bytes() == before


def test_the_best_wording_of_an_intent(teams: Path) -> None:
    members = {"cluster_id": [7, 7], "text": ["I am rich", "nobody defined this"], "count": [1, 2]}
    pq.write_table(pa.table(members), teams / "cluster_members_auto.parquet")
    assert catalogue(teams).has_intents
    listed = entries(teams)
    one, other = listed["I am rich"], listed["nobody defined this"]
    assert one.intent == other.intent == 7
    assert (one.best, other.best) == (False, True), "more steps say it"
    assert listed["the shop is open"].intent == -1


# Searching


def owner(repo: str, text: str, team: str) -> Owner:
    return Owner(repo, 1, text, team=team)


def entry(text: str, *repos: str, team: str = "") -> CatalogueEntry:
    return CatalogueEntry(text, text, template(text).key, [owner(repo, text, team) for repo in repos])


KNOWN = [
    entry("the shop is open", "a/one", "b/two"),
    entry("the shop is closed", "a/one"),
    entry('I add "tea" to the cart', "b/two"),
    entry("the shopkeeper sleeps", "c/three", "d/four", "e/five"),
]


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("the shop", ["the shopkeeper sleeps", "the shop is open", "the shop is closed"]),
        ("the shop is", ["the shop is open", "the shop is closed"]),
        ("nobody", []),
        ("", []),
    ],
)
def test_by_the_beginning(start: str, expected: list[str]) -> None:
    assert [step.text for step in Catalogue(KNOWN).beginning(start, 5)] == expected


def test_by_likeness() -> None:
    catalogue = Catalogue(KNOWN)
    (first, score), *_ = catalogue.like('I add "water" to the cart', 3)
    assert (first.text, score) == ('I add "tea" to the cart', 1.0)
    assert catalogue.like("the moon is far away tonight", 3) == []
    assert catalogue.like("   ", 3) == []
    without = {template("the shop is open").key}
    assert [step.text for step, _ in catalogue.like("the shop is open", 3, without)] == ["the shop is closed"]


@given(st.lists(st.text("ab ", min_size=1, max_size=6), max_size=8, unique_by=str.strip), st.text("ab ", max_size=4))
def test_the_beginning_is_what_a_search_of_all_finds(texts: list[str], start: str) -> None:
    made = [entry(text.strip(), "a/one") for text in texts if text.strip()]
    expected = {step.key for step in made if start and step.key.startswith(start)}
    assert {step.key for step in Catalogue(made).beginning(start, 99)} == expected


@pytest.mark.parametrize(
    ("repos", "expected"),
    [
        (["a/one"], "a/one has this step"),
        (["a/one", "b/two"], "a/one and 1 other have this step"),
        (["a/one", "b/two", "c/x"], "a/one and 2 others have this step"),
    ],
)
def test_who_is_said_to_have_it(repos: list[str], expected: str) -> None:
    assert said_of(entry("x", *repos)) == expected


_UNOWNED = b'{"version": 1, "repositories": 0, "entries": [{"step": "a", "text": "a", "key": "a", "owners": []}]}'


@pytest.mark.parametrize("content", [None, b"{", b"[]", b'{"version": 99, "repositories": 0, "entries": []}', _UNOWNED])
def test_a_catalogue_that_can_not_be_used(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "catalogue.json"
    if content is not None:
        path.write_bytes(content)
    told = []
    for _ in range(2):
        with pytest.raises(CukereuseError, match="catalogue") as raised:
            read_catalogue(path)
        told.append(raised.value)
    assert (told[0] is told[1]) == (content is not None), "a file that can't be used is read once"
    path.write_bytes(b'{"version": 1, "repositories": 0, "entries": []}')
    assert read_catalogue(path).like("a", 1) == []


# The page


def waiting(browser: Any) -> Any:
    """Waits for the page. Each key replaces the elements of its rows: one may be gone while it is read."""
    stale = pytest.importorskip("selenium.common.exceptions").StaleElementReferenceException
    return pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait(browser, 10, ignored_exceptions=[stale])


@pytest.mark.browser
def test_the_page_is_searched_without_a_server(browser: Any, tmp_path: Path) -> None:
    hostile = "</script><script>document.title='hit'</script>"
    made = [
        *KNOWN,
        entry(hostile, "x/<b>y"),
        entry("tea is hot", "g/seven", team="@acme/tea"),
        *(entry(f"step number{i} of many", "f/six") for i in range(300)),
    ]
    page = tmp_path / "catalogue.html"
    page.write_bytes(catalogue_page.render(CatalogueDocument(VERSION, 8, made)))
    browser.get(page.as_uri())
    rows = browser.find_elements("css selector", "tbody tr")
    assert len(rows) == 100
    assert browser.find_element("id", "count").text == f"{len(made)} steps"
    browser.find_element("css selector", "button.more").click()
    assert len(browser.find_elements("css selector", "tbody tr")) == 200
    search = browser.find_element("css selector", "input[type=search]")
    search.send_keys("shop b/two")
    wait = waiting(browser)
    wait.until(lambda page: page.find_element("id", "count").text == "1 step")
    wait.until(lambda page: page.find_element("css selector", "tbody summary").click() is None)
    wait.until(lambda page: "b/two" in page.find_element("css selector", "tbody").text)
    search.clear()
    search.send_keys("@acme/tea")
    wait.until(lambda page: page.find_element("css selector", "tbody summary").text == "tea is hot")
    browser.find_element("css selector", "tbody summary").click()
    wait.until(lambda page: "g/seven @acme/tea" in page.find_element("css selector", "tbody").text)
    search.clear()
    search.send_keys("script")
    wait.until(lambda page: "document.title" in page.find_element("css selector", "tbody").text)
    assert browser.title.startswith("Catalogue of steps")
    head = browser.find_element("xpath", "//th/button[text()='Repositories']")
    search.clear()
    search.send_keys(" the ")
    head.click()
    wait.until(lambda page: "shopkeeper" in page.find_element("css selector", "tbody tr").text)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


# The server


def test_the_document_is_json_for_anybody(teams: Path) -> None:
    catalogue(teams)
    document = json.loads((teams / "catalogue.json").read_text())
    assert set(document) == {"version", "repositories", "entries"}
