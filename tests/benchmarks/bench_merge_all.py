"""Runs every merge in real repositories, and checks each step by a binder that is independent of the product.

    python tests/benchmarks/bench_merge_all.py REPOSITORY... [--way function|wording|constants|unused] [--jsonl FILE]

Each repository is copied for each way. `cukereuse merge --write` does all that it finds there, again until it finds
nothing that it did not refuse. `independent` tells what every step binds to before and after, and with which arguments:
a step must be served by the expression that it had, or by what the plan says became of it, with the arguments that it
had and those that the plan says it has in addition. Then everything is undone, to the byte. Prints one line for each
repository and way, the reasons of what was refused, and the sums. `untold`: definitions that are not checked; Cucumber
Expressions are read by Cucumber's own module, for which CUKEREUSE_NODE_MODULES names a folder.

Twelve public suites in six languages, 20,807 steps: 56 definitions merged, 33 reworded, 84 with a constant extracted,
409 deleted; no step wrong, every undo exact. Most of what is refused takes other arguments, is in two files, or is
called from code. Since functions count as equal only with all that they hand on, eleven further suites in six
languages, one function for several expressions: 11,749 steps, 22 definitions merged, none wrong, every undo exact. Six
of these in all four ways, but for one that took too long: 12 merged, 22 reworded, 9 with a constant, 98 deleted; two
steps flagged, both by `independent`, which does not know that Cypress loads a feature's own folder. Dry runs of the
runners themselves before and after what `merge --hints` did: five suites of Cucumber for Ruby (5,840 steps) and three
of behave (13,953, constants and wordings too), the same arguments.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from independent.binder import Binder  # type: ignore[import-not-found]

from cukereuse_engine.gherkin.discovery import discover
from cukereuse_engine.glue.sources import discover_glue

WAYS = {
    "function": ["--hints"],
    "wording": ["--wording", "--hints"],
    "constants": ["--constants"],
    "unused": ["--unused"],
}
_ROUNDS = 8
_BY_NAME = ("behave", "pytest-bdd")
Served = tuple[str, tuple[str | None, ...]]
"""An expression, and the values that it captures."""


@dataclass
class Result:
    merged: int = 0
    """Definitions whose function is removed, or calls another function."""
    steps: int = 0
    untold: int = 0
    """Definitions that no engine of `independent` reads here: they are not checked."""
    wrong: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    undo: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: "Result") -> None:
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)


def merge_all(folder: Path, way: str) -> Result:
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / folder.name
        ignored = shutil.ignore_patterns(".git", "node_modules")
        shutil.copytree(folder, copy, symlinks=True, ignore=ignored, ignore_dangling_symlinks=True)
        (copy / ".git").mkdir(exist_ok=True)
        result, before, rounds = Result(), _digest(copy), 0
        bound, result.untold = _bound(copy)
        result.steps = len(bound)
        while rounds < _ROUNDS:
            started = time.perf_counter()
            done = _run(copy, [*WAYS[way], "--write", "--json", str(Path(scratch) / "plans.json"), "--no-cache"])
            result.seconds += time.perf_counter() - started
            if done.returncode not in (0, 1):
                result.wrong.append(f"exit {done.returncode}: {done.stderr[-300:]}")
                break
            plans = json.loads((Path(scratch) / "plans.json").read_text("utf-8"))
            if not plans["plans"]:
                result.refused.update(_short(reason) for reason in plans["left_alone"])
                break
            rounds += 1
            result.merged += sum(len(plan["others"]) for plan in plans["plans"])
            now, _ = _bound(copy)
            result.wrong += _wrong(bound, now, plans["plans"])
            bound = now
        for _ in range(rounds):
            _run(copy, ["--undo"])
        if _digest(copy) != before:
            result.undo.append(folder.name)
        return result


def _run(folder: Path, arguments: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from cukereuse_engine.cli.main import main; main()", "merge", str(folder)]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)


def _bound(folder: Path) -> tuple[dict[tuple[str, int], list[dict[str, list[Served]]]], int]:
    """The definitions of each step, and the number of definitions that no engine reads."""
    features = {str(path): Path(path).read_bytes() for path in discover([str(folder)])}
    sources = {str(path): Path(path).read_bytes() for path in discover_glue([str(folder)])}
    binder = Binder(features, sources)
    return binder.everything(), len(binder.engines.unknown)


def _wrong(
    before: Mapping[tuple[str, int], list[dict[str, list[Served]]]],
    after: Mapping[tuple[str, int], list[dict[str, list[Served]]]],
    plans: Sequence[Mapping[str, Any]],
) -> Iterator[str]:
    if before.keys() != after.keys():
        yield f"{len(before)} steps before, {len(after)} after"
    becomes = _becomes(plans)
    deleted = {row["expression"] for plan in plans if plan["keep"] is None for row in plan["others"]}
    for place in before.keys() & after.keys():
        old, new = before[place], after[place]
        for was, now in zip(old, new, strict=False):
            same = was.keys() == now.keys() and all(
                _agree(_alone(was[name], deleted), _alone(now[name], deleted), becomes, by_name=name in _BY_NAME)
                for name in was
            )
            if not same or len(old) != len(new):
                yield f"{place[0]}:{place[1]}: {was} -> {now}"


def _alone(served: Sequence[Served], deleted: Collection[str]) -> list[Served]:
    """One entry for an expression that is deleted in one place: `independent` knows no scopes of classes, so that an
    expression in several places looks ambiguous to it."""
    return [match for at, match in enumerate(served) if match[0] not in deleted or match not in served[:at]]


def _becomes(plans: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[str, int | None, str | None]]]:
    """Maps an expression to its changes: the new expression, the additional argument, and its value."""
    passed: dict[str, list[tuple[str, int | None, str | None]]] = {}
    for plan in plans:
        for change in plan["changes"]:
            what = change["new_expression"], change["new_argument"], change["value"]
            passed.setdefault(change["expression"], []).append(what)
        for change in plan["others"] if plan["moves"] else ():
            passed.setdefault(change["expression"], []).append((plan["keep"]["expression"], None, None))
    return passed


def _agree(
    was: Sequence[Served],
    now: Sequence[Served],
    becomes: Mapping[str, list[tuple[str, int | None, str | None]]],
    *,
    by_name: bool,
) -> bool:
    """`by_name`: the runner passes arguments by name, so that another wording may have them in another order."""
    left = list(now)
    for expression, values in was:
        allowed, said = [(expression, tuple(values))], sorted(map(str, values))
        for new, place, value in becomes.get(expression, ()):
            taken = list(values)
            if place is not None:
                taken.insert(place, value)
            allowed.append((new, tuple(taken)))
        moved = [new for new, place, _ in becomes.get(expression, ()) if place is None and by_name]
        served = next(
            (
                match
                for match in left
                if (match[0], tuple(match[1])) in allowed or (match[0] in moved and sorted(map(str, match[1])) == said)
            ),
            None,
        )
        if served is None:
            return False
        left.remove(served)
    return not left


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts:
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def _short(reason: str) -> str:
    """The reason without details of the case."""
    return re.sub(r"“[^”]*”|\S+:\d+:? ?(?:and \S+:\d+)?|\S+/\S+", "…", reason)[:110]


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--way", action="append", choices=WAYS, help="all of them by default")
    parser.add_argument("--jsonl", type=Path, help="a file to which each result is added")
    arguments = parser.parse_args(given)
    total = Result()
    for folder in arguments.repositories:
        for way in arguments.way or WAYS:
            result = merge_all(folder.resolve(), way)
            total.add(result)
            print(
                f"{folder.name}, {way}: merged {result.merged}, refused {sum(result.refused.values())}; steps "
                f"{result.steps}, wrong {len(result.wrong)}, undo differs {len(result.undo)}; untold {result.untold}; "
                f"{result.seconds:.0f} s",
                flush=True,
            )
            for problem in result.wrong[:3]:
                print(f"   PROBLEM {problem[:700]}", flush=True)
            for reason, count in result.refused.most_common(6):
                print(f"   {count:5d}  {reason}", flush=True)
            if arguments.jsonl is not None:
                with arguments.jsonl.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"repository": folder.name, "way": way, **vars(result)}) + "\n")
    print(f"all: merged {total.merged}, steps {total.steps}, wrong {len(total.wrong)}, undo differs {len(total.undo)}")
    for reason, count in total.refused.most_common(30):
        print(f"  {count:6d}  {reason}")
    return 1 if total.wrong or total.undo else 0


if __name__ == "__main__":
    sys.exit(main())
