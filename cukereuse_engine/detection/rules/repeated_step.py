"""repeated-step: a step appears twice in one scenario, with no step of another type between, and with nothing
attached."""

from collections.abc import Iterable

from cukereuse_engine.detection.context import Context
from cukereuse_engine.detection.rules.one_text import of_text
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.gherkin.feature import Step
from cukereuse_engine.grouped import grouped
from cukereuse_engine.text.identity import identity


def find(context: Context) -> Iterable[Finding]:
    scenarios = grouped(((step.path, step.scenario_line), step) for steps in context.steps.values() for step in steps)
    twice: dict[str, list[tuple[Step, Step]]] = {}
    for place in sorted(scenarios):
        block: dict[str, Step] = {}
        last = None
        for step in sorted(scenarios[place], key=lambda step: step.line):
            if step.resolved_type != last:
                block, last = {}, step.resolved_type
            key = identity(step.text)
            if step.argument is None and key in block:
                twice.setdefault(key, []).append((block[key], step))
            elif step.argument is None:
                block[key] = step
    for key, pairs in twice.items():
        first, steps = zip(*pairs, strict=True)
        yield of_text(context, "repeated-step", context.texts[key], steps, "appears twice in one scenario", first)
