"""New steps beside those of a definition: what it did may have moved there."""

from collections import Counter, defaultdict
from collections.abc import Set

from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.gherkin.read import read_bytes
from cukereuse_engine.git import Blob, GitRepository
from cukereuse_engine.glue.matchers import Matcher, compile_definition
from cukereuse_engine.glue.step_binding import expanded_texts
from cukereuse_engine.history.definitions import definition_of
from cukereuse_engine.history.lineages import DefinitionVersion

Scenarios = dict[tuple[str, str], Counter[str]]
"""The steps of each scenario, by its path and name."""


def gained_neighbours(repository: GitRepository, version: DefinitionVersion, source: bytes) -> bool:
    """True if the commit that brought `version`, a definition in `source`, put other steps into most of the scenarios
    that it serves."""
    definition = definition_of(version.path, source, version.state)
    matcher = compile_definition(definition, {}).matcher if definition is not None else None
    try:
        parent = repository.resolve(f"{version.commit.id}^")
    except CukereuseError:
        return False  # the first commit
    earlier, later = map(set, repository.trees([parent, version.commit.id], FEATURE_SUFFIXES))
    if matcher is None or earlier == later:
        return False
    before, after = (_served(repository, blobs, matcher) for blobs in (earlier - later, later - earlier))
    gained = [bool(after[place] - before[place]) for place in before.keys() & after.keys()]
    if not any(gained):
        return False
    return 2 * sum(gained) > len(gained) + len(_served(repository, earlier & later, matcher))


def _served(repository: GitRepository, files: Set[Blob], matcher: Matcher) -> Scenarios:
    """The scenarios with steps that the definition matches, without these steps."""
    served: set[tuple[str, str]] = set()
    scenarios: Scenarios = defaultdict(Counter)
    blobs = sorted(files, key=lambda blob: blob.path)
    contents = repository.contents((blob.id for blob in blobs), lenient=True)
    for blob, (_, data) in zip(blobs, contents, strict=True):
        for step in read_bytes(blob.path, data).steps:
            place = blob.path, step.scenario
            if any(matcher.match(text) for text in expanded_texts(step)):
                served.add(place)
            else:
                scenarios[place][step.text] += 1
    return {place: scenarios[place] for place in served}
