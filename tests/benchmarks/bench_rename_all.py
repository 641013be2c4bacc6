"""Renames steps of real repositories at random, and checks each by a binder that is independent of the product.

    python tests/benchmarks/bench_rename_all.py REPOSITORY... [--number N] [--minutes N] [--seed N] [--jsonl FILE]

Of each repository a copy is made. Steps are chosen by chance, and what they should read: new words, new words with
signs that mean something to one kind of expression or another, the words of another step, a part of their own words.
Some renames allow moves to another definition, some take the cluster along that a scan finds. Each starts from the
repository as it is. The edits are checked by `independent`, written by the journal, and taken back. Prints one line a
repository, then the sums: renames applied, wrong, silent moves, refused by reason, whether each undo was exact.
"""

import argparse
import json
import math
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from independent.binder import Binder  # type: ignore[import-not-found]
from independent.profiles import FILES  # type: ignore[import-not-found]

from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.refactor.edits import edited_bytes
from cukereuse_engine.refactor.journal import Journal
from cukereuse_engine.refactor.plan import plan_rename
from cukereuse_engine.refactor.rename_plan import FileEdits, RefusedPlanError, RenamePlan
from cukereuse_engine.refactor.request import arguments_of, request_for
from cukereuse_engine.refactor.target import TargetError, target_of
from cukereuse_engine.scanning.repository import Repository, read_repository
from cukereuse_engine.scanning.scan import compare
from cukereuse_engine.settings import Settings

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
"""Characters that mean something to one kind of expression or another."""
_NEW = ("gladly", "zap", "the thing", "once more", "as agreed", "quux")
_WORD = re.compile(r"(?<![\w{])[A-Za-z]{3,}(?![\w}])")


_STOPPED: list[bool] = []


class _StoppedError(Exception):
    """The run was ended by SIGTERM: the results so far are printed."""


def _stop(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _STOPPED.append(True)
    raise _StoppedError


@dataclass
class Result:
    asked: int = 0
    applied: int = 0
    unchanged: int = 0
    """Plans that leave out all steps, or change nothing."""
    moves: int = 0
    """Applied renames with moves that the request allowed."""
    refused: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    """Each refusal in full, for a person who reads them."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Reasons of plans that change nothing."""
    steps: int = 0
    wrong: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    """Moves that the plan does not mention."""
    undo: list[str] = field(default_factory=list)
    """Renames after whose undo some file differed."""
    unknown: int = 0
    """Expressions that no engine here could read."""
    seconds: list[float] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)


