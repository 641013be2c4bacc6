"""Plans the replacement of a block of Karate's statements by a called scenario.

The block becomes a scenario of a new feature file beside its first place, tagged `@ignore` so that only calls run it.
`call read('…')` without a variable for its result shares variables and configuration with its caller, in both
directions, but not a request that was begun. Literals that differ between places become arguments of the same name.

The plan is valid only if every scenario of the files has the same statements before and after; its calls of the new
file are read from what is written, and replaced by that file's statements.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from cukereuse_engine.blocks.block import Block, BlockPlace
from cukereuse_engine.blocks.cut_places import LeftOutPlace, NoExtractionError
from cukereuse_engine.blocks.extraction_plan import ExtractionPlan
from cukereuse_engine.blocks.karate.statements import is_answered_apart, is_open, is_part_of_request, sends, sets_url
from cukereuse_engine.blocks.replacing import replaced
from cukereuse_engine.blocks.symbols import Scenario, scenarios_of
from cukereuse_engine.gherkin.decode import decode
from cukereuse_engine.gherkin.feature import FeatureFile, Step
from cukereuse_engine.gherkin.read import content_hash, read_bytes
from cukereuse_engine.refactor.arguments import masked_arguments
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.outline import said_name
from cukereuse_engine.refactor.rename_plan import FileEdits, ReadSuites, TextEdit
from cukereuse_engine.text.template import SlotType, arguments

_EXPRESSION = re.compile(
    r"(?:def \w+ ?= ?|(?:param|header|cookie|form field) \S+ ?= ?|(?:url|path|request|print|assert) "
    r"|match (?:each )?[^\s'\"]+ (?:==|!=|!?contains(?: only| any| deep)?) )"
)
"""The beginning of an expression, in which a variable may replace a literal."""
_NO_SCRIPT = re.compile(r"[{\[<$]|(?:call|callonce|get|read)\b")
"""The beginnings of values that are no JavaScript."""
_PATH_OR_PATTERN = re.compile(r"/|\.\.|\*\]|\[\?")
"""XPath, JSONPath and regular expressions outside of literals; variables are not read there."""
_BOUND_TO_ITS_PLACE = re.compile(
    r"\bcallonce\b|\b__\w+|\bkarate\.(?:abort|callonce|callSingle|feature|info|prevRequest|scenario\w*|setup\w*|tags\w*)\b"
    r"|configure (?:after\w+|driver)|(?:driver|robot|listen|signal)\b"
)
"""Statements with another meaning in a called scenario."""
_PATH = re.compile(r"""['"]([^'"]*\.(?:feature|js|json|xml|csv|txt|yaml|yml|graphql|sql)(?:@[\w-]+)?)['"]""")
_READS = re.compile(r"\bread(?:As\w+)?\s*[(:]")
_ELSEWHERE = re.compile(r"(?:classpath|file|https?):")
_PLACEHOLDER = re.compile(r"<[^<>\s/]+>")
"""A placeholder of an Outline: a column, which Examples that are read at run time may have without naming it."""
_CALL = re.compile(r"call read\('(?P<path>[^']+)'\)(?: (?P<arguments>\{.*\}))?")
_PASSED = re.compile(r"(\w+): ('[^']*'|-?[\d.]+)")


@dataclass(frozen=True, slots=True)
class _Said:
    """A place whose statements are cut at their literals."""

    place: BlockPlace
    frames: tuple[tuple[str, ...], ...]
    values: tuple[tuple[str, ...], ...]
    """For each statement, its literals as written."""

    @property
    def folder(self) -> str:
        return os.path.dirname(self.place.path)  # noqa: PTH120

    @classmethod
    def of(cls, place: BlockPlace) -> "_Said":
        frames, values = [], []
        for step in place.steps:
            parts, inside, at = [], [], 0
            for argument in arguments(step.text):
                if argument.type is SlotType.JSON or argument.text.startswith("<"):
                    continue
                parts.append(step.text[at : argument.start])
                inside.append(argument.text)
                at = argument.end
            frames.append((*parts, step.text[at:]))
            values.append(tuple(inside))
        return cls(place, tuple(frames), tuple(values))


def plan_karate_extraction(block: Block, suites: ReadSuites, name: str | None = None) -> ExtractionPlan:
    """`name`: of the new scenario; if it is None, one is proposed. Raises `NoExtractionError` with the reason if there
    is no plan, `ChangedFileError`, `OSError`."""
    places, left_out = _usable(block, suites)
    parameters = _parameters(places, suites)
    title = name or _title(places[0])
    path = _new_path(places[0].place.path, title, suites)
    call = {cut_place.place: _call(cut_place, path, parameters) for cut_place in places}
    files = [*_feature_edits(call, suites), _new_feature(path, title, places[0], parameters, suites)]
    _check(files, path, suites)
    wording = call[places[0].place]
    return ExtractionPlan(wording, tuple(files), tuple(call), tuple(left_out))


def _usable(block: Block, suites: ReadSuites) -> tuple[list[_Said], list[LeftOutPlace]]:
    """The places with the same words apart from their literals; if there are several sets, the largest."""
    scenarios = _scenarios(suites, block.files)
    usable: list[_Said] = []
    left_out: list[LeftOutPlace] = []
    for place in block.places:
        reason = _objection(place, _before(place, scenarios), suites.files[place.path])
        if reason:
            left_out.append(LeftOutPlace(place, reason))
        else:
            usable.append(_Said.of(place))
    if not usable:
        raise NoExtractionError(left_out[0].reason)
    frames, _ = Counter(said.frames for said in usable).most_common(1)[0]
    alike, others = _parted(usable, lambda said: said.frames == frames)
    left_out += [LeftOutPlace(said.place, "its words differ") for said in others]
    file = next((text for step in alike[0].place.steps for text in _files_of_its_folder(step.text)), "")
    kept, others = _parted(alike, lambda said: not file or said.folder == alike[0].folder)
    left_out += [LeftOutPlace(said.place, f"{file} is another file from there") for said in others]
    if len(kept) < 2:
        raise NoExtractionError("the new scenario could be called in only one place")
    return kept, left_out


def _parted(places: Iterable[_Said], holds: Callable[[_Said], bool]) -> tuple[list[_Said], list[_Said]]:
    """The places for which `holds` is true, and the others."""
    parts: tuple[list[_Said], list[_Said]] = [], []
    for place in places:
        parts[not holds(place)].append(place)
    return parts


def _files_of_its_folder(text: str) -> list[str]:
    """The files that a statement reads by a path relative to its folder; the statement itself if the path is
    computed."""
    paths = _PATH.findall(text) or (re.findall(r"['\"]([^'\"]*)['\"]", text) or [text] if _READS.search(text) else [])
    return [path for path in paths if not _ELSEWHERE.match(path)]


def _scenarios(suites: ReadSuites, paths: Iterable[str]) -> dict[str, list[Scenario]]:
    return {path: scenarios_of(step for step in suites.files[path].steps if step.text) for path in paths}


def _before(place: BlockPlace, scenarios: Mapping[str, Sequence[Scenario]]) -> list[str]:
    """The statements before a place: those of Backgrounds, and the scenario's own."""
    own = place.scenario
    rule = own.steps[0].rule
    opening = [
        step.text
        for scenario in scenarios[place.path]
        if scenario.is_background and not own.is_background and scenario.steps[0].rule in (None, rule)
        for step in scenario.steps
    ]
    return [*opening, *(step.text for step in own.steps[: place.start])]


