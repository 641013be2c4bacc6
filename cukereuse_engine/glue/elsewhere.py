"""Names in expressions that are imported from other sources: found there, and replaced if they have a single text.

A source lists the names that it lacks (`Extraction.references`). Sources that contain such a name are read for its
value, and the importing source is read again with it (`Extraction.given`). Nothing is executed or guessed: a name that
two sources define differently stays unknown.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import PurePath

from cukereuse_engine.glue.definition import Constant, Extraction, Reference
from cukereuse_engine.glue.languages.base import Language, language_for
from cukereuse_engine.glue.languages.syntax_errors import SlowSourceError
from cukereuse_engine.storage.kept import Kept

MAX_FILES = 1_000
"""The number of sources of one language family in which names are looked up."""
_ROUNDS = 4
"""Maximum number of rounds: the values of one round may contain names for the next."""
_OF_FOLDER = frozenset({"index", "__init__", "mod"})
"""The names of files that represent their folder."""

Read = Callable[[str], bytes | None]
"""A source's bytes by its path; None if it can't be read."""
Extract = Callable[[str, bytes, Sequence[Constant]], Extraction]
Keep = Callable[..., Kept[tuple[Constant, ...] | None]]
"""A store for the values of names in sources, by these names."""


def filled(
    sources: Mapping[str, Extraction], paths: Iterable[str], extract: Extract, read: Read, keep: Keep | None = None
) -> dict[str, Extraction]:
    """`sources` with values for the names that those at `paths` define; the values may contain further names. `keep`:
    only if `read` gives the contents on disk."""
    extractions = dict(sources)
    open_ = {path: extraction for path, extraction in sources.items() if extraction.references}
    for _ in range(_ROUNDS):
        after = _filled_once(open_, paths, extract, read, keep)
        extractions |= after
        open_ = {
            path: extraction
            for path, extraction in after.items()
            if set(extraction.references) - set(open_[path].references)
        }
        if not open_:
            break
    return extractions


def _filled_once(
    sources: Mapping[str, Extraction], paths: Iterable[str], extract: Extract, read: Read, keep: Keep | None
) -> dict[str, Extraction]:
    """The sources that read differently with the values."""
    extractions: dict[str, Extraction] = {}
    references_by_family: dict[int, set[Reference]] = {}
    for path, extraction in sources.items():
        language = language_for(path)
        if language is not None and extraction.references:
            references_by_family.setdefault(_family(language), set()).update(extraction.references)
    tables = {
        family: _table(family, references, paths, read, keep) for family, references in references_by_family.items()
    }
    for path, extraction in sources.items():
        language = language_for(path)
        if language is None or not extraction.references:
            continue
        table = tables[_family(language)]
        kept = {constant.name: constant for constant in extraction.given if constant.name in language.collected}
        picked: list[Constant] = []
        for reference in extraction.references:
            constants = table.get(reference.name, ())
            own = kept.get(reference.name)
            picked += _parts(reference, constants, language) if own is None else [own]
        given = tuple(picked)
        data = read(path) if given != extraction.given else None
        if data is not None:
            extractions[path] = extract(path, data, given)
    return extractions


def tells(path: str, source: bytes, asking: Iterable[Extraction]) -> bool:
    """True if a source may define names that others import."""
    language = language_for(path)
    names = {reference.name for extraction in asking for reference in extraction.references}
    if language is None or language.constants is None or not names - language.collected.keys():
        return False
    return _defines(names - language.collected.keys(), language).search(source) is not None


def _family(language: Language) -> int:
    """Languages that import from each other, such as TypeScript and JavaScript, read regular expressions alike."""
    return id(language.regex)


def _table(
    family: int, references: Set[Reference], paths: Iterable[str], read: Read, keep: Keep | None
) -> dict[str, list[Constant]]:
    names = frozenset(reference.name for reference in references)
    constants_of: dict[str, list[Constant]] = {}
    kept = keep(*sorted(names)) if keep is not None else None
    patterns: dict[str, re.Pattern[bytes]] = {}
    looked = 0
    for path, language in _of_family(family, paths):
        if looked >= MAX_FILES:
            break
        saved = kept.get(path) if kept is not None else None
        if saved is None:
            if language.id not in patterns:
                patterns[language.id] = _defines(names, language)
            try:
                saved = (_constants_in(path, names, language, patterns[language.id], read),)
            except SlowSourceError:  # a later try may succeed
                continue
            if kept is not None:
                kept.put(path, saved[0])
        looked += saved[0] is not None
        for constant in saved[0] or ():
            constants_of.setdefault(constant.name, []).append(constant)
    if kept is not None:
        kept.save()
    return constants_of


def _constants_in(
    path: str, names: frozenset[str], language: Language, pattern: re.Pattern[bytes], read: Read
) -> tuple[Constant, ...] | None:
    """The values of these names in a source; None if it contains none of them. Raises `SlowSourceError`."""
    assert language.constants is not None
    data = read(path)
    if data is None or not pattern.search(data):
        return None
    try:
        return tuple(language.constants(path, data, names))
    except SlowSourceError:
        raise
    except Exception:  # whatever goes wrong affects only this file
        return ()


def _of_family(family: int, paths: Iterable[str]) -> Iterator[tuple[str, Language]]:
    """Yields the sources in a family's languages that can define names."""
    for path in paths:
        language = language_for(path)
        if language is not None and language.constants is not None and _family(language) == family:
            yield path, language


def _defines(names: Set[str], language: Language) -> re.Pattern[bytes]:
    """Matches in every source that may define one of the names."""
    plain = b"|".join(re.escape(name).encode() for name in sorted(names - language.collected.keys()))
    patterns = [pattern for name, pattern in language.collected.items() if name in names]
    if plain:
        patterns.append(
            rb"\b(?:" + plain + rb")\b[^\n=]{0,80}(?:=|:)"
            rb"|\b(?:def|fun|func|function|class|record)\b[^\n]*\b(?:" + plain + rb")\b"
        )
    return re.compile(b"|".join(patterns))


def _parts(reference: Reference, constants: Sequence[Constant], language: Language) -> list[Constant]:
    """The values of a reference: one, or all the parts that sources contribute to it."""
    if language.gathered and reference.owner.startswith(language.gathered):
        return sorted(
            (constant for constant in constants if constant.owner == reference.owner),
            key=lambda constant: (constant.path, constant.text),
        )
    picked = _pick(reference, constants, language)
    return [picked] if picked is not None else []


def _pick(reference: Reference, constants: Sequence[Constant], language: Language) -> Constant | None:
    """The value of a reference; None if it is unknown or ambiguous."""
    name, owner = reference.name, reference.owner
    if name in language.collected:
        texts = sorted({constant.text for constant in constants}, key=lambda text: (-len(text), text))
        return Constant(name, owner, "", "|".join(texts)) if texts else None
    matching = [
        constant for constant in constants if not owner or owner == constant.owner or owner == _module_of(constant.path)
    ]
    values = {(constant.text, constant.is_regex, constant.flags, constant.is_function) for constant in matching}
    if len(values) != 1:
        return None
    first = matching[0]
    return Constant(name, owner, first.path, first.text, first.is_regex, first.flags, first.is_function)


def _module_of(path: str) -> str:
    pure = PurePath(path)
    stem = pure.name.split(".")[0]
    return pure.parent.name if stem in _OF_FOLDER else stem
