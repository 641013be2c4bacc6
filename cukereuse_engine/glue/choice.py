"""The definitions that a runner chooses if several match a step, by the rule of each runner.

The result is a list of groups. A group is one run of the step, with one definition, or with several that the runner
refuses. Several groups are several runs, each with its own definitions. Nothing here reads a file.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from cukereuse_engine.glue.definition import Match, StepDefinition
from cukereuse_engine.glue.languages.base import registers_lowest_first
from cukereuse_engine.glue.limits import Situation, degree

Item = TypeVar("Item")
Candidate = tuple[Match, int]
"""A match with the key of its definition in the binder."""


class _Asked(NamedTuple):
    """What decides beside the definitions; see `choose`."""

    path: str
    situation: Situation | None
    argument: str | None
    matches: Callable[[int, str], bool]

    def degree(self, match: Match) -> int:
        return degree(match.definition, self.situation) if self.situation is not None else 0


UNKNOWN_ARGUMENT = ""
"""The argument if it is unknown whether a step has a table or DocString."""
DOTNET = frozenset({"reqnroll", "specflow"})
RSTEST = "rstest-bdd"
IN_SCENARIO = frozenset({"jest-cucumber", "vitest-cucumber"})
"""Runners whose definitions are in the block of one scenario, in the order of its steps."""
_BELOW_FEATURES = frozenset({"cucumber-ruby", "cucumber-js"})
"""Runners that load everything below `features` by default."""
_TABLES = frozenset({"Table", "DataTable"})
_TEXTS = frozenset({"string", "String", "int", "Int32"})


def nearest(candidates: list[Candidate], path: str) -> list[Candidate]:
    """The nearest of the definitions in reach of a feature file, if their runners choose by nearness."""
    if _frameworks(candidates) <= _BELOW_FEATURES:
        candidates = _below_features(candidates, path)
    frameworks = _frameworks(candidates)
    if len(frameworks) > 1 or frameworks <= {"behave", "pytest-bdd"}:
        return _sharing_most(candidates, path)
    return candidates


def choose(
    candidates: list[Candidate],
    path: str,
    situation: Situation | None,
    argument: str | None,
    matches: Callable[[int, str], bool],
    nearness: Callable[[StepDefinition], int] | None = None,
) -> list[list[Match]]:
    """The groups for two or more candidates. `argument`: "table", "docstring" or None, as `Step.argument`. `matches`:
    true if the definition of a key matches a text; `nearness` as `Scope.nearness`."""
    candidates = _not_yielding(candidates)
    frameworks = _frameworks(candidates)
    candidates.sort(key=lambda candidate: registration_order(candidate[0].definition))
    if nearness is not None and len(frameworks) == 1 and frameworks != {"behave"}:
        return [[nearest_registered(candidates, nearness)[0]]]
    choices = {_CHOICES.get(framework, _every) for framework in frameworks}
    chosen = choices.pop() if len(choices) == 1 else _every
    return chosen(candidates, _Asked(path, situation, argument, matches))


def registration_order(definition: StepDefinition) -> tuple[str, int, int]:
    """A sort key: file and function; of several decorators on a Python function, the lowest is registered first."""
    at = definition.literal.start_byte
    if registers_lowest_first(definition.language) and definition.function is not None:
        return definition.path, definition.function.start_byte, -at
    return definition.path, at, 0


def _frameworks(candidates: Sequence[Candidate]) -> set[str]:
    return {match.definition.framework for match, _ in candidates}


def _not_yielding(candidates: list[Candidate]) -> list[Candidate]:
    """Candidates that can't be overridden, or else those with the highest priority (cucumber_priority, resolver.rb)."""
    yields = {match.definition.yields for match, _ in candidates}
    best = None if None in yields else max(number for number in yields if number is not None)
    return [candidate for candidate in candidates if candidate[0].definition.yields == best]


