"""Rename every cluster of real suites, one after another, on a copy; and look for what broke, by other means than the
check that stands before each rename.

    python tests/benchmarks/bench_rename_all.py SUITE... [--limit N] [--exclude PATTERN]... [--thorough] [--jsonl FILE]

The clusters are those that a scan finds. One with several wordings gets its canonical phrasing, every other one of them
a phrasing that is new, as do those with a single wording. Between renames the suite is kept up to date by the edits
alone; at its end all is written, read whole again and compared: with what the edits say, byte by byte outside of them,
and binding by binding. Prints one line a suite, then the sums: renames planned, refused and members left out by reason,
files that parse differently, bytes changed outside of edits, steps whose binding changed.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.model import FeatureFile, Span, Step
from cukereuse_engine.gherkin.read import content_hash, read_bytes
from cukereuse_engine.glue.workspace import Glue
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.model import FileEdits, Outcome, RefusedPlanError, RenamePlan, Workspace
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.request import request_for
from cukereuse_engine.refactor.target import TargetError
from cukereuse_engine.scanning.scan import compare
from cukereuse_engine.scanning.suite import Suite, read_suites
from cukereuse_engine.similarity.embedder import Embedder
from cukereuse_engine.similarity.models import open_embedder
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.template import mask, template

ENDINGS = (
    " now",
    " (really)",
    " here/there",
    " {{once}}",
    " it's so",
    " at 100% + more?",
    " [a|b]",
    r" \d",
    ' "so',
    " $",
)
"""What makes a phrasing new: characters that mean something to one kind of expression or another."""


@dataclass
class Result:
    clusters: int = 0
    planned: int = 0
    unchanged: int = 0
    """Plans of clusters whose members read alike already, or whose members were all left out."""
    refused: Counter[str] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)
    """Each with its step, target and reason."""
    left_out: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    template_equal: int = 0
    """Steps of clusters' canonical templates."""
    template_equal_mapped: int = 0
    rewritten: Counter[str] = field(default_factory=Counter)
    """Definitions by language and kind."""
    parse_differs: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    unbound: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)


