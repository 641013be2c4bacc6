"""Checks that feature files read the same with their new step texts.

Reading a whole file again is the exact check. If the official parser reads the file, a step's line alone decides how
the step is read: then reading the new lines in one scenario gives the same result in a fraction of the time.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.flavour import MARKDOWN_SUFFIX
from cukereuse_engine.gherkin.read import read_bytes, read_text
from cukereuse_engine.refactor.edits import edited_bytes, sorted_edits, step_edit
from cukereuse_engine.refactor.rename_plan import FileEdits, ReadSuites

Texts = Mapping[tuple[str, int], str]
"""Maps (path, offset of the step's text) to the new text."""


def misread(suites: ReadSuites, steps: Sequence[Step], texts: Texts, thorough: bool) -> Iterator[tuple[Step, str]]:
    """The steps that would be read differently, each with the reason. Raises `ChangedFileError`, `OSError`."""
    by_file: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        by_file[step.path].append(step)
    simple: dict[str, list[Step]] = defaultdict(list)
    for path, edited in by_file.items():
        file = suites.files[path]
        if thorough or path.lower().endswith(MARKDOWN_SUFFIX) or any(step.recovered for step in edited):
            reason = _whole(suites, file, edited, texts)
            if reason:
                yield edited[0], reason
        else:
            simple[file.language] += edited
    for language, edited in simple.items():
        yield from _lines(language, edited, texts)


def _whole(suites: ReadSuites, file: FeatureFile, steps: Sequence[Step], texts: Texts) -> str:
    edits = sorted_edits(step_edit(step, texts[step.path, step.span.start]) for step in steps)
    planned = FileEdits(file.path, file.content_hash, edits, False, file.encoding)
    after = read_bytes(file.path, edited_bytes(planned, suites.read(file.path)))
    touched = {step.line for step in steps}
    if len(after.steps) != len(file.steps):
        return f"{len(file.steps)} steps before, {len(after.steps)} after"
    shift = 0
    for old, new in zip(file.steps, after.steps, strict=True):
        text = texts.get((old.path, old.span.start), old.text)
        span = replace(old.span, start=old.span.start + shift, end=old.span.start + shift + len(text))
        shift += len(text) - len(old.text)
        if new != replace(old, text=text, span=span):
            return f"line {old.line} would be a different step: {new.keyword}{new.text}"
    if after.comments != file.comments or after.language != file.language:
        return "different comments or a different language"
    here = [error for error in file.errors if error.line not in touched]
    if here != [error for error in after.errors if error.line not in touched]:
        return "other warnings"
    return ""


def _lines(language: str, steps: Sequence[Step], texts: Texts) -> Iterator[tuple[Step, str]]:
    from gherkin.dialect import DIALECTS

    spec = DIALECTS[language]
    head = f"# language: {language}\n{spec['feature'][0]}:\n{spec['scenario'][0]}:\n"
    distinct = dict.fromkeys((step.keyword, texts[step.path, step.span.start]) for step in steps)
    body = "".join(f"{keyword}{text}\n" for keyword, text in distinct)
    read = read_text("", head + body)
    wanted = list(distinct)
    broken: set[tuple[str, str]] = set()
    if [(step.keyword, step.text) for step in read.steps] != wanted or any(step.recovered for step in read.steps):
        broken = {text for text in wanted if not _alone(head, text)}
    for step in steps:
        if (step.keyword, texts[step.path, step.span.start]) in broken:
            yield step, "the new text changes how its line is parsed"


def _alone(head: str, line: tuple[str, str]) -> bool:
    steps = read_text("", head + "".join(line) + "\n").steps
    return [(step.keyword, step.text) for step in steps] == [line] and not steps[0].recovered