def _by_registry(candidates: list[Candidate], path: str) -> list[list[Match]]:
    """A group for each registry (`StepDefinition.registry`), or its first candidate if its runner takes that. Several
    registries are several runs; nothing here tells which of them a feature has."""
    if not all(match.definition.registry for match, _ in candidates):
        return [[match for match, _ in candidates]]
    # cypress-cucumber-preprocessor loads a feature's own folder first; code that calls a step has none
    own = str(PurePath(path).with_suffix("")) + "/" if PurePath(path).name else "\0"
    groups: dict[str, list[Match]] = {}
    for match, _ in sorted(
        candidates, key=lambda candidate: not candidate[0].definition.path.replace("\\", "/").startswith(own)
    ):
        definition = match.definition
        place = definition.path if definition.registry.startswith("@") else ""
        group = groups.setdefault(place + definition.registry, [])
        if not group or not definition.takes_first:
            group.append(match)
    return list(groups.values())


def _stages(candidates: list[Candidate]) -> list[list[Candidate]]:
    """The candidates of each run: behave loads `steps`, or with `--stage develop` the folder `develop_steps` beside it,
    but no folder below."""
    stages: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        *above, folder = PurePath(candidate[0].definition.path).parent.parts or ("",)
        is_stage = folder.endswith("_steps") and "steps" not in above
        stages.setdefault(folder if is_stage else "", []).append(candidate)
    return [stages[stage] for stage in sorted(stages)]


def _by_behave(candidates: list[Candidate], asked: _Asked) -> list[list[Match]]:
    """behave takes the match that was registered first, for the step's own keyword before `@step`. It refuses only a
    definition whose pattern an earlier definition of its keyword matches (behave/step_registry.py)."""
    groups = []
    for stage in _stages(candidates):
        stage.sort(key=lambda candidate: not candidate[0].definition.keyword_types)
        chosen, key = stage[0]
        first = chosen.definition
        refused = [
            match
            for match, _ in stage[1:]
            if match.definition.keyword_types == first.keyword_types
            and (match.definition.expression == first.expression or asked.matches(key, match.definition.expression))
        ]
        groups.append([chosen, *refused])
    return groups


def nearest_registered(candidates: list[Candidate], nearness: Callable[[StepDefinition], int]) -> Candidate:
    """The definition that its runner chooses. Among the nearest, that is the last one in pytest, else the first, or the
    one that replaced it (in CodeceptJS the last one with the same text, lib/interfaces/bdd.js)."""
    highest = max(nearness(match.definition) for match, _ in candidates)
    own = [candidate for candidate in candidates if nearness(candidate[0].definition) == highest]
    if own[0][0].definition.framework == "pytest-bdd":
        return max(own, key=lambda candidate: _fixture(candidate[0]))
    expression = own[0][0].definition.expression
    return [candidate for candidate in candidates if candidate[0].definition.expression == expression][-1]


def _fixture(match: Match) -> tuple[str, tuple[str, int, int]]:
    """The order of fixtures: pytest collects them alphabetically (pytest_bdd/steps.py)."""
    definition = match.definition
    keyword = next(iter(definition.keyword_types), "*")
    return f"{keyword}_{definition.expression}", registration_order(definition)


def _by_pytest_bdd(candidates: list[Candidate], _asked: _Asked) -> list[Candidate]:
    """pytest-bdd never complains: the last match of a module counts (scenario.py), and a test module precedes its
    `conftest.py`. Several modules remain if nothing tells which one runs a feature."""
    last: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=lambda candidate: _fixture(candidate[0])):
        last[candidate[0].definition.path] = candidate
    modules = {path: candidate for path, candidate in last.items() if PurePath(path).name != "conftest.py"}
    return [candidate for _, candidate in sorted((modules or last).items())]


def _around(candidates: list[Candidate], asked: _Asked) -> list[Candidate]:
    """The candidates of the nearest folder around a feature file that has any: a Go package runs with its own steps,
    and names the features below it. All candidates if there is none."""
    folder = PurePath(asked.path).parent
    around = (folder, *folder.parents)
    inside = [candidate for candidate in candidates if PurePath(candidate[0].definition.path).parent in around]
    deepest = max((len(PurePath(candidate[0].definition.path).parts) for candidate in inside), default=0)
    return [
        candidate for candidate in inside if len(PurePath(candidate[0].definition.path).parts) == deepest
    ] or candidates


