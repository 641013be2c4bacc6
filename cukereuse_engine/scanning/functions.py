"""The functions of one suite's step definitions, read and related."""

from collections.abc import Callable, Mapping, Sequence

from cukereuse_engine.detection.context import FindingOptions
from cukereuse_engine.detection.findings import find
from cukereuse_engine.detection.model import Finding
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.detection.rules import Scope
from cukereuse_engine.detection.rules.code import SAME, SUSPECT
from cukereuse_engine.detection.rules.one_definition import UNUSED
from cukereuse_engine.detection.strategies import detect
from cukereuse_engine.functions.boundary import boundary_of, build_of
from cukereuse_engine.functions.relations import Functions, by_path, read_source
from cukereuse_engine.functions.sources import read_forms
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.glue import Glue
from cukereuse_engine.judging.adapted_judge import AdaptedJudge
from cukereuse_engine.progress import SILENT, Progress
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.bound import bound_functions
from cukereuse_engine.scanning.suite import Suite
from cukereuse_engine.storage.blob_store import BlobStore
from cukereuse_engine.strategies import EXACT
from cukereuse_engine.text.words import detect_languages


def functions_cache() -> BlobStore:
    """Forms in the user's cache folder."""
    return BlobStore("functions.sqlite")


def load_functions(
    glue: Glue,
    *,
    jobs: int | None = None,
    cache: BlobStore | None = None,
    read: Callable[[str], bytes | None] = read_source,
    edits: bool = False,
    progress: Progress = SILENT,
) -> Functions:
    """What the functions of a suite's step definitions do. `edits`: some will follow, so the sources are kept. Raises
    `Cancelled` when `progress` does."""

    def bind(text: str, path: str) -> Sequence[tuple[StepDefinition, tuple[str | None, ...]]]:
        matches = glue.matches(text, path)
        return [(match.definition, tuple(argument.value for argument in match.arguments)) for match in matches]

    sources: dict[str, bytes] = {}

    def read_once(path: str) -> bytes | None:
        data = read(path)
        if data is not None and edits:
            sources[path] = data
        return data

    definitions = glue.definitions
    forms = read_forms(by_path(definitions), read_once, jobs=jobs, cache=cache, progress=progress)
    functions = Functions(read, bind, boundary_of, build=build_of)
    own = [
        definition for definition in glue.own_definitions if glue.is_checked(definition)
    ]  # of others nobody knows whether they are used
    functions.load(definitions, forms, own, sources)
    return functions


def code_findings(
    suite: Suite, glue: Glue, functions: Functions, severities: Mapping[str, Severity] | None = None
) -> tuple[Finding, ...]:
    """What the functions of a suite say; texts are compared no further than that needs."""
    languages = detect_languages(text.template.masked for text in suite.texts)
    judge = AdaptedJudge.for_bound_suite(suite.texts, bound_functions(suite.steps, glue))
    detection = detect(suite.texts, StrategyOptions(strategy=EXACT.name, languages=languages), judge=judge)
    options = FindingOptions(severities or {})
    findings = find(
        detection,
        suite.steps,
        bindings=glue.bind,
        judge=judge,
        functions=functions,
        options=options,
        scopes=(Scope.SUITE,),
    )
    return tuple(finding for finding in findings if finding.rule in (SAME, SUSPECT, UNUSED))
