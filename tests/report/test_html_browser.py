"""The HTML report in a real browser: search, filters, order, hostile texts, size, phone, dark mode, no requests."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cukereuse_engine.api import scan
from cukereuse_engine.scanning.result import ScanResult
from tests.report.browser import Report

pytestmark = pytest.mark.browser

PAGE_ROWS = 50


def test_findings_come_first_the_gravest_on_top(report: Report, shop: ScanResult) -> None:
    report.open(shop)
    assert report.js("return document.querySelector('[aria-selected=true]').textContent") == "Findings2"
    assert report.texts(".card .severity") == ["Warning", "Information"]
    assert report.texts(".card:first-child .wording .step") == ['the customer "ada" signs in', 'I log in as "ada"']
    assert report.texts(".card:first-child .place")[-1] == "shop/features/orders.feature:9"
    assert report.texts(".card:last-child .differs") == ["holds 3 pears", "there are", "in my basket"]


def test_what_repeats_as_a_whole_counts_its_steps(report: Report, suite_builder: Any, result_of: Any) -> None:
    suite = suite_builder()
    suite.add("it pays", "a.feature", [3, 4])
    suite.add("it still pays", "b.feature", [3])
    suite.finding("it still pays", "it pays", rule="duplicate-scenario")
    report.open(result_of(suite.build()))
    assert report.texts(".card .times") == ["1 step", "2 steps"]
    assert report.texts(".card dt") == ["repeats", "preferred"]


def test_commands_in_notes_are_code(report: Report, shop: ScanResult) -> None:
    report.open(replace(shop, notes=("`cukereuse blocks` lists <b>all</b>",)))
    assert report.texts("#notes li") == ["cukereuse blocks lists <b>all</b>"]
    assert report.texts("#notes code") == ["cukereuse blocks"]


def test_nothing_is_requested_and_nothing_complains(report: Report, shop: ScanResult, hostile: ScanResult) -> None:
    for result in (shop, hostile):
        for anchor in ("", "#clusters", "#charts", "#problems"):
            report.open(result, anchor=anchor)
            assert report.problems() == []
            assert report.requests() == [report.path.as_uri()]  # the page itself


def test_a_request_would_be_seen_and_refused(report: Report, shop: ScanResult) -> None:
    report.open(shop)
    report.js("document.body.append(Object.assign(new Image(), {src: 'http://localhost:9/x.png'}))")
    report.wait("true")
    assert any("Content Security Policy" in problem for problem in report.problems())


def test_search_filters_as_you_type(report: Report, shop: ScanResult) -> None:
    report.open(shop, anchor="#clusters")
    assert report.texts("tr.cluster .step") == [
        'I log in as "ada"',
        "there are 3 pears in my basket",
        "I am on the sign-in page",
    ]
    assert report.search("PEARS basket") == ["1 of 3 clusters of similar steps"]
    assert report.search("signs in") == ["1 of 3 clusters of similar steps"]  # another text of the cluster
    assert report.texts("tr.cluster .step") == ['I log in as "ada"']
    assert report.search("login.feature") == ["2 of 3 clusters of similar steps"]  # a path
    assert report.search("no such thing") == ["0 of 3 clusters of similar steps"]
    assert report.texts(".message-title") == ["Nothing matches."]
    report.click(".message .show-more")
    assert report.texts("#count") == ["3 of 3 clusters of similar steps"]
    assert report.js("return document.activeElement.id") == "search"


def test_filters_by_kind_rule_and_suite(
    report: Report, shop: ScanResult, suite_builder: type, result_of: Callable[..., ScanResult]
) -> None:
    other = suite_builder(root="second <b>")
    other.add("a parcel is sent", "second/a.feature", [3, 4])
    other.cluster("a parcel is sent")
    report.open(result_of(*shop.suites, other.build()), anchor="#clusters")
    assert report.texts(".chips .label") == ["Kind"]
    report.click(".chip:nth-child(3)")
    assert report.texts("tr.cluster .kind") == ["reworded"]
    report.click(".chip:nth-child(3)")
    report.js("document.getElementById('suite').value = '1'")
    report.js("document.getElementById('suite').dispatchEvent(new Event('change'))")
    assert report.texts("tr.cluster .step") == ["a parcel is sent"]
    report.open(shop)
    assert report.texts(".chips .label") == ["Finding"]
    assert report.texts(".chip")[0].startswith("Step definitions may mean the same")
    report.click(".chips[aria-label=Finding] .chip:last-child")
    assert report.texts(".card .severity") == ["Information"]


def test_columns_sort(report: Report, shop: ScanResult) -> None:
    report.open(shop, anchor="#clusters")
    report.click("th [data-sort=text]")
    assert report.texts("tr.cluster .step") == [
        "I am on the sign-in page",
        'I log in as "ada"',
        "there are 3 pears in my basket",
    ]
    assert report.js("return document.activeElement.dataset.sort") == "text"
    report.click("th [data-sort=files]")
    numbers = "return [...document.querySelectorAll('td[data-label=files]')].map((e) => e.textContent)"
    assert report.js(numbers) == ["3", "2", "1"]
    assert report.js("return document.querySelector('th[aria-sort]').innerText").startswith("Files")


def test_a_cluster_opens_with_the_keyboard(report: Report, shop: ScanResult) -> None:
    report.open(shop, anchor="#clusters")
    button = report.browser.find_element("css selector", ".expand")
    button.send_keys("\n")
    assert report.js("return arguments[0].getAttribute('aria-expanded')", button) == "true"
    assert report.texts(".detail .text-title .step") == [
        'I log in as "ada"', 'I log in as "grace"', 'the customer "ada" signs in',
    ]  # fmt: skip
    assert report.texts(".detail .place")[0] == "shop/features/login.feature:5"
    href = report.js("return document.querySelector('.detail .place').href")
    assert href.endswith("shop/features/login.feature")
    report.browser.find_element("css selector", "[role=tab][aria-selected=true]").send_keys("\ue014")  # right arrow
    assert report.texts("figure h2") == ["Repetition by file", "Cluster sizes", "Savings"]


def test_the_keyboard_keeps_its_place(report: Report, shop: ScanResult) -> None:
    report.open(shop)
    focused = "return document.activeElement.id"
    for key, tab in (("\ue014", "clusters"), ("\ue014", "charts"), ("\ue012", "clusters"), ("\ue012", "findings")):
        report.browser.find_element("css selector", "[aria-selected=true]").send_keys(key)
        assert report.js(focused) == f"tab-{tab}"
    report.browser.find_element("id", "tab-problems").send_keys("\n")
    assert report.js(focused) == "tab-problems"
    assert report.texts(".problems .place") == ["shop/features/broken.feature:7", "shop/steps/orders.rb:20"]
    report.browser.find_element("css selector", "body").send_keys("/")
    assert report.js(focused) == "search"
    assert report.js("return document.activeElement.value") == ""


def test_a_finding_leads_to_its_cluster(report: Report, shop: ScanResult) -> None:
    report.open(shop)
    report.click(".card:last-child .place-foot button:last-child")
    assert report.texts("tr.cluster .step") == ["there are 3 pears in my basket"]
    assert len(report.texts(".detail .place")) == 3


def test_a_file_of_the_chart_filters_the_clusters(report: Report, shop: ScanResult) -> None:
    report.open(shop, anchor="#charts")
    report.js("document.querySelector('.clickable').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    assert report.texts("#count") == ["2 of 3 clusters of similar steps"]
    assert report.texts(".chip[aria-pressed=true]") == ["shop/features/login.feature ×"]


def test_hostile_texts_are_text(report: Report, hostile: ScanResult) -> None:
    report.open(hostile, anchor="#clusters")
    title = report.js("return document.title")
    assert title == "we<ird & \\u202edir · cukereuse"
    shown = report.js("return [...document.querySelectorAll('tr.cluster .step')].map((e) => e.textContent)")
    expected = [cluster.canonical for cluster in hostile.suites[0].clusters]
    assert shown[0] == expected[0] == "</script><script>document.title='owned'</script>"
    assert shown[2] == "I pay \\u202e001 sruoE\\u202c to the bank"
    assert len(shown) == len(expected)
    for button in report.browser.find_elements("css selector", ".expand"):
        report.js("arguments[0].click()", button)
    assert report.js("return document.querySelectorAll('img, b, iframe').length") == 0
    assert report.js("return document.querySelectorAll('script').length") == 2
    text = report.js("return document.body.textContent")
    assert not {"\u202e", "\u200b", "\u2028", "\x1b", "\x07"} & set(text.split("const ")[0])
    links = report.js("return [...document.querySelectorAll('a.place')].map((a) => a.protocol)")
    assert set(links) == {"file:"}
    assert report.problems() == []


@pytest.mark.parametrize("anchor", ["", "#clusters", "#charts", "#problems"])
@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_scrolls_one_way_only(
    report: Report, shop: ScanResult, hostile: ScanResult, suite_builder: type, result_of: Callable[..., ScanResult],
    anchor: str, width: int,
) -> None:  # fmt: skip
    long = suite_builder(root="r" * 80)
    long.add("x" * 300, f"{'deep/' * 30}{'f' * 60}.feature", range(1, 40), scenario="s" * 200)
    long.add("y" * 300, f"{'deep/' * 30}{'g' * 60}.feature", [4])
    long.cluster("x" * 300, "y" * 300, reasons=["z" * 200])
    long.finding("y" * 300, "x" * 300, reasons=["z" * 200])
    for result in (shop, hostile, result_of(long.build(), *shop.suites)):
        report.open(result, anchor=anchor, width=width, height=800)
        for button in report.browser.find_elements("css selector", ".expand"):
            report.js("arguments[0].click()", button)
        assert report.js("return document.documentElement.scrollWidth") <= width
        assert report.js(
            "return [...document.querySelectorAll('.card, figure, td')].every((e) => e.scrollWidth <= innerWidth)"
        )


def contrast(first: str, second: str) -> float:
    """WCAG 2's contrast ratio of two colours like `rgb(1, 2, 3)`."""

    def luminance(colour: str) -> float:
        parts = [float(part) / 255 for part in colour.strip("rgba()").split(",")[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(report: Report, shop: ScanResult, hostile: ScanResult, scheme: str) -> None:
    find = """
      const behind = (e) => {
        const c = getComputedStyle(e).backgroundColor;
        return /, 0\\)$/.test(c) ? behind(e.parentElement) : c;
      };
      const written = (e) => e.offsetParent && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
      return [...document.querySelectorAll('body *')].filter(written).map(
        (e) => [e.className || e.tagName, getComputedStyle(e).color, behind(e)]);
    """
    backgrounds = set()
    for result, anchor in ((shop, ""), (shop, "#clusters"), (hostile, ""), (shop, "#problems")):
        report.open(result, anchor=anchor, prefers_color_scheme=scheme)
        backgrounds.add(report.js("return getComputedStyle(document.body).backgroundColor"))
        written = report.js(find)
        assert len(written) > 20
        for name, colour, background in written:
            assert contrast(colour, background) >= 4.5, (name, colour, background)
    [background] = backgrounds
    assert (contrast(background, "rgb(0, 0, 0)") < 2) == (scheme == "dark")


@pytest.mark.parametrize(
    ("words", "expected"),
    [("no-files", "No feature files were found."), ("clean", "Nothing found by wording; meaning was not compared.")],
)
def test_nothing_found_is_told_kindly(
    report: Report, words: str, expected: str, suite_builder: type, result_of: Callable[..., ScanResult]
) -> None:
    suite = suite_builder()
    if words == "clean":
        suite.add("we ship it", "a.feature", [3, 4])
        suite.cluster("we ship it")
    report.open(result_of(suite.build()), anchor="#findings")
    assert report.texts("h1") == [expected]
    assert report.texts(".message-title") == [expected]
    report.open(result_of(suite.build()), anchor="#charts")
    assert report.problems() == []


def test_prints_the_list_without_its_controls(report: Report, shop: ScanResult) -> None:
    report.open(shop)
    report.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    visible = report.js(
        "return [...document.querySelectorAll('input, select, button')].filter((e) => e.offsetParent).length"
    )
    assert visible == 0
    assert report.js("return document.querySelectorAll('.card').length") == 2
    report.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_list_grows_by_pages(report: Report, large: Callable[..., ScanResult]) -> None:
    report.open(large(400, 1_200, findings=120), anchor="#clusters")
    rows = "return document.querySelectorAll('tr.cluster').length"
    assert report.js(rows) == PAGE_ROWS
    report.click(".pager .show-more")
    assert report.js(rows) == 3 * PAGE_ROWS
    assert report.texts(".pager span") == ["250 clusters left"]
    report.click("#tab-findings")
    assert len(report.texts(".card")) == PAGE_ROWS


@pytest.mark.heavy(seconds=20)
def test_sixty_five_thousand_clusters_are_usable(report: Report, large: Callable[..., ScanResult]) -> None:
    report.open(large(65_000, 1_100_000), anchor="#clusters")
    assert report.path.stat().st_size < 12_000_000
    assert report.texts("#count") == ["65,000 of 65,000 clusters of similar steps"]
    for words, expected in (("customer 64999", "1"), ("sloes", "9,285"), ("feature-777.feature", None), ("pear", None)):
        [counted] = report.search(words)
        assert counted.endswith(" of 65,000 clusters of similar steps")
        assert expected is None or counted.split(" ")[0] == expected
        assert report.js("return document.querySelectorAll('tr.cluster').length") <= PAGE_ROWS
    report.search("")
    report.click("th [data-sort=text]")
    assert report.texts("tr.cluster .step")[0].startswith("customer 0 puts")
    # The page holds a page of rows, not the report: a few thousand elements whatever the size.
    assert report.js("return document.querySelectorAll('*').length") < 2_000
    report.click("#tab-charts")
    assert len(report.texts("figure")) == 3
    assert report.problems() == []


def test_both_functions_stand_side_by_side_with_what_differs_marked(report: Report, tmp_path: Path) -> None:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    steps = "Feature: F\n  Scenario: S\n    When I sort the books by title\n    And I sort the books by price\n"
    (tmp_path / "features" / "a.feature").write_text(steps, "utf-8")
    functions = (
        f'@when("I sort the books by {name}")\ndef by_{name}(context):\n    context.shelf.sort("{name}")\n\n\n'
        for name in ("title", "price")
    )
    glue = "from behave import when\n\n\n" + "".join(functions)
    (tmp_path / "features" / "steps" / "steps.py").write_text(glue, "utf-8")
    result = scan([tmp_path], model=False)
    page = report.open(result)
    assert page.texts(".code summary")
    page.js("document.querySelector('.code').open = true")
    boxes = page.js(
        "return [...document.querySelectorAll('.code pre')].map(one => { const box = one.getBoundingClientRect();"
        " return [box.left, box.top, box.width, one.textContent]; })"
    )
    assert len(boxes) == 2
    assert boxes[0][1] == boxes[1][1]
    assert boxes[0][0] + boxes[0][2] <= boxes[1][0]
    assert 'context.shelf.sort("title")' in boxes[0][3]
    marked = page.texts(".code mark")
    assert {"by_title", "title", "by_price", "price"} == set(marked)


def test_claims_are_marked_and_each_definition_is_linked_once(report: Report, tmp_path: Path) -> None:
    (tmp_path / "features" / "steps").mkdir(parents=True)
    steps = "Feature: F\n  Scenario: S\n    Then the shelf is empty\n    Then the shelf is not empty\n"
    (tmp_path / "features" / "a.feature").write_text(steps, "utf-8")
    glue = "from behave import then\n\n\n" + "".join(
        f'@then("the shelf is {what}")\ndef {name}(context):\n    assert context.shelf.count() == 0\n\n\n'
        for name, what in (("empty", "empty"), ("filled", "not empty"))
    )
    (tmp_path / "features" / "steps" / "steps.py").write_text(glue, "utf-8")
    page = report.open(scan([tmp_path], model=False))
    assert page.texts(".card .rule") == ["A step definition may not do what it claims"]
    assert page.texts(".wording .differs") == ["not"]
    assert len(page.texts(".definitions .place")) == 2
    assert page.texts(".place-box .place") == []


@pytest.mark.parametrize("width", [380, 800, 1280])
def test_what_is_said_of_a_definition_stands_in_one_column(report: Report, shop: ScanResult, width: int) -> None:
    """A function's name does not wrap below the label, alone at the card's edge."""
    report.open(shop, width=width)
    rows = report.js(
        "const left = (e) => Math.round(Math.min(...[...e.getClientRects()].map((box) => box.left)));"
        "return [...document.querySelectorAll('.definitions li')].map((row) => [left(row.querySelector('.place')),"
        " ...[...row.querySelectorAll('.expression, .scenario')].map(left)])"
    )
    assert len(rows) == 2
    assert all(min(row) == row[0] for row in rows)
    outside = (
        "[...document.querySelectorAll('.tabs button')].filter((e) => e.getBoundingClientRect().right > innerWidth)"
    )
    assert report.js(f"return {outside}.length") == 0


def test_the_title_keeps_numbers_with_their_nouns(report: Report, shop: ScanResult) -> None:
    report.open(shop, width=380)
    title = report.js("return document.querySelector('h1').textContent")
    assert title == "3\N{NO-BREAK SPACE}things to look at: 2\N{NO-BREAK SPACE}warnings, 1\N{NO-BREAK SPACE}information."
