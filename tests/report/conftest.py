"""Scans made by hand: small ones with every kind of content, hostile ones, and large ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest

from cukereuse_engine.detection.options import Cluster, cluster_id
from cukereuse_engine.findings.finding import Finding, Reason, Subject, Wording, importance, places_of
from cukereuse_engine.gherkin.feature import FeatureFile, KeywordType, ReadError, Span, Step
from cukereuse_engine.glue.definition import ExpressionKind, GlueError, SourceSpan, StepDefinition
from cukereuse_engine.judging.judge import Kind
from cukereuse_engine.rules import RULES, Severity
from cukereuse_engine.scanning.result import ScanResult, SuiteScan
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from tests.report.browser import browser, report

__all__ = ["browser", "report"]


def make_step(text: str, path: str, line: int, *, keyword: str = "Given ", scenario: str = "Shopping") -> Step:
    column = 5 + len(keyword)
    return Step(
        path=path,
        text=text,
        span=Span(line, column, line * 50, line * 50 + len(text)),
        keyword=keyword,
        keyword_type=KeywordType.CONTEXT,
        resolved_type=KeywordType.CONTEXT,
        feature="Shop",
        rule=None,
        scenario=scenario,
        scenario_line=1,
        tags=(),
        is_background=False,
        is_outline=False,
        examples=(),
        argument=None,
    )


def make_definition(expression: str, path: str, line: int, function: str = "step") -> StepDefinition:
    span = SourceSpan(path, 0, len(expression), line, 7, line, 9 + len(expression))
    return StepDefinition(
        expression=expression,
        kind=ExpressionKind.CUCUMBER,
        keyword_types=frozenset(),
        keyword="Given",
        language="ruby",
        framework="cucumber-ruby",
        literal=span,
        source_literal=repr(expression),
        function=None,
        function_name=function,
    )


@dataclass
class SuiteBuilder:
    """Gathers steps by file, then groups and pairs them as a test needs it."""

    root: str = "shop"
    steps: dict[str, list[Step]] = field(default_factory=dict)
    errors: list[ReadError] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    definitions: list[StepDefinition] = field(default_factory=list)
    glue_errors: list[GlueError] = field(default_factory=list)
    suppressed: int = 0
    empty_files: list[str] = field(default_factory=list)

    def add(self, text: str, path: str, lines: Sequence[int], **values: str) -> None:
        text = normalise(text)
        self.steps.setdefault(identity(text), []).extend(make_step(text, path, line, **values) for line in lines)

    def text(self, text: str) -> StepText:
        text = normalise(text)
        return StepText(text, identity(text), template(text), len(self.steps[identity(text)]))

    def cluster(
        self, *texts: str, kind: Kind = Kind.EXACT, strategy: str = "auto", reasons: Sequence[str] = ()
    ) -> Cluster:
        made = Cluster(
            id=cluster_id(map(identity, texts)),
            strategy=strategy,
            kind=kind,
            canonical=normalise(texts[0]),
            texts=tuple(map(self.text, texts)),
            score=1.0 if len(texts) == 1 else 0.9,
            reasons=tuple(reasons),
        )
        self.clusters.append(made)
        return made

    def subject(self, text: str, definitions: Sequence[StepDefinition] = ()) -> Subject:
        text = normalise(text)
        steps = self.steps[identity(text)]
        wording = Wording(text, template(text), len(steps))
        return Subject(text, text, len(steps), places_of(steps), tuple(definitions), (wording,))

    def finding(
        self,
        others: str | Sequence[str],
        preferred: str | None,
        *,
        rule: str = "divergent-wording",
        severity: Severity | None = None,
        confidence: float | None = 0.93,
        kind: Kind | None = Kind.REWORDED,
        reasons: Sequence[str] = ("only the verb differs",),
        definitions: Mapping[str, Sequence[StepDefinition]] | None = None,
    ) -> Finding:
        defined = definitions or {}
        others = (others,) if isinstance(others, str) else others
        made = Finding(
            rule=rule,
            severity=severity or RULES[rule].severity,
            message=f"\u201c{preferred}\u201d says this already.",
            others=tuple(self.subject(other, defined.get(other, ())) for other in others),
            preferred=None if preferred is None else self.subject(preferred, defined.get(preferred, ())),
            confidence=confidence,
            kind=kind,
            reasons=tuple(Reason("judge", reason) for reason in reasons),
            cluster_id=cluster_id(map(identity, filter(None, (*others, preferred)))),
        )
        self.findings.append(made)
        return made

    def build(self) -> SuiteScan:
        paths = {step.path for steps in self.steps.values() for step in steps}
        paths |= {error.path for error in self.errors} | set(self.empty_files)
        files = []
        for path in sorted(paths):
            mine = tuple(step for steps in self.steps.values() for step in steps if step.path == path)
            errors = tuple(error for error in self.errors if error.path == path)
            files.append(FeatureFile(path, "en", "utf-8", mine, errors, (), "0" * 32))
        return SuiteScan(
            root=self.root,
            files=tuple(files),
            texts=tuple(self.text(steps[0].text) for steps in self.steps.values()),
            steps={key: tuple(steps) for key, steps in self.steps.items()},
            clusters=tuple(self.clusters),
            findings=tuple(sorted(self.findings, key=importance)),
            suppressed=self.suppressed,
            definitions=tuple(self.definitions),
            glue_errors=tuple(self.glue_errors),
        )


def make_result(
    *suites: SuiteScan, strategy: str = "auto", notes: Sequence[str] = (), model: str | None = None
) -> ScanResult:
    return ScanResult(tuple(suites), strategy, {"threshold": 0.7, "guards": True}, model, tuple(notes))


def make_shop() -> ScanResult:
    """Two findings, four clusters, one unread place, step definitions."""
    suite = SuiteBuilder(suppressed=1)
    suite.add("I am on the sign-in page", "shop/features/login.feature", [4, 12, 20])
    suite.add('I log in as "ada"', "shop/features/login.feature", [5, 13])
    suite.add('I log in as "grace"', "shop/features/basket.feature", [6, 14], scenario="Fill a basket")
    suite.add('the customer "ada" signs in', "shop/features/orders.feature", [9], keyword="When ")
    suite.add("my basket holds 3 pears", "shop/features/basket.feature", [7], keyword="And ")
    suite.add("there are 3 pears in my basket", "shop/features/orders.feature", [10, 30], keyword="Then ")
    suite.add("the receipt is printed", "shop/features/orders.feature", [11])
    suite.errors.append(
        ReadError("shop/features/broken.feature", 7, 3, "A table row with 2 cells where 3 are expected.")
    )
    log_in = make_definition("I log in as {string}", "shop/steps/login.rb", 3, "log_in")
    sign_in = make_definition("the customer {string} signs in", "shop/steps/orders.rb", 8, "sign_in")
    suite.definitions += [log_in, sign_in]
    suite.glue_errors.append(GlueError("shop/steps/orders.rb", 20, 7, "The expression is computed."))
    suite.cluster(
        'I log in as "ada"',
        'I log in as "grace"',
        'the customer "ada" signs in',
        kind=Kind.PARAPHRASE,
        reasons=["same meaning in other words"],
    )
    suite.cluster("there are 3 pears in my basket", "my basket holds 3 pears", kind=Kind.REWORDED)
    suite.cluster("I am on the sign-in page")
    suite.finding(
        'the customer "ada" signs in',
        'I log in as "ada"',
        rule="divergent-definition",
        definitions={'the customer "ada" signs in': [sign_in], 'I log in as "ada"': [log_in]},
    )
    suite.finding(
        "my basket holds 3 pears", "there are 3 pears in my basket", confidence=0.81, reasons=["order of words"]
    )
    return make_result(suite.build(), notes=["Only wordings are compared: the model is not installed."])


HOSTILE = [
    "</script><script>document.title='owned'</script>",
    '<img src=x onerror="document.title=1"> & <b>bold</b>',
    "I pay \u202e001 sruoE\u202c to the bank",
    "zero\u200bwidth and \u2028 line and a\u00a0blank",
    "café au lait",
    "cafe\u0301 au lait",
    "\x1b[31mred\x1b[0m and \x07 bell",
    "::error file=x::%0A injected",
    "[link](http://example.invalid) | `code` | *bold*",
    "السلام عليكم يا صديقي",
    "买 3 个苹果",
    "👩‍👩‍👧 buys 3 🍐",
    "<!--",
    "${alert(1)} {{constructor}}",
    "\\u202e \\ 'quoted' \"twice\"",
    "]]>",
    "lone \ud800 surrogate",
]


def make_hostile() -> ScanResult:
    """Texts, paths and names that break out of encodings, markups and terminals."""
    suite = SuiteBuilder(root="we<ird & \u202edir")
    paths = [
        "a#b/100%.feature",
        "with space/ünï.feature",
        "<script>.feature",
        "caf\udce9.feature",
        "javascript:alert(1).feature",
    ]
    for position, text in enumerate(HOSTILE):
        path = paths[position % len(paths)]
        suite.add(text, path, [position + 3, position + 40], scenario=HOSTILE[-1 - position])
        suite.cluster(text, reasons=[text])
    for one, other in pairwise(HOSTILE):
        suite.finding(one, other, reasons=[one])
    suite.errors.append(ReadError("caf\udce9.feature", 0, 0, "Unreadable: \x1b[31m </script>"))
    return make_result(suite.build(), notes=["<script>note</script> \u202e"])


def make_large(clusters: int, steps: int, findings: int = 500) -> ScanResult:
    """`clusters` clusters over about `steps` steps, with sizes proportional to 1/rank."""
    suite = SuiteBuilder(root="large")
    weights = sum(1 / (rank + 1) for rank in range(clusters))
    line = 0
    files = max(1, steps // 60)
    things = ["pear", "plum", "fig", "quince", "medlar", "sloe", "damson"]
    for rank in range(clusters):
        size = max(2, int((steps - 2 * clusters) / weights / (rank + 1)) + 2)
        text = f'customer {rank} puts {rank % 9 + 1} {things[rank % 7]}s in basket "{rank % 31}"'
        made = []
        for _ in range(size):
            line += 1
            file = (line * 7919) % files
            made.append(
                make_step(
                    text,
                    f"large/area-{file % 40}/feature-{file}.feature",
                    line % 900 + 3,
                    scenario=f"Case {line % 5000}",
                )
            )
        suite.steps[identity(text)] = made
        suite.cluster(text, kind=list(Kind)[rank % 4])
    texts = [steps[0].text for steps in suite.steps.values()]
    for one, other in zip(texts[-findings:], texts, strict=False):
        suite.finding(one, other, confidence=0.7)
    files_made = tuple(
        FeatureFile(f"large/area-{file % 40}/feature-{file}.feature", "en", "utf-8", (), (), (), "0" * 32)
        for file in range(files)
    )
    suite_steps, suite.steps = suite.steps, {}
    built = suite.build()
    suite.steps = suite_steps
    texts_made = tuple(
        StepText(c.canonical, c.texts[0].identity, c.texts[0].template, c.texts[0].occurrences) for c in suite.clusters
    )
    return make_result(
        replace(
            built, files=files_made, texts=texts_made, steps={key: tuple(value) for key, value in suite_steps.items()}
        )
    )


@pytest.fixture(scope="session")
def shop() -> ScanResult:
    return make_shop()


@pytest.fixture(scope="session")
def hostile() -> ScanResult:
    return make_hostile()


@pytest.fixture(scope="session")
def large() -> Callable[..., ScanResult]:
    return make_large


@pytest.fixture(scope="session")
def suite_builder() -> type[SuiteBuilder]:
    return SuiteBuilder


@pytest.fixture(scope="session")
def result_of() -> Callable[..., ScanResult]:
    return make_result
