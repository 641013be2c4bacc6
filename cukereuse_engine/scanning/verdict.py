"""The verdict of a scan on one pair alone: how severely it reports the pair, or why it does not. A finding may combine
several pairs."""

from dataclasses import replace

import numpy as np

from cukereuse_engine.definitions.code import SUSPECT
from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.judged import KINDS
from cukereuse_engine.detection.objections import Effect, Pair, objections
from cukereuse_engine.detection.options import Detection, StrategyOptions
from cukereuse_engine.detection.rules import SearchScope, divergent, parametric, state_and_action
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.detection.units import by_template, units_of
from cukereuse_engine.findings.confidence import FindingOptions
from cukereuse_engine.findings.finding import FUNCTIONS, Finding
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.gherkin.read import read_text
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.judging.judge import Judge, Kind
from cukereuse_engine.prose import percent
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.bound import bound_functions
from cukereuse_engine.scanning.code_findings import code_findings
from cukereuse_engine.scanning.functions import functions_cache, load_functions
from cukereuse_engine.scanning.options import finding_options
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.scanning.why import Why
from cukereuse_engine.settings import Settings
from cukereuse_engine.strategies.table import STRATEGIES
from cukereuse_engine.suppression.apply import IgnorePatterns, suppress
from cukereuse_engine.suppression.code_pragmas import SourcePragmas
from cukereuse_engine.suppression.pragmas import Pragmas
from cukereuse_engine.text.guards import GUARDS
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.words import detect_languages

_RULES = (divergent.DEFINITION, divergent.WORDING, state_and_action.RULE)


def verdict(answer: Why, judge: Judge, suite: Suite, glue: Glue, settings: Settings, *, use_cache: bool) -> str:
    """Sentences without the last full stop: on the wordings, then on step definitions if a scan reports these.
    `settings`: the suite's."""
    told = _of_wordings(answer, judge, suite, glue, settings, use_cache=use_cache)
    findings = _of_definitions(answer, suite, glue, settings, use_cache=use_cache)
    is_divergent = f"({divergent.DEFINITION})" in told
    if is_divergent and any(finding.rule == SUSPECT for finding in findings):  # as in `told_once`
        told = "A scan reports nothing about the wordings"
    of_definitions = (
        f"Of their step definitions, it reports with severity {finding.severity.value} ({finding.rule}): "
        f"{finding.message.removesuffix('.')}"
        for finding in findings
        if finding.rule == SUSPECT or not is_divergent
    )
    return ". ".join((told, *of_definitions))


def _of_definitions(
    answer: Why, suite: Suite, glue: Glue, settings: Settings, *, use_cache: bool
) -> tuple[Finding, ...]:
    """The findings about the code of the two, if each has a definition of its own."""
    keys = {answer.left.template.key, answer.right.template.key}
    texts = tuple(text for text in suite.texts if text.template.key in keys)
    bound = bound_functions({text.identity: suite.steps[text.identity] for text in texts}, glue)
    sides = [{bound.get(text.identity) for text in texts if text.template.key == key} for key in keys]
    if len(keys) < 2 or not all(sides) or any(None in side for side in sides) or not sides[0].isdisjoint(sides[1]):
        return ()
    both = replace(suite, texts=texts, steps={text.identity: suite.steps[text.identity] for text in texts})
    functions = _functions(glue, settings, use_cache=use_cache)
    findings = code_findings(both, glue, functions, finding_options(settings).severities)
    about_both = [finding for finding in findings if len(finding.subjects) > 1]
    heard = suppress(about_both, Pragmas(suite.files), IgnorePatterns(settings.ignore), SourcePragmas(glue.definitions))
    return heard.findings


def _of_wordings(answer: Why, judge: Judge, suite: Suite, glue: Glue, settings: Settings, *, use_cache: bool) -> str:
    left, right, p = _used(answer.left, suite), _used(answer.right, suite), answer.judgement.p_one_intent
    options = finding_options(settings)
    if not STRATEGIES[settings.strategy].is_judged:
        return f"A scan uses the strategy {settings.strategy}, which ignores the probability below"
    if answer.left.identity == answer.right.identity:
        return "A scan reports nothing: both are the same text"
    are_used = left in suite.texts and right in suite.texts
    if left.template.key == right.template.key:
        context = _context(answer, judge, suite, glue, settings)
        served = [_definitions(context, text) for text in (left, right)]
        severity = options.severity(parametric.RULE)
        if are_used and all(served) and served[0].isdisjoint(served[1]) and severity is not Severity.OFF:
            return f"A scan reports this with severity {severity.value} ({parametric.RULE})"
        return "A scan reports nothing: their words are the same"
    if p < options.bars.hint:
        context = _context(answer, judge, suite, glue, settings)
        if not _definitions(context, left).isdisjoint(_definitions(context, right)):
            return "A scan reports nothing: one step definition serves both already"
        barred = "; ".join(GUARDS[guard] for guard in answer.judgement.barred_by)
        if barred:
            return f"A scan keeps these apart: {barred}"
        below = f"{percent(p, 1)} is below the threshold of {percent(options.bars.hint, 1)}"
        return f"A scan reports nothing about the wordings: {below}"
    if not are_used:
        would = _if_used(answer, suite, options)
        return f"A scan compares only steps of the suite; if it had both, without definitions, {would}"
    return _of_units(_context(answer, judge, suite, glue, settings), suite, glue, settings, use_cache=use_cache)