def _objection(place: BlockPlace, before: Sequence[str], file: FeatureFile) -> str:
    """Why a place can't be used; empty if it can."""
    texts = [step.text for step in place.steps]
    lines = {step.line for step in place.steps}
    if not place.scenario.is_karate or place.steps[0].recovered:
        return "its file is not one that Karate reads"
    if place.scenario.is_background and any(map(is_part_of_request, texts)):
        return "a Background configures the requests of its scenarios, a called scenario does not"
    for step in place.steps:
        if step.argument is not None:
            return f"a {step.argument} is attached to “{step.text}”"
        bound = _BOUND_TO_ITS_PLACE.search(step.text)
        if bound is not None:
            return f"“{bound.group()}” means something else in a called scenario"
    if any(place.line < comment.line < place.last_line and comment.line not in lines for comment in file.comments):
        return "there is a comment between its steps"
    after = [step.text for step in place.scenario.steps[place.start + place.length :]]
    return _outline_objection(place) or _request_objection(before, texts, after)


def _outline_objection(place: BlockPlace) -> str:
    if not place.steps[0].is_outline:
        return ""
    frames = (frame for row in _Said.of(place).frames for frame in row if "<" in frame)
    placeholder = next((_PLACEHOLDER.search(frame) for frame in frames), None)
    return f"{placeholder.group()} of the Outline is not replaced in a called scenario" if placeholder else ""


