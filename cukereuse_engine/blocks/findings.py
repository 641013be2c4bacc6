"""Repetition as findings: duplicate-scenario, foldable-scenarios, common-background, repeated-block.

Reports only the most worthwhile findings of each rule, as many as the settings allow. The others are counted;
`cukereuse blocks` and `cukereuse fold --all` list them.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from cukereuse_engine.blocks import block as blocks_model
from cukereuse_engine.blocks.block import Block
from cukereuse_engine.blocks.duplicates import Duplicates, duplicates
from cukereuse_engine.blocks.folding import FeatureSources, Read, foldable, takes_out
from cukereuse_engine.blocks.mine import find_blocks
from cukereuse_engine.blocks.options import BACKGROUND, BLOCK, DUPLICATE, FOLDABLE, RepetitionOptions
from cukereuse_engine.blocks.short_forms import Shortenable
from cukereuse_engine.blocks.symbols import Meaning, Scenario, by_template, remembering, scenarios_of
from cukereuse_engine.blocks.worthy import LIKELY, NEARLY, confidence_of_outline
from cukereuse_engine.findings.finding import Finding, Place, Reason, Subject
from cukereuse_engine.findings.messages import quoted
from cukereuse_engine.gherkin.feature import KeywordType, Step
from cukereuse_engine.gherkin.karate import karate_files
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.prose import counted, percent
from cukereuse_engine.refactor.feature_scenarios import FoldKind, FoldSuggestion, Least
from cukereuse_engine.rules import REPETITION_RULES, Severity
from cukereuse_engine.storage.blob_store import Blobs

_LEAST_SAVED_BY_FOLDING = 4
_LEAST_FOLDED = 3
"""The number of scenarios from which an Outline or a Background is a finding: two rarely read better with it."""
_RULES = {FoldKind.OUTLINE: FOLDABLE, FoldKind.BACKGROUND: BACKGROUND}
LEAST = {
    FoldKind.OUTLINE: Least(
        _LEAST_FOLDED, next(lines for lines in count(_LEAST_SAVED_BY_FOLDING) if confidence_of_outline(lines) >= LIKELY)
    ),
    FoldKind.BACKGROUND: Least(_LEAST_FOLDED, _LEAST_SAVED_BY_FOLDING),
}
"""What a scan reports of the foldable: the confidence from which a maintainer would rather follow a finding."""
_LEAST_SAVED_BY_SHORT_FORM = 2
_OTHERS = 0.8
"""The confidence in a duplicate, a Background and a spelled-out short form: of 70 such findings, two people would act
on .84."""
_IN_MARKS = re.compile(r"""(["'])((?:(?!\1).)+)\1""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Repetition:
    findings: tuple[Finding, ...] = ()
    blocks: tuple[Block, ...] = ()
    """All blocks within the strict limits, by expected worth, including those in findings."""
    shortenable: tuple[Shortenable, ...] = ()
    """Short forms of the suite, with the places that spell them out."""
    more: Mapping[str, int] = field(default_factory=dict)
    """Maps a rule to the number of its findings beyond the limit."""


def find_repetition(
    steps: Iterable[Step],
    read: Read,
    *,
    meaning: Meaning = by_template,
    shortenable: Sequence[Shortenable] = (),
    options: RepetitionOptions | None = None,
    cache: Blobs | None = None,
    progress: Progress = SILENT,
) -> Repetition:
    """The repetition in one suite. `read` gives the bytes of a feature file or of a source, or raises `OSError`;
    `shortenable` is added to the findings; `cache` is used by `FeatureSources` and `find_blocks`. Raises `Cancelled`
    when `progress` does."""
    options = options or RepetitionOptions()
    wanted = [rule for rule in REPETITION_RULES if options.severity(rule) is not Severity.OFF]
    if not wanted:
        return Repetition()
    meaning = remembering(meaning)
    all_scenarios = _scenarios(steps)
    scenarios = [scenario for scenario in all_scenarios if not scenario.is_karate]
    sources = FeatureSources(read, cache)
    by_rule: dict[str, list[Finding]] = {rule: [] for rule in wanted}
    if DUPLICATE in by_rule:
        groups = _unexplained(duplicates(scenarios, sources.attached, meaning), sources)
        by_rule[DUPLICATE] = [_duplicate(group, options) for group in groups]
    suggestions = list(foldable(scenarios, sources, _least(wanted)))
    for suggestion in suggestions:
        rule = _RULES[suggestion.kind]
        by_rule[rule].append(_folded(rule, suggestion, scenarios, options))
    sources.save()
    blocks: list[Block] = []
    if BLOCK in by_rule:
        blocks = find_blocks(
            all_scenarios, meaning=meaning, limits=options.limits, cache=cache, read=read, progress=progress
        )
        by_rule[BLOCK] = [_block(block, options) for block in _likely(blocks, suggestions)]
        by_rule[BLOCK] += [_short_form(short, options) for short in _worth_telling(shortenable)]
    findings, more = _limited(by_rule, options.limit)
    return Repetition(findings, tuple(blocks), tuple(shortenable), more)


def _scenarios(steps: Iterable[Step]) -> list[Scenario]:
    steps = [step for step in steps if step.text]
    return scenarios_of(steps, karate_files(steps))


def _least(wanted: Collection[str]) -> dict[FoldKind, Least]:
    """The minimum of a suggestion, for each kind that the wanted rules report."""
    return {kind: LEAST[kind] for kind, rule in _RULES.items() if rule in wanted}


def _unexplained(groups: Iterable[Duplicates], sources: FeatureSources) -> Iterator[Duplicates]:
    """Groups of scenarios that nothing tells apart: under other tags they are mostly run in another way, in another
    browser say."""
    for group in groups:
        if group.same_tags:
            group = _without_explained(group, sources)
            if len(group.scenarios) > 1:
                yield group


def _limited(by_rule: Mapping[str, Sequence[Finding]], limit: int) -> tuple[tuple[Finding, ...], Mapping[str, int]]:
    """The findings within the limit, and the number of further ones by rule."""
    findings: list[Finding] = []
    more = {}
    for rule, group in by_rule.items():
        ordered = sorted(group, key=lambda finding: (-finding.expected_worth, finding.fingerprint))
        kept = ordered[: limit or None]
        findings += kept
        if len(group) > len(kept):
            more[rule] = len(group) - len(kept)
    return tuple(findings), more


def _likely(blocks: Iterable[Block], suggestions: Sequence[FoldSuggestion]) -> list[Block]:
    """The blocks that a maintainer would probably take out and that folding scenarios would not remove; if there are
    none, the best block if it is nearly as good."""
    nearly = [
        block
        for block in blocks
        if block.confidence >= NEARLY and not any(takes_out(suggestion, block) for suggestion in suggestions)
    ]
    likely = [block for block in nearly if block.confidence >= LIKELY]
    return likely or sorted(nearly, key=lambda block: (-block.confidence, block.id))[:1]


def _worth_telling(shortenable: Iterable[Shortenable]) -> Iterator[Shortenable]:
    """Yields the short forms without those places that are their scenario's subject."""
    for short in shortenable:
        spelled = tuple(spelled for spelled in short.spelled if not _is_subject(spelled.place))
        told = replace(short, spelled=spelled)
        if told.steps_saved >= _LEAST_SAVED_BY_SHORT_FORM:
            yield told


def _is_subject(place: blocks_model.BlockPlace) -> bool:
    """True if a place is the whole scenario except for its setup."""
    steps = place.scenario.steps
    is_end = place.start + place.length == len(steps)
    return is_end and all(step.resolved_type is KeywordType.CONTEXT for step in steps[: place.start])


def _title(scenario: Scenario) -> Place:
    """The place of a scenario's first step: the line of its title is not read."""
    return Place.of_step(scenario.steps[0])


def _without_explained(group: Duplicates, sources: FeatureSources) -> Duplicates:
    """The group without scenarios whose comments say why they are repeated."""
    first, *others = group.scenarios
    comments = set(_comments(first, sources))
    return replace(
        group, scenarios=(first, *(each for each in others if comments.issuperset(_comments(each, sources))))
    )


def _comments(scenario: Scenario, sources: FeatureSources) -> Iterator[str]:
    """Yields the comments above a scenario's title and tags, and inside it."""
    source = sources[scenario.path]
    if source is None or not source.comments:
        return
    line = scenario.line - 1
    while line and (line in source.comments or source.lines[line - 1].strip()[:1] in ("", "@")):
        line -= 1
    for number in sorted(source.comments):
        if line < number <= scenario.steps[-1].line:
            yield source.lines[number - 1].strip()


def _duplicate(group: Duplicates, options: RepetitionOptions) -> Finding:
    first, *others = group.scenarios
    reasons = [Reason("same-steps", f"{group.steps} steps with the same arguments")]
    if not group.same_words:
        reasons.append(Reason("other-words", "in different words, with the same step definitions"))
    rest = f" and {len(others) - 1} more" if len(others) > 1 else ""
    verb = "run" if rest else "runs"
    message = f"{quoted(others[0].name)}{rest} {verb} the same {group.steps} steps as {quoted(first.name)}."
    return Finding(
        rule=DUPLICATE,
        severity=options.severity(DUPLICATE),
        message=message,
        others=tuple(_scenario(scenario) for scenario in others),
        preferred=_scenario(first),
        confidence=_OTHERS,
        worth=group.steps * len(others),
        reasons=tuple(reasons),
    )


def _scenario(scenario: Scenario) -> Subject:
    identity = f"{scenario.steps[0].feature}\0{scenario.name}"
    return Subject(scenario.name or scenario.steps[0].text, identity, len(scenario.steps), (_title(scenario),))


def _folded(
    rule: str, suggestion: FoldSuggestion, scenarios: Sequence[Scenario], options: RepetitionOptions
) -> Finding:
    members = [
        scenario
        for scenario in scenarios
        if scenario.path == suggestion.path
        and suggestion.line <= scenario.line <= suggestion.last_line
        and not scenario.is_background
    ]
    first = members[0].steps[0]
    shared = members[0].steps[: suggestion.steps]
    saves, lines = suggestion.lines_saved, counted(suggestion.lines_saved, "line")
    command = "outline" if rule == FOLDABLE else "background"
    identity = "\n".join((first.feature, first.rule or "", *(step.text for step in shared)))
    name = members[0].name if rule == FOLDABLE else "; ".join(step.text for step in shared)
    return Finding(
        rule=rule,
        severity=options.severity(rule),
        message=f"{suggestion.message}. It saves {lines}: `cukereuse fold --{command}`.",
        others=(Subject(name, identity, suggestion.steps * len(members), tuple(map(_title, members))),),
        confidence=confidence_of_outline(saves) if rule == FOLDABLE else _OTHERS,
        worth=saves,
        reasons=(Reason("saves", f"saves {lines}"),),
    )


def _block(block: Block, options: RepetitionOptions) -> Finding:
    places = tuple(map(_place, block.places))
    first, last = block.steps[0].text, block.steps[-1].text
    files = f"{len(block.files)} files" if len(block.files) > 1 else "one file"
    return Finding(
        rule=BLOCK,
        severity=_severity(block.steps_saved, options),
        message=(
            f"{block.length} steps, {quoted(first)} to {quoted(last)}, recur in {block.scenarios} scenarios "
            f"of {files}: replacing them with one step would save {counted(block.steps_saved, 'line')}."
        ),
        others=(Subject(" / ".join(step.text for step in block.steps), block.id, len(places) * block.length, places),),
        confidence=block.confidence,
        worth=block.steps_saved,
        reasons=tuple(reasons_for(block)),
    )


def _short_form(short: Shortenable, options: RepetitionOptions) -> Finding:
    definition, first = short.form.definition, short.spelled[0]
    places = tuple(_place(place.place) for place in short.spelled)
    steps = sum(place.place.length for place in short.spelled)
    return Finding(
        rule=BLOCK,
        severity=_severity(short.steps_saved, options),
        message=f"{quoted(first.text)} does the same as these {first.place.length} steps: its step definition only "
        "runs them.",
        others=(Subject(" / ".join(step.text for step in first.place.steps), short.id, steps, places),),
        preferred=Subject(
            definition.shown, definition.expression, short.uses, (Place.of_definition(definition),), (definition,)
        ),
        confidence=_OTHERS,
        worth=short.steps_saved,
        reasons=(Reason("saves", f"saves {counted(short.steps_saved, 'line')}"),),
    )


def _severity(saved: int, options: RepetitionOptions) -> Severity:
    severity = options.severity(BLOCK)
    return Severity.INFORMATION if saved >= options.worth and severity is Severity.HINT else severity


def _place(place: blocks_model.BlockPlace) -> Place:
    first, last = place.steps[0], place.steps[-1]
    return Place(place.path, place.line, first.column, place.last_line, last.span.end_column, first)


def reasons_for(block: Block) -> Iterable[Reason]:
    """The reasons for and against a block."""
    yield Reason("saves", f"saves {counted(block.steps_saved, 'line')}")
    cohesion = block.shape.cohesion
    reason = "its rarest step is used only in these places"
    if cohesion < 1:
        reason = f"{percent(cohesion)} of the uses of its rarest step are in these places"
    yield Reason("cohesion", reason, cohesion)
    if block.parameters:
        names = "; ".join(f"{parameter.name} ({shown_values(parameter.values)})" for parameter in block.parameters)
        count = len(block.parameters)
        reason = "one argument varies" if count == 1 else f"{count} arguments vary"
        yield Reason("parameters", f"{reason}: {names}", against=count > 1)
    if block.shape.generated >= 0.5:
        yield Reason("generated", "hundreds of scenarios have the same structure; they may be generated", against=True)


def shown_values(values: Sequence[str]) -> str:
    """The three most frequent values, without their quotation marks, which `{string}` captures too."""
    more = f" and {len(values) - 3:,} more" if len(values) > 3 else ""
    marked = [(_IN_MARKS.fullmatch(value), value) for value in values[:3]]
    return ", ".join(quoted(match.group(2) if match is not None else value) for match, value in marked) + more