class Steps(Mapping[str, Sequence[Step]]):
    """Identity of a text to its steps, kept by file."""

    def __init__(self, files: Iterable[FeatureFile]) -> None:
        self.texts: dict[str, StepText] = {}
        """By identity, as far as a step says it."""
        self._by_file: dict[str, dict[str, list[Step]]] = {}
        self._paths: dict[str, dict[str, None]] = {}
        for file in files:
            self.update(file)

    def update(self, file: FeatureFile) -> None:
        before = self._by_file.pop(file.path, {})
        after = self._by_file[file.path] = {}
        for step in file.steps:
            key = _identity(step.text)
            if key:
                after.setdefault(key, []).append(step)
        for key in before.keys() - after.keys():
            del self._paths[key][file.path]
            if not self._paths[key]:
                del self._paths[key], self.texts[key]
        for key in after.keys() - before.keys():
            self._paths.setdefault(key, {})[file.path] = None
            text = normalise(after[key][0].text)
            self.texts.setdefault(key, StepText(text, key, template(text), 1))

    def __getitem__(self, key: str) -> list[Step]:
        return [step for path in self._paths[key] for step in self._by_file[path][key]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


@lru_cache(maxsize=1_000_000)
def _identity(text: str) -> str:
    return identity(text) if normalise(text) else ""


class Renamer:
    """One suite on a copy. The disk holds the suite as it was until `finish`."""

    def __init__(self, suite: Suite, glue: Glue, *, thorough: bool = False) -> None:
        self.root = suite.root
        self.glue = glue
        self.thorough = thorough
        self.before = {file.path: file for file in suite.files}
        self.files = dict(self.before)
        self.steps = Steps(suite.files)
        self.contents: dict[str, bytes] = {}
        """Of the files that were changed."""
        self.result = Result()
        self.renamed: set[tuple[str, int]] = set()
        """Members of a rename too that read so already: what had no definition may have one now."""

    @property
    def workspace(self) -> Workspace:
        return Workspace(self.files, list(self.steps.texts.values()), self.steps, self.glue, self.read)

    def read(self, path: str) -> bytes:
        return self.contents[path] if path in self.contents else Path(path).read_bytes()

    def rename(self, texts: list[str], canonical: str, ending: str) -> None:
        result = self.result
        present = [text for text in texts if identity(text) in self.steps]
        if not present:
            return
        result.clusters += 1
        reference = canonical if identity(canonical) in self.steps else present[0]
        target = reference if not ending else reference.replace("{", "{{").replace("}", "}}") + ending
        started = time.process_time()
        try:
            request = request_for(self.workspace, reference, target, clusters=[present])
            plan = plan_rename(request, self.workspace, thorough=self.thorough)
        except RefusedPlanError as error:
            result.refused[_short(error.kind)] += 1
            result.refusals.append(f"{reference} -> {target}: {error.message}")
            return
        except TargetError as error:
            result.refused[f"target: {_short(error.message)}"] += 1
            return
        finally:
            result.seconds.append(time.process_time() - started)
        self._count(plan, reference)
        for text in request.members if plan.files else ():
            self.renamed |= {(step.path, step.line) for step in self.steps.get(identity(text), ())}
        if not plan.files:
            result.unchanged += 1
            return
        result.planned += 1
        for file in plan.files:
            after = edited_bytes(file, self.read(file.path))
            self.contents[file.path] = after
            if file.is_glue:
                self.glue.update_file(file.path, after)
            else:
                self._edit(file, after)

    def _count(self, plan: RenamePlan, reference: str) -> None:
        result = self.result
        for one in plan.left_out:
            result.left_out[_short(one.reason)] += len(one.steps)
            if mask(one.text).lower() == mask(reference).lower():
                result.template_equal += len(one.steps)
        for row in plan.table:
            if mask(row.before).lower() == mask(reference).lower():
                result.template_equal += row.occurrences
                result.template_equal_mapped += row.occurrences
        result.steps += plan.occurrences
        for change in plan.definitions:
            if change.outcome is Outcome.REWRITTEN:
                result.rewritten[f"{change.definition.language}/{change.definition.kind}"] += 1

    def _edit(self, plan: FileEdits, data: bytes) -> None:
        """The file as its edits say that it reads now."""
        old = self.files[plan.path]
        new_texts = {edit.start: edit.new for edit in plan.edits}
        steps, shift = [], 0
        for step in old.steps:
            span, text = step.span, new_texts.get(step.span.start, step.text)
            steps.append(_moved(step, text, shift) if shift or text is not step.text else step)
            shift += len(text) - len(step.text)
            if span.start in new_texts:
                self.renamed.add((step.path, step.line))
        self.files[plan.path] = replace(old, steps=tuple(steps), content_hash=content_hash(data))
        self.glue.update_feature(plan.path, steps)
        self.steps.update(self.files[plan.path])

    def finish(self) -> None:
        """Write all, read all again: what the edits say must be what stands there."""
        for path, data in self.contents.items():
            old = self.before.get(path)
            before = Path(path).read_bytes()
            Path(path).write_bytes(data)
            if old is None:
                continue
            new = read_bytes(path, Path(path).read_bytes())
            told = self.files[path]
            changed = {step.line for step in told.steps if (path, step.line) in self.renamed}
            if (new.steps, new.comments, new.language) != (told.steps, told.comments, told.language):
                self.result.parse_differs.append(path)
            elif _errors(new, changed) != _errors(old, changed):
                self.result.parse_differs.append(f"{path} (errors)")
            elif not _same_outside(_between(old, before), _between(new, data)):
                self.result.outside.append(path)


_STEP_FIELDS = [one.name for one in fields(Step)]
_step_values = attrgetter(*_STEP_FIELDS)


def _moved(step: Step, text: str, shift: int) -> Step:
    """`replace`, in a fifth of its time: a rename moves the steps of a thousand files."""
    start = step.span.start + shift
    values = dict(zip(_STEP_FIELDS, _step_values(step), strict=True))
    values |= {"text": text, "span": Span(step.span.line, step.span.column, start, start + len(text))}
    return Step(**values)


def _errors(file: FeatureFile, changed: set[int]) -> list[tuple[int, int, str]]:
    return [(one.line, one.column, one.message) for one in file.errors if one.line not in changed]


def _short(reason: str) -> str:
    """Without what differs from case to case."""
    reason = re.sub(r"the argument .* holds .*", "the argument holds the quote that the target puts around it", reason)
    return re.sub(r" ?\(.*\)|: .*", "", reason)


MARKS = (b"\xef\xbb\xbf", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff", b"\xff\xfe", b"\xfe\xff")


def _between(file: FeatureFile, data: bytes) -> Iterator[bytes]:
    """The bytes between the texts of a file's steps."""
    mark = next((mark for mark in MARKS if data.startswith(mark)), b"")
    codec = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(file.encoding, file.encoding)
    if mark in (b"\xfe\xff", b"\x00\x00\xfe\xff"):
        codec = codec.replace("-le", "-be")
    text = data[len(mark) :].decode(codec)
    at, done = len(mark), 0
    for step in file.steps:
        end = at + len(text[done : step.span.start].encode(codec))
        yield data[at:end]
        at = end + len(step.text.encode(codec))
        done = step.span.end
    yield data[at:]


def _same_outside(before: Iterator[bytes], after: Iterator[bytes]) -> bool:
    return list(before) == list(after)


def bindings(glue: Glue, files: dict[str, FeatureFile]) -> dict[tuple[str, int], tuple[object, ...]]:
    """(path, line) of a step to what it binds to: for each text (functions, bare argument values)."""
    numbers = {}
    counts: Counter[str] = Counter()
    for definition in glue.definitions:
        numbers[definition.id] = (definition.path, counts[definition.path])
        counts[definition.path] += 1
    found = {}
    for file in files.values():
        for step in file.steps:
            texts = glue.bind(step).texts if step.text else ()
            found[step.path, step.line] = tuple(
                (
                    tuple(numbers[match.definition.id] for match in text.matches),
                    tuple(
                        tuple((a.value or "").strip("\"'") for a in match.arguments if a.value is not None)
                        for match in text.matches
                    ),
                )
                for text in texts
            )
    return found


def compare_bindings(before: dict, after: dict, renamed: set[tuple[str, int]]) -> list[str]:
    """Steps that bound to one definition and do not any more, or with other arguments; others that changed at all."""
    wrong = []
    for key, old in before.items():
        new = after.get(key)
        if key not in renamed:
            if new != old:
                wrong.append(f"{key[0]}:{key[1]} (not renamed): {old} -> {new}")
            continue
        if not all(len(functions) == 1 for functions, _ in old):
            continue  # was undefined or ambiguous
        if new is None or len(new) != len(old) or not all(len(functions) == 1 for functions, _ in new):
            wrong.append(f"{key[0]}:{key[1]}: {old} -> {new}")
            continue
        for (functions, arguments), (now, taken) in zip(old, new, strict=True):
            same = functions == now and sorted(arguments[0]) == sorted(taken[0])
            moved = functions != now and not Counter(arguments[0]) - Counter(taken[0])
            if not same and not moved:
                wrong.append(f"{key[0]}:{key[1]}: {arguments} -> {taken}")
    return wrong


def rename_all(
    folder: Path,
    *,
    limit: int | None = None,
    endings: bool = True,
    exclude: tuple[str, ...] = (),
    thorough: bool = False,
    embedder: Embedder | None = None,
) -> Result:
    """Every cluster of a copy of `folder`, suite by suite; `exclude` as in the settings.

    `thorough`: each touched file is read whole before each rename.
    """
    total = Result()
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", "vendor"))
        for suite in read_suites([copy], exclude=exclude, use_cache=False, jobs=1):
            glue = Glue.load(suite.root, paths=[copy], exclude=exclude, jobs=1)
            for file in suite.files:
                glue.update_feature(file.path, file.steps)
            detection, _ = compare(suite, glue, StrategyOptions(), embedder, use_cache=embedder is not None)
            renamer = Renamer(suite, glue, thorough=thorough)
            before = bindings(glue, renamer.files)
            for number, cluster in enumerate(detection.clusters[:limit]):
                fresh = cluster.wordings == 1 or number % 2
                ending = ENDINGS[number % len(ENDINGS)] if fresh and endings else ""
                renamer.rename([text.text for text in cluster.texts], cluster.canonical, ending)
            renamer.finish()
            again = Glue.load(suite.root, paths=[copy], exclude=exclude, jobs=1)
            for file in renamer.files.values():
                again.update_feature(file.path, file.steps)
            renamer.result.unbound = compare_bindings(before, bindings(again, renamer.files), renamer.renamed)
            total.add(renamer.result)
    return total


def _print(name: str, result: Result) -> None:
    slowest = max(result.seconds, default=0.0)
    print(
        f"{name}: clusters {result.clusters}, planned {result.planned}, unchanged {result.unchanged}, refused "
        f"{sum(result.refused.values())}; steps renamed {result.steps}, left out {sum(result.left_out.values())}; "
        f"template-equal mapped {result.template_equal_mapped}/{result.template_equal}; rewritten "
        f"{dict(result.rewritten)}; parse differs {len(result.parse_differs)}, outside {len(result.outside)}, "
        f"unbound {len(result.unbound)}; CPU {sum(result.seconds):.0f} s, slowest {slowest:.2f} s",
        flush=True,
    )
    for problem in [*result.parse_differs[:3], *result.outside[:3], *result.unbound[:3]]:
        print(f"   PROBLEM {problem}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, help="clusters of each suite")
    parser.add_argument("--exclude", action="append", default=[], help="files to leave out, glue code too")
    parser.add_argument("--thorough", action="store_true", help="read each touched file whole before each rename")
    parser.add_argument("--lexical", action="store_true", help="find clusters without the embedding model")
    parser.add_argument(
        "--jsonl", type=Path, help="a file to which each suite's result is added; suites in it are done"
    )
    arguments = parser.parse_args()
    embedder = None if arguments.lexical else open_embedder()
    done = _read_results(arguments.jsonl)
    for folder in arguments.suites:
        if folder.name in done:
            continue
        try:
            result = rename_all(
                folder,
                limit=arguments.limit,
                exclude=tuple(arguments.exclude),
                thorough=arguments.thorough,
                embedder=embedder,
            )
        except CukereuseError as error:
            print(f"{folder.name}: {error}")
            continue
        _print(folder.name, result)
        done[folder.name] = result
        if arguments.jsonl is not None:
            with arguments.jsonl.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"suite": folder.name, **vars(result)}) + "\n")
    total = Result()
    for result in done.values():
        total.add(result)
    _print("all", total)
    for title, counts in (("refused", total.refused), ("left out", total.left_out)):
        print(title)
        for reason, count in counts.most_common(25):
            print(f"  {count:6d}  {reason}")
    return 1 if total.parse_differs or total.outside or total.unbound else 0


def _read_results(path: Path | None) -> dict[str, Result]:
    found: dict[str, Result] = {}
    for line in path.read_text("utf-8").splitlines() if path is not None and path.exists() else ():
        values = json.loads(line)
        counters = {name: Counter(values[name]) for name in ("refused", "left_out", "rewritten")}
        name = values.pop("suite")
        found[name] = Result(**{**values, **counters})
    return found


if __name__ == "__main__":
    sys.exit(main())