def _request_objection(before: Sequence[str], texts: Sequence[str], after: Sequence[str]) -> str:
    """Why a scenario would send other requests. `texts`: the block; `before` and `after`: the rest of the scenario."""
    if is_answered_apart(texts, after):
        return "a status belongs to a request in the same scenario, and they would be separated"
    if is_open(before) or is_open(texts):
        return "it begins or ends within a request, and a called scenario makes its own requests"
    if _is_sent_without_url(texts):
        return "its request is sent to a url that is set outside the block"
    if any(map(sets_url, texts)) and _is_sent_without_url(after):
        return "a later request is sent to the url that the block sets"
    return ""


def _is_sent_without_url(texts: Sequence[str]) -> bool:
    """True if a request is sent before any statement sets a url."""
    sent = next((number for number, text in enumerate(texts) if sends(text)), None)
    return sent is not None and not any(map(sets_url, texts[:sent]))


def _parameters(said: Sequence[_Said], suites: ReadSuites) -> dict[tuple[int, int], str]:
    """Maps each varying statement and literal to the variable for it. Raises `NoExtractionError`."""
    by_column: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for step, row in enumerate(said[0].values):
        outlined = any(cut_place.place.steps[step].is_outline for cut_place in said)
        for number in range(len(row)):
            column = tuple(cut_place.values[step][number] for cut_place in said)
            if len(set(column)) > 1 or (outlined and _PLACEHOLDER.search(column[0])):
                _refuse_unsayable(said[0], step, number, column)
                by_column.setdefault(column, []).append((step, number))
    words = _words(said, suites)
    names: dict[tuple[int, int], str] = {}
    for places in by_column.values():
        base = _base_name(said[0], *places[0])
        name = next(name for name in (f"{base}{extra}" for extra in _counting()) if name not in words)
        words.add(name)
        names.update(dict.fromkeys(places, name))
    return names


def _words(said: Sequence[_Said], suites: ReadSuites) -> set[str]:
    """All words that may be names already: in steps, in attachments, and in columns of Examples."""
    texts = [step.text for file in suites.files.values() for step in file.steps]
    texts += [decode(suites.read(path)).text for path in {cut_place.place.path for cut_place in said}]
    return {word for text in texts for word in re.findall(r"\w+", text)}


def _base_name(said: _Said, step: int, number: int) -> str:
    """The name of a literal of a statement, from the words beside it."""
    text, written = said.place.steps[step].text, said.values[step][number]
    argument = next((argument for argument in masked_arguments(text) if argument.text == written), None)
    base = re.sub(r"\W+", "_", said_name(text, argument)) if argument is not None else ""
    return base if re.match(r"[A-Za-z_]", base) else "value"


def _counting() -> Iterator[str]:
    yield ""
    number = 2
    while True:
        yield str(number)
        number += 1


def _refuse_unsayable(said: _Said, step: int, number: int, column: Sequence[str]) -> None:
    text = said.place.steps[step].text
    begins = _EXPRESSION.match(text)
    at = sum(map(len, said.frames[step][: number + 1])) + sum(map(len, said.values[step][:number]))
    blank = "".join(
        f"{frame}{' ' * len(value)}" for frame, value in zip(said.frames[step], (*said.values[step], ""), strict=True)
    )
    if (
        begins is None
        or begins.end() > at
        or _NO_SCRIPT.match(text, begins.end())
        or _PATH_OR_PATTERN.search(blank, begins.end())
        or re.search(
            r"[\w)\]'\"]\s*$", text[begins.end() : at]
        )  # a sign between two operands is not part of the number
    ):
        raise NoExtractionError(f"a variable can't replace what varies in “{text}”")
    for value in column:
        if _literal(value) is None:
            raise NoExtractionError(f"only texts and numbers can be passed, not {value}")


def _literal(written: str) -> str | None:
    """A literal in JSON, as an argument; None if Karate would evaluate it there as an expression."""
    if re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", written):
        return written
    if len(written) > 1 and written[0] == written[-1] and written[0] in "'\"" and "\\" not in written:
        inside = written[1:-1]
        if not re.search(r"#\(|['\"]", inside):
            return f"'{inside}'"
    return None


def _title(first: _Said) -> str:
    """The first and the last statement in words."""
    texts = [re.sub(r"\W+", " ", step.text).strip() for step in (first.place.steps[0], first.place.steps[-1])]
    return " until ".join(text[:40].strip() for text in texts)