@contextmanager
def copied(folder: Path) -> Iterator[Path]:
    """A copy of a repository as the current folder."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        ignored = shutil.ignore_patterns(".git", "node_modules")
        shutil.copytree(folder, copy, symlinks=True, ignore=ignored, ignore_dangling_symlinks=True)
        (copy / ".git").mkdir(exist_ok=True)
        before = Path.cwd()
        os.chdir(copy)
        try:
            yield copy
        finally:
            os.chdir(before)


def rename_all(
    folder: Path, *, number: int = 20, seed: int = 1, exclude: tuple[str, ...] = (), minutes: float = math.inf
) -> Result:
    """`number` renames of a copy of `folder`, or as many as begin within some minutes after it was read."""
    with copied(folder):
        settings = Settings(exclude=exclude, jobs=1)
        repository = read_repository(["."], settings, lambda _: settings, use_cache=False)
        if repository.suites is None:
            raise CukereuseError("no feature files were found")
        return _Renames(repository, random.Random(f"{folder.name} {seed}")).run(number, minutes)


class _Renames:
    def __init__(self, repository: Repository, chance: random.Random) -> None:
        self.repository = repository
        self.chance = chance
        self.result = Result()
        self.clusters: list[list[str]] | None = None
        workspace = repository.suites
        assert workspace is not None
        self.workspace = workspace
        sources = {path for path in workspace.source_paths if Path(path).is_file()}
        """Also sources without definitions: some contain parameter types."""
        self.contents = {path: Path(path).read_bytes() for path in [*workspace.files, *sources] if Path(path).is_file()}
        features = {path: self.contents[path] for path in workspace.files if path in self.contents}
        configurations = {path: Path(path).read_text("utf-8", "replace") for path in FILES if Path(path).is_file()}
        self.binder = Binder(features, {path: self.contents[path] for path in sources}, configurations)

    def run(self, number: int, minutes: float) -> Result:
        end = time.monotonic() + 60 * minutes
        texts = [text.text for text in self.workspace.texts]
        bound = [text for text in texts if self._binds(text)] if self.binder.definitions else texts
        for text in self.chance.choices(bound, k=number) if bound else ():
            if time.monotonic() < end:
                asked = self.result.asked
                try:
                    self._rename(text)
                except _StoppedError:  # the rename in progress does not count
                    self.result.asked = asked
                    break
        self.result.unknown = len(self.binder.engines.unknown)
        return self.result

    def _binds(self, text: str) -> bool:
        glue = self.workspace.glue
        step = next(iter(self.workspace.steps.get(self._key(text), ())), None)
        return glue is not None and step is not None and bool(glue.bind(step).definitions)

    def _key(self, text: str) -> str:
        from cukereuse_engine.text.identity import identity

        return identity(text)

    def _rename(self, source: str) -> None:
        result, chance = self.result, self.chance
        target = self._target(source)
        move, cluster = chance.random() < 0.25, chance.random() < 0.2
        result.asked += 1
        started = time.perf_counter()
        try:
            clusters = self._clusters() if cluster else []
            started = time.perf_counter()
            request = request_for(self.workspace, source, target, clusters=clusters, move=move)
            plan = plan_rename(request, self.workspace)
        except RefusedPlanError as error:
            self._refuse(source, target, _short(error.kind or error.message), error)
            return
        except TargetError as error:
            self._refuse(source, target, f"target: {_short(error.message)}", error)
            return
        except CukereuseError as error:
            self._refuse(source, target, f"error: {_short(error.message)}", error)
            return
        finally:
            result.seconds.append(time.perf_counter() - started)
        if not plan.files:
            result.unchanged += 1
            result.left_out.update({_short(group.reason) for group in plan.left_out} or {"reads so already"})
            return
        result.applied += 1
        result.moves += bool(plan.moves)
        result.steps += plan.occurrences
        self._check(plan, f"{source} -> {target}")
        self._write_and_undo(plan, f"{source} -> {target}")

    def _refuse(self, source: str, target: str, kind: str, error: CukereuseError) -> None:
        self.result.refused[kind] += 1
        self.result.told.append(f"{source} -> {target}: {error.message}")

    def _target(self, source: str) -> str:
        phrasing = target_of(source, arguments_of(self.workspace, source)[0]).text
        words = list(_WORD.finditer(phrasing))
        way = self.chance.random()
        if way < 0.15:
            other = self.chance.choice(self.workspace.texts).text
            return target_of(other, arguments_of(self.workspace, other)[0]).text
        if way < 0.4 or not words:
            return phrasing + self.chance.choice(ENDINGS)
        if way < 0.5 and len(words) > 2:
            gone = self.chance.choice(words[1:])
            return re.sub(r"  +", " ", phrasing[: gone.start()] + phrasing[gone.end() :]).strip()
        changed = self.chance.choice(words)
        return phrasing[: changed.start()] + self.chance.choice(_NEW) + phrasing[changed.end() :]

    def _clusters(self) -> list[list[str]]:
        if self.clusters is None:
            bindings = []
            for suite, workspace in self.repository.named:
                detection, _ = compare(suite, workspace.glue, StrategyOptions(), None, use_cache=False)
                bindings += [[text.text for text in cluster.texts] for cluster in detection.clusters]
            self.clusters = bindings
        return self.clusters

    def _check(self, plan: RenamePlan, title: str) -> None:
        features: dict[str, bytes] = {}
        sources: dict[str, bytes] = {}
        for file in plan.files:
            after = edited_bytes(file, self.contents.get(file.path) or Path(file.path).read_bytes())
            (sources if file.is_glue else features)[file.path] = after
            if not _same_elsewhere(file, self.contents.get(file.path, b""), after):
                self.result.wrong.append(f"{title}: bytes outside of the edits: {file.path}")
        moved = {(step.path, step.line) for move in plan.moves for step in move.steps}
        for problem in self.binder.compare(features, sources):
            place = re.match(r"moved: (.*?):(\d+): ", problem)
            if place and (place.group(1), int(place.group(2))) in moved:
                continue
            (self.result.silent if place else self.result.wrong).append(f"{title}: {problem}")

    def _write_and_undo(self, plan: RenamePlan, title: str) -> None:
        journal = Journal(self.repository.root)
        journal.apply(plan.files, title)
        journal.undo()
        before = {file.path: self.contents.get(file.path) for file in plan.files}
        if any(Path(path).read_bytes() != data for path, data in before.items() if data is not None):
            self.result.undo.append(title)


def _same_elsewhere(file: FileEdits, before: bytes, after: bytes) -> bool:
    """True if lines that no edit names are the same to the byte, and as many. Only for UTF-8, and if no edit adds or
    removes lines."""
    touched = {line for edit in file.edits for line in range(edit.line, edit.end_line + 1)}
    lines_change = any("\n" in edit.old + edit.new for edit in file.edits)
    if file.encoding.lower().replace("_", "-") not in ("utf-8", "utf-8-sig") or lines_change:
        return True
    old, new = before.split(b"\n"), after.split(b"\n")
    pairs = enumerate(zip(old, new, strict=False), 1)
    return len(old) == len(new) and all(a == b for at, (a, b) in pairs if at not in touched)


def _short(reason: str) -> str:
    """The reason without details of the case."""
    reason = re.sub(r"the argument .* holds .*", "the argument holds the quote that the target puts around it", reason)
    return re.sub(r" ?\(.*\)|: .*", "", reason)[:110]


def _print(name: str, result: Result) -> None:
    times = sorted(result.seconds) or [0.0]
    print(
        f"{name}: asked {result.asked}, applied {result.applied} (moves {result.moves}), nothing to do "
        f"{result.unchanged}, refused {sum(result.refused.values())}; steps {result.steps}; wrong {len(result.wrong)}, "
        f"silent moves {len(result.silent)}, undo differs {len(result.undo)}; untold {result.unknown}; median "
        f"{times[len(times) // 2]:.2f} s, slowest {times[-1]:.2f} s",
        flush=True,
    )
    for problem in [*result.wrong[:3], *result.silent[:3], *result.undo[:3]]:
        print(f"   PROBLEM {problem[:700]}", flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=20, help="renames of each repository")
    parser.add_argument("--minutes", type=float, default=math.inf, help="in which those of one repository are begun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exclude", action="append", default=[], help="files to leave out, glue code too")
    parser.add_argument("--jsonl", type=Path, help="a file to which each result is added")
    arguments = parser.parse_args(given)
    signal.signal(signal.SIGTERM, _stop)
    total = Result()
    for folder in arguments.repositories:
        if _STOPPED:
            break
        try:
            result = rename_all(
                folder.resolve(),
                number=arguments.number,
                seed=arguments.seed,
                exclude=tuple(arguments.exclude),
                minutes=arguments.minutes,
            )
        except (CukereuseError, _StoppedError) as error:
            print(f"{folder.name}: {error or 'stopped'}")
            continue
        _print(folder.name, result)
        total.add(result)
        if arguments.jsonl is not None:
            with arguments.jsonl.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"repository": folder.name, **vars(result)}) + "\n")
    _print("all", total)
    for title, reasons in (("refused", total.refused), ("left out", total.left_out)):
        for reason, count in reasons.most_common(30):
            print(f"  {count:6d}  {title}: {reason}")
    return 1 if total.wrong or total.silent or total.undo else 0


if __name__ == "__main__":
    sys.exit(main())