def _definitions(context: Context, text: StepText) -> set[str]:
    return {each.function_id for each in context.defined_for([text]).values()}


def _used(text: StepText, suite: Suite) -> StepText:
    """A text of the suite with the same template, if the suite does not contain the text itself."""
    like = [each for each in suite.texts if each.template.key == text.template.key]
    return text if text in like or not like else canonical(like)


def _context(answer: Why, judge: Judge, suite: Suite, glue: Glue, settings: Settings) -> Context:
    """The suite reduced to the texts of the two templates."""
    left, right = _used(answer.left, suite), _used(answer.right, suite)
    texts = tuple(text for text in suite.texts if text.template.key in (left.template.key, right.template.key))
    at = sorted(texts.index(text) for text in (left, right) if text in texts)
    pairs, kinds, cosine = ScoredPairs.empty(), np.empty(0, np.int8), np.empty(0)
    if len(at) == 2:
        kind = min(answer.judgement.kind, Kind.PARAPHRASE, key=KINDS.index)
        a, b = np.array(at, np.int32)[:, None]
        pairs, kinds = (
            ScoredPairs(a, b, np.array([answer.judgement.p_one_intent])),
            np.array([KINDS.index(kind)], np.int8),
        )
        cosine = np.array([answer.cosine or np.nan])
    detection = Detection(
        StrategyOptions(
            min_count=settings.min_count, languages=detect_languages(text.template.masked for text in suite.texts)
        ),
        texts,
        pairs=pairs,
        kinds=kinds,
        cosine=cosine if answer.cosine is not None else None,
    )
    bindings = glue.bind if glue.definitions else None
    return Context(detection, suite.steps, bindings, judge, options=finding_options(settings))


def _if_used(answer: Why, suite: Suite, options: FindingOptions) -> str:
    """What a scan would make of the two texts at most, whatever they carry and wherever they are."""
    scenarios = [f"Feature: a\n  Scenario: a\n    When {text.text}\n" for text in (answer.left, answer.right)]
    written = Suite.of("", [read_text(f"{number}.feature", text) for number, text in enumerate(scenarios)])
    languages = detect_languages(text.template.masked for text in suite.texts)
    context = Context(Detection(StrategyOptions(languages=languages), written.texts), written.steps)
    units = units_of(by_template(written.texts).values(), context)
    pair = Pair(units[0], units[-1])
    held = objections(pair) if len(units) == 2 else ()
    if any(objection.effect is Effect.APART for objection in held):
        return f"it would keep them apart: {held[0].says}"
    severity = options.severity_at(divergent.WORDING, answer.judgement.p_one_intent, doubted=bool(held))
    if severity is Severity.OFF:
        return "it would report nothing: the rule is off"
    reasons = dict.fromkeys(reason for objection in held for reason in objection.reasons(pair))
    return "; ".join([f"the severity would be at most {severity.value}", *reasons])


def _of_units(context: Context, suite: Suite, glue: Glue, settings: Settings, *, use_cache: bool) -> str:
    """The verdict on two texts of the suite that the judge accepts."""
    units = units_of(by_template(context.detection.texts).values(), context)
    if len(units) < 2:
        is_one = bool(units) and len(units[0].templates) > 1
        why = "one step definition serves both already" if is_one else "statements of Karate are not compared"
        return f"A scan reports nothing: {why}"
    pair = Pair(units[0], units[1])
    held = objections(pair)
    if any(objection.effect is Effect.APART for objection in held):
        return f"A scan keeps these apart: {held[0].says}"
    functions = _functions(glue, settings, use_cache=use_cache) if pair.apart else None
    found = find(replace(context, functions=functions), (SearchScope.CLUSTERS,))
    findings = [finding for finding in found if finding.rule in _RULES]
    if not findings:
        return _unreported(pair, context)
    heard = suppress(findings, Pragmas(suite.files), IgnorePatterns(settings.ignore), SourcePragmas(glue.definitions))
    if not heard.findings:
        return "A scan reports nothing: a pragma or the setting `ignore` silences it"
    finding = heard.findings[0]
    told = "; ".join(reason.text for reason in finding.reasons if reason.against or reason.id == FUNCTIONS)
    return f"A scan reports this with severity {finding.severity.value} ({finding.rule}){told and f': {told}'}"


def _unreported(pair: Pair, context: Context) -> str:
    """Why the rules report nothing although no objection keeps the two apart."""
    if len(pair.one.steps) + len(pair.other.steps) < context.detection.options.min_count:
        return "A scan reports nothing: fewer uses than `min_count`"
    if pair.apart and context.options.severity(divergent.DEFINITION) is not Severity.OFF:
        return "A scan keeps these apart: their functions do different things"
    return "A scan reports nothing: the rule is off"


def _functions(glue: Glue, settings: Settings, *, use_cache: bool) -> Functions:
    return load_functions(glue, jobs=settings.jobs or None, cache=functions_cache() if use_cache else None)