def _new_path(beside: str, title: str, suites: ReadSuites) -> str:
    """A path beside a file where no file is."""
    slug = "-".join(re.findall(r"[a-z0-9]+", title.lower()))[:60].strip("-") or "block"
    folder = PurePath(beside).parent
    for extra in _counting():
        path = str(folder / f"{slug}{extra}.feature")
        if path not in suites.files and not os.path.lexists(path):
            return path
    raise AssertionError


def _call(said: _Said, path: str, parameters: Mapping[tuple[int, int], str]) -> str:
    relative = os.path.relpath(path, os.path.dirname(said.place.path)).replace(os.sep, "/")  # noqa: PTH120
    passed = {name: _literal(said.values[step][number]) for (step, number), name in parameters.items()}
    listed = ", ".join(f"{name}: {value}" for name, value in passed.items())
    return f"call read('{relative}')" + (f" {{ {listed} }}" if passed else "")


def _feature_edits(calls: Mapping[BlockPlace, str], suites: ReadSuites) -> list[FileEdits]:
    edits: dict[str, list[TextEdit]] = {}
    for place, call in calls.items():
        text = decode(suites.read(place.path)).text
        edits.setdefault(place.path, []).extend(replaced(place, call, text, suites.files[place.path]))
    return [
        FileEdits(
            path,
            suites.files[path].content_hash,
            tuple(sorted(its_edits, key=lambda edit: edit.start)),
            False,
            suites.files[path].encoding,
        )
        for path, its_edits in sorted(edits.items())
    ]


def _new_feature(
    path: str, title: str, first: _Said, parameters: Mapping[tuple[int, int], str], suites: ReadSuites
) -> FileEdits:
    newline = "\r\n" if b"\r\n" in suites.read(first.place.path) else "\n"
    lines = ["@ignore", f"Feature: {title}", "", f"  Scenario: {title}"]
    for number, step in enumerate(first.place.steps):
        inside = [parameters.get((number, at), value) for at, value in enumerate(first.values[number])]
        text = "".join(part for pair in zip(first.frames[number], [*inside, ""], strict=True) for part in pair)
        lines.append(f"    {step.keyword}{text}")
    whole = newline.join([*lines, ""])
    edit = TextEdit(0, 0, line=1, column=1, end_line=1, end_column=1, old="", new=whole)
    return FileEdits(path, content_hash(b""), (edit,), False, "utf-8", is_new=True)


def _check(files: Sequence[FileEdits], path: str, suites: ReadSuites) -> None:
    """Raises `NoExtractionError` if a scenario would have other statements."""
    edited = {
        file.path: read_bytes(file.path, edited_bytes(file, b"" if file.is_new else suites.read(file.path)))
        for file in files
    }
    called = list(edited.pop(path).steps)
    for changed, read in edited.items():
        before = suites.files[changed]
        if len(read.errors) != len(before.errors) or _unfolded(read, path, called) != _unfolded(before, path, ()):
            raise NoExtractionError(f"{changed}: a scenario would run different statements")


def _unfolded(file: FeatureFile, path: str, called: Sequence[Step]) -> list[list[tuple[str, str | None]]]:
    """The statements of each scenario, with calls of a file replaced by that file's statements with their arguments."""
    folder = os.path.dirname(file.path)  # noqa: PTH120
    scenarios: dict[int, list[tuple[str, str | None]]] = {}
    for step in sorted(file.steps, key=lambda step: step.line):
        steps_run = scenarios.setdefault(step.scenario_line, [])
        call = _CALL.fullmatch(step.text)
        if call is None or os.path.normpath(os.path.join(folder, call["path"])) != os.path.normpath(path):  # noqa: PTH118
            steps_run.append((_in_one_quote(step.text), step.argument))
            continue
        passed = dict(_PASSED.findall(call["arguments"] or ""))
        for inner in called:
            # this placeholder is no column of an Outline that calls it
            text = _PLACEHOLDER.sub(r"<\g<0>>", inner.text) if step.is_outline else inner.text
            steps_run.append((_in_one_quote(_filled(text, passed)), inner.argument))
    return [steps_run for _, steps_run in sorted(scenarios.items())]


def _filled(text: str, passed: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda word: passed.get(word.group(), word.group()), text)


def _in_one_quote(text: str) -> str:
    """The text with double quotes replaced by single ones."""
    return re.sub(r"\"([^\"'\\]*)\"", r"'\1'", text)