def _by_reqnroll(candidates: list[Candidate], asked: _Asked) -> list[Candidate]:
    """A method counts if it takes as many arguments as the step has, including its table or DocString. Several
    expressions of one method count as one. Of several methods, those count whose scope meets the most criteria
    (Reqnroll, StepDefinitionMatchService.cs)."""
    candidates = [candidate for candidate in candidates if _takes(candidate[0], asked.argument)] or candidates
    degrees = [asked.degree(match) for match, _ in candidates]
    highest = max(degrees)
    best: dict[str, Candidate] = {}
    for candidate, reached in zip(candidates, degrees, strict=True):
        if reached == highest:
            best.setdefault(candidate[0].definition.function_id, candidate)
    return list(best.values())


def _by_translation(candidates: list[Candidate], _asked: _Asked) -> list[Candidate]:
    """One candidate for each definition: Behat's translations are no further definitions."""
    return list({candidate[0].definition.id: candidate for candidate in reversed(candidates)}.values())[::-1]


def _by_guess(candidates: list[Candidate], _asked: _Asked) -> list[Candidate]:
    """If cucumber-ruby guesses, it takes the longest expression without arguments or, among those with the most
    arguments, the one that captures the fewest characters (cucumber-ruby, step_match_search.rb)."""
    if not all(match.definition.guesses for match, _ in candidates):
        return candidates
    plain = [candidate for candidate in candidates if not candidate[0].arguments]
    if plain:
        return _with_highest(plain, lambda match: len(match.definition.expression))
    with_most = _with_highest(candidates, lambda match: len(match.arguments))
    return _with_highest(with_most, lambda match: -sum(len(argument.value or "") for argument in match.arguments))


def _with_highest(candidates: list[Candidate], rank: Callable[[Match], int]) -> list[Candidate]:
    highest = max(rank(match) for match, _ in candidates)
    return [candidate for candidate in candidates if rank(candidate[0]) == highest]


def _takes(match: Match, argument: str | None) -> bool:
    """True if a method has as many parameters as there are arguments, and the last one can be the step's table or
    DocString. Other types are not compared, because a transformation may convert anything into them."""
    types = match.definition.parameters
    if types is None or argument == UNKNOWN_ARGUMENT:
        return True
    if len(types) != len(match.arguments) + (argument is not None):
        return False
    last = types[-1].split(".")[-1].rstrip("?") if types else ""
    return not (argument == "docstring" and last in _TABLES) and not (argument == "table" and last in _TEXTS)


def _by_turnip(candidates: list[Candidate], asked: _Asked) -> list[Candidate]:
    """A step is a method of a module, named by its expression: if a scenario includes several, the last counts, and one
    of a module under the scenario's tag before others (turnip, define.rb). A fork takes the definition of the feature
    itself, or the nearest one (leihs/turnip, execute.rb); its helpers load the nearest one last."""
    ranked = [(asked.degree(candidate[0]), candidate) for candidate in reversed(candidates)]
    if not all(candidate[0].definition.guesses for candidate in candidates):
        best: dict[str, tuple[int, Candidate]] = {}
        for reached, candidate in ranked:
            expression = candidate[0].definition.expression
            if expression not in best or reached > best[expression][0]:
                best[expression] = reached, candidate
        return [candidate for _, candidate in best.values()][::-1]
    folder = PurePath(asked.path).parent.parts

    def nearness(ranked: tuple[int, Candidate]) -> tuple[int, int, int]:
        reached, (match, _) = ranked
        own = PurePath(match.definition.path).parent.parts
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(folder, own, strict=False)))
        return reached, shared, -len(own)

    return [max(ranked, key=nearness)[1]]


