"""Findings about a suite's step definitions from their functions alone."""

from collections.abc import Mapping

from cukereuse_engine.definitions import SEARCHES
from cukereuse_engine.definitions.code import SAME, SUSPECT
from cukereuse_engine.definitions.one_definition import UNUSED
from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.findings.confidence import FindingOptions
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.bound import bound_functions
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.strategies.table import EXACT
from cukereuse_engine.text.words import detect_languages


def code_findings(
    suite: Suite, glue: Glue, functions: Functions, severities: Mapping[str, Severity] | None = None
) -> tuple[Finding, ...]:
    """The findings from the functions of a suite; texts are compared only as far as these need it."""
    languages = detect_languages(text.template.masked for text in suite.texts)
    judge = AdaptedJudge.for_bound_suite(suite.texts, bound_functions(suite.steps, glue))
    detection = detect(suite.texts, StrategyOptions(strategy=EXACT.name, languages=languages), judge=judge)
    options = FindingOptions(severities or {})
    context = Context(
        detection, suite.steps, glue.bind, judge, functions=functions, options=options, may_serve=glue.may_serve
    )
    findings = find(context, searches=SEARCHES)
    return tuple(finding for finding in findings if finding.rule in (SAME, SUSPECT, UNUSED))
