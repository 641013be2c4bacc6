"""Blocks and scenarios that repeat in one suite, as a scan and `cukereuse blocks` find them."""

from collections import Counter
from collections.abc import Iterable, Iterator

from cukereuse_engine.blocks.block import STRICT, BlockLimits
from cukereuse_engine.blocks.findings import Repetition, find_repetition
from cukereuse_engine.blocks.short_forms import Shortenable, ShortForms, short_forms, shortenable, unfolding_of
from cukereuse_engine.blocks.symbols import scenarios_of
from cukereuse_engine.findings.finding import importance
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.refactor.edits import whole_source
from cukereuse_engine.refactor.rename_plan import read_from_disk
from cukereuse_engine.scanning.bound import meaning_of
from cukereuse_engine.scanning.options import repetition_options
from cukereuse_engine.scanning.result import SuiteScan
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.settings import Settings
from cukereuse_engine.suppression.apply import IgnorePatterns, suppress
from cukereuse_engine.suppression.pragmas import Pragmas


def repetition_of(
    suite: Suite, glue: Glue, settings: Settings, *, limits: BlockLimits = STRICT, progress: Progress = SILENT
) -> Repetition:
    """Blocks and scenarios that repeat in one suite. Raises `Cancelled` when `progress` does."""
    options = repetition_options(settings, limits)
    return find_repetition(
        (step for group in suite.steps.values() for step in group),
        read_from_disk,
        meaning=meaning_of(glue, [text.template for text in suite.texts]),
        shortenable=shortenable_in(suite, glue) if options.wants_blocks else (),
        options=options,
        progress=progress,
    )


def shortenable_in(suite: Suite, glue: Glue) -> list[Shortenable]:
    """Steps of the suite whose definition only runs other steps, and the places that write these out."""
    languages = {file.path: file.language for file in suite.files}
    scenarios = scenarios_of(step for group in suite.steps.values() for step in group if step.text)
    if not scenarios or not glue.definitions:
        return []

    def source_of(path: str) -> str:
        return whole_source(read_from_disk(path))

    unfolding = unfolding_of(glue, source_of)
    short = [form for form in short_forms(glue, unfolding, scenarios[0].steps[0]) if form is not None]
    if not short:
        return []
    forms = ShortForms(short, unfolding)
    spelled = (place for scenario in scenarios for place in forms.spelled_out(scenario, languages[scenario.path]))
    return shortenable(glue, spelled, scenarios)


def repetition_scan(
    suite: Suite, glue: Glue, settings: Settings, *, limits: BlockLimits = STRICT, progress: Progress = SILENT
) -> SuiteScan:
    """Only the repetition in one suite: no texts are compared. Raises `Cancelled`."""
    repetition = repetition_of(suite, glue, settings, limits=limits, progress=progress)
    remaining = suppress(
        sorted(repetition.findings, key=importance), Pragmas(suite.files), IgnorePatterns(settings.ignore)
    )
    return SuiteScan(
        root=suite.root,
        files=suite.files,
        texts=suite.texts,
        steps=suite.steps,
        clusters=(),
        findings=remaining.findings,
        suppressed=remaining.count,
        definitions=tuple(glue.own_definitions),
        glue_errors=(),
        blocks=repetition.blocks,
        shortenable=repetition.shortenable,
        more=repetition.more,
    )


def left_out(scans: Iterable[SuiteScan]) -> Iterator[str]:
    """Yields a note on the findings beyond the setting `repetition_limit`."""
    more: Counter[str] = Counter()
    for scanned in scans:
        more.update(scanned.more)
    if more:
        listed = ", ".join(f"{number:,} {rule}" for rule, number in more.items())
        commands = "`cukereuse blocks` and `cukereuse fold --all` list all"
        yield f"there is more repetition than is reported ({listed}): {commands}"