def _by_words(candidates: list[Candidate], _asked: _Asked) -> list[Candidate]:
    """In each source, the definitions with the most text outside placeholders, and then with the fewest placeholders
    (rstest-bdd-patterns, specificity.rs)."""

    def score(candidate: Candidate) -> tuple[int, int, int]:
        shown = candidate[0].definition.shown
        placeholders = re.findall(r"\{[^{}]*\}", shown)
        typed = sum(":" in placeholder for placeholder in placeholders)
        return len(shown) - sum(map(len, placeholders)), -len(placeholders), typed

    best: dict[str, tuple[int, int, int]] = {}
    for candidate in candidates:
        path = candidate[0].definition.path
        best[path] = max(best.get(path, score(candidate)), score(candidate))
    return [candidate for candidate in candidates if score(candidate) == best[candidate[0].definition.path]]


def _in_scenario(candidates: list[Candidate], asked: _Asked) -> list[list[Match]]:
    """The scenario's own definition before shared ones; of two for one text, each serves one step. If several test
    files load a feature, each runs it with its own definitions, and so do files with shared steps; nothing here tells
    which files use them."""
    if asked.situation is None:
        return [[match for match, _ in candidates]]
    own = [match for match, _ in candidates if match.definition.limits]
    files: dict[str, list[Match]] = {}
    for match in own or [match for match, _ in candidates]:
        files.setdefault(match.definition.path, []).append(match)
    chosen: list[Match] = []
    for matches in files.values():
        highest = max(map(asked.degree, matches))
        best = [match for match in matches if asked.degree(match) == highest]
        chosen.append(best[min(asked.situation.number, len(best) - 1)])
    return [[match] for match in chosen]


Choice = Callable[[list[Candidate], _Asked], list[list[Match]]]


def _every(candidates: list[Candidate], asked: _Asked) -> list[list[Match]]:
    return _by_registry(candidates, asked.path)


def _of_narrowed(narrow: Callable[[list[Candidate], _Asked], list[Candidate]]) -> Choice:
    def choice(candidates: list[Candidate], asked: _Asked) -> list[list[Match]]:
        return _by_registry(narrow(candidates, asked), asked.path)

    return choice


_CHOICES: Mapping[str, Choice] = {
    "behave": _by_behave,
    "pytest-bdd": _of_narrowed(_by_pytest_bdd),
    "godog": _of_narrowed(_around),
    **dict.fromkeys(DOTNET, _of_narrowed(_by_reqnroll)),
    "cucumber-ruby": _of_narrowed(_by_guess),
    "behat": _of_narrowed(_by_translation),
    "turnip": _of_narrowed(_by_turnip),
    RSTEST: _of_narrowed(_by_words),
    **dict.fromkeys(IN_SCENARIO, _in_scenario),
}
"""How a runner chooses if all candidates belong to runners with the same rule."""


def _below_features(candidates: list[Candidate], path: str) -> list[Candidate]:
    """Candidates below the folder `features` around a feature file, or all (configuration.rb, `require_dirs`)."""
    folders = PurePath(path).parent.parts
    if "features" not in folders:
        return candidates
    home = folders[: folders.index("features") + 1]
    inside = [
        candidate for candidate in candidates if PurePath(candidate[0].definition.path).parts[: len(home)] == home
    ]
    return inside or candidates


def _sharing_most(candidates: list[Candidate], path: str) -> list[Candidate]:
    """Candidates that share the deepest folder with a feature file: behave loads only the steps beside its features, in
    pytest the nearer definition overrides, and glue of another framework is mostly that of another suite."""
    return _sharing(candidates, [match.definition.path for match, _ in candidates], path)


def nearest_matches(matches: Sequence[Match], path: str) -> list[Match]:
    """The matches that share the deepest folder with a feature file."""
    return _sharing(matches, [match.definition.path for match in matches], path)


def _sharing(items: Sequence[Item], paths: Sequence[str], path: str) -> list[Item]:
    """The items whose paths share the deepest folder with `path`."""
    shared = [_folders_shared(path, other) for other in paths]
    deepest = max(shared, default=0)
    return [item for item, folders in zip(items, shared, strict=True) if folders == deepest]


@lru_cache(1 << 18)
def _folders_shared(path: str, other: str) -> int:
    """The number of folders around two files that are the same."""
    pairs = zip(PurePath(path).parent.parts, PurePath(other).parent.parts, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
