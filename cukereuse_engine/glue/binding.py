"""Which definitions each text binds to, kept up to date.

`Binder` has the definitions by file, the texts, and for each requested text the definitions that match it. A rename
requests the texts of one definition, a scan all texts. A prefilter (words and literal fragments that a definition
requires) precedes every match in both directions: a new definition looks for its texts, a text for its definitions. The
filter never loses a match; `brute_force` in the tests is its twin.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain, count

from cukereuse_engine.gherkin.feature import KeywordType
from cukereuse_engine.glue import choice
from cukereuse_engine.glue.definition import Extraction, GlueError, Limit, Match, ParameterType, StepDefinition
from cukereuse_engine.glue.fragments import words
from cukereuse_engine.glue.keyword_types import answers, asked_types
from cukereuse_engine.glue.known_texts import KnownTexts
from cukereuse_engine.glue.limits import Situation, degree, is_limited
from cukereuse_engine.glue.matchers import Matcher, compile_definition, prepare
from cukereuse_engine.glue.parameter_types import merged
from cukereuse_engine.glue.patterns import PatternQuestion
from cukereuse_engine.glue.reach import Reach
from cukereuse_engine.glue.text_binding import TextBinding
from cukereuse_engine.storage.blob_store import Blobs

_MANY = 20
"""The number of definitions from which a look into the cache pays."""

_Rule = tuple[str, str, frozenset[str], str, str, str, str, tuple[Limit, ...], str, bool, bool, tuple[str, ...] | None]
"""Everything that decides what a definition matches, and in which runner."""


def _rule(definition: StepDefinition) -> _Rule:
    return (
        definition.expression,
        definition.kind,
        definition.keyword_types,
        definition.language,
        definition.framework,
        definition.anchoring,
        definition.flags,
        definition.limits,
        definition.registry,
        definition.takes_first,
        definition.guesses,
        definition.parameters,
    )


class Binder:
    """The definitions and the texts of one suite. Not thread-safe."""

    def __init__(self, reach: Reach | None = None, cache: Blobs | None = None) -> None:
        """A definition outside `reach` counts for a text only if none within reach matches it; the suite's own
        parameter types take precedence over others of the same name. `cache` keeps results about expressions."""
        self._reach = reach or Reach()
        self._cache = cache
        self._extractions: dict[str, Extraction] = {}
        self._keys: dict[str, list[int]] = {}
        """Maps a file to the keys of its definitions. A key stays if its definition only moves; none is used again."""
        self._definitions: dict[int, StepDefinition] = {}
        self._matchers: dict[int, Matcher] = {}
        self._assuming: set[int] = set()
        """The definitions that are only assumed to match."""
        self._errors: dict[int, tuple[GlueError, ...]] = {}
        self._new_keys = count()
        self._by_word: dict[str, set[int]] = defaultdict(set)
        self._word_of: dict[int, str | None] = {}
        """The required word under which a definition is in `_by_word`; None if it is in `_wordless`."""
        self._wordless: set[int] = set()
        self._texts = KnownTexts()
        self._bound: dict[str, dict[int, Match]] = {}
        """The matches of the texts that were requested."""
        self._texts_of: dict[int, set[str]] = defaultdict(set)
        """The texts in `_bound`, by definition."""
        self._others: dict[int, set[str]] = defaultdict(set)
        """Texts without a request that a definition does not match, although its requirement allows them."""
        self._frameworks: Counter[str] = Counter()
        self._keys_of_id: dict[str, list[int]] | None = None
        """None after a file changed."""
        self._limited: dict[str, bool] = {}
        """True if a file has definitions with limits."""
        self._registered: dict[str, bool] = {}
        """True if a file has definitions of a registry."""

    @property
    def extractions(self) -> Mapping[str, Extraction]:
        """The contents of each source."""
        return self._extractions

    @property
    def frameworks(self) -> Set[str]:
        """The frameworks of all definitions."""
        return self._frameworks.keys()

    @property
    def has_limits(self) -> bool:
        """True if some definition does not apply everywhere."""
        return any(self._limited.values())

    @property
    def has_registries(self) -> bool:
        """True if a feature file's own name may decide which of several definitions counts."""
        return any(self._registered.values())

    @property
    def definitions(self) -> list[StepDefinition]:
        """All definitions, by path and place."""
        return [self._definitions[key] for path in sorted(self._keys) for key in self._keys[path]]

    @property
    def unchecked(self) -> frozenset[str]:
        """Ids of the definitions that can't be matched; whether they are used is unknown."""
        return frozenset(definition.id for key, definition in self._definitions.items() if self._is_unchecked(key))

    def is_checked(self, definition: StepDefinition) -> bool:
        """False for an expression that is broken or not understood, and for an unknown definition."""
        return not all(map(self._is_unchecked, self._keys_with(definition.id)))

    def _is_unchecked(self, key: int) -> bool:
        matcher = self._matchers.get(key)
        return matcher is None or matcher.error is not None

    @property
    def errors(self) -> list[GlueError]:
        """The errors of extraction, compilation and matching, by path and line."""
        errors = [error for extraction in self._extractions.values() for error in extraction.errors]
        errors += [error for group in self._errors.values() for error in group]
        errors += [matcher.error for matcher in self._matchers.values() if matcher.error is not None]
        return sorted(errors, key=lambda error: (error.path, error.line, error.column, error.message))

    def errors_in(self, path: str) -> list[GlueError]:
        """The errors of one source."""
        errors = list(self._extractions[path].errors) if path in self._extractions else []
        for key in self._keys.get(path, ()):
            errors += self._errors.get(key, ())
            matcher = self._matchers.get(key)
            if matcher is not None and matcher.error is not None:
                errors.append(matcher.error)
        return sorted(errors, key=lambda error: (error.line, error.column, error.message))

    @property
    def texts(self) -> Iterable[str]:
        return self._texts

    @property
    def asked(self) -> set[str]:
        """The texts that were requested."""
        return set(self._bound)

    def texts_of(self, definition_id: str) -> frozenset[str]:
        """The known texts that a definition matches, after any keyword."""
        keys = self._keys_with(definition_id)
        for key in keys:
            self._ask_for_texts_of(key)
        return frozenset[str]().union(*(self._texts_of.get(key, ()) for key in keys))

    def _keys_with(self, definition_id: str) -> Sequence[int]:
        if self._keys_of_id is None:
            self._keys_of_id = {}
            for key, definition in self._definitions.items():
                self._keys_of_id.setdefault(definition.id, []).append(key)
        return self._keys_of_id.get(definition_id, ())

    def may_serve(self, definition: StepDefinition) -> bool:
        """True if the definition matches known texts of other definitions that are only assumed to match them."""
        texts = self.texts_of(definition.id) if self._assuming else frozenset[str]()
        for key in self._assuming if texts else ():
            self._ask_for_texts_of(key)
        others = (key for key in self._assuming if self._definitions[key].id != definition.id)
        return any(not texts.isdisjoint(self._texts_of.get(key, ())) for key in others)

    def _ask_for_texts_of(self, key: int) -> None:
        """Bind the texts that it matches and nobody requested; the other texts stay unbound."""
        matcher = self._matchers.get(key)
        if matcher is None or not self._texts.unasked:
            return
        others = self._others[key]
        for text in (self._texts.candidates(matcher.requirement) & self._texts.unasked) - others:
            if not self._texts.allows(matcher.requirement, text):
                continue
            if matcher.match(text) is None:
                others.add(text)
            else:
                self._ask_for(text)

    def unsaid(self, is_said: Callable[[str], bool]) -> list[StepDefinition]:
        """The definitions that match no text in use."""
        for text in [*self._texts.unasked]:
            self._ask_for(text)
        return [
            definition
            for key, definition in self._definitions.items()
            if not any(map(is_said, self._texts_of.get(key, ()))) and not self._is_unchecked(key)
        ]

    def update_files(self, extractions: Mapping[str, Extraction | None]) -> set[str]:
        """Take files that are new, changed or (None) gone. Returns the requested texts whose definitions changed."""
        self._keys_of_id = None
        before = self.parameter_types
        changed: set[str] = set()
        added: list[int] = []
        for path, extraction in extractions.items():
            changed |= self._update_file(path, extraction, added)
        types = self.parameter_types
        other = {name for name in types.keys() | before.keys() if types.get(name) != before.get(name)}
        fresh = set(added)
        outdated = [key for key, matcher in self._matchers.items() if other and matcher.parameter_types & other]
        for key in outdated:
            if key not in fresh:
                changed |= self._remove_definition(key)
                added.append(key)
        questions: dict[int, PatternQuestion] = {}
        if self._cache is not None and len(added) > _MANY:
            questions = prepare({key: self._definitions[key] for key in added}, types, self._cache)
        for key in added:
            changed |= self._add_definition(key, types, questions.get(key))
        return changed

    def _update_file(self, path: str, extraction: Extraction | None, added: list[int]) -> set[str]:
        """Returns the texts whose definitions changed, and adds the keys of new definitions to `added`; a definition
        that only moves keeps its key."""
        reusable: dict[_Rule, list[int]] = {}
        for key in reversed(self._keys.pop(path, ())):
            reusable.setdefault(_rule(self._definitions[key]), []).append(key)
        self._extractions.pop(path, None)
        defined = extraction.definitions if extraction is not None else ()
        self._limited[path] = any(map(is_limited, defined))
        self._registered[path] = any(definition.registry for definition in defined)
        if extraction is not None:
            self._extractions[path] = extraction
            self._keys[path] = []
        changed: set[str] = set()
        for definition in defined:
            alike = reusable.get(_rule(definition))
            if alike and alike[-1] in self._matchers and not self._errors[alike[-1]]:
                key = alike.pop()
                changed |= self._move_definition(key, definition)
            else:
                key = next(self._new_keys)
                self._definitions[key] = definition
                self._frameworks[definition.framework] += 1
                added.append(key)
            self._keys[path].append(key)
        for key in chain.from_iterable(reusable.values()):
            changed |= self._remove_definition(key)
            self._frameworks -= Counter([self._definitions.pop(key).framework])
        return changed

    def update_texts(self, added: Iterable[str] = (), removed: Iterable[str] = ()) -> None:
        """Add and remove texts. Unknown removals and known additions are ignored."""
        for text in removed:
            if self._texts.remove(text):
                for key in self._bound.pop(text, ()):
                    self._texts_of[key].discard(text)
        for text in added:
            self._texts.add(text)

    def bind(
        self,
        text: str,
        keyword_type: KeywordType = KeywordType.UNKNOWN,
        path: str = "",
        holds: Callable[[StepDefinition], bool] | None = None,
        *,
        anywhere: bool = True,
        carried: KeywordType | None = None,
        run_on: KeywordType | None = None,
        situation: Situation | None = None,
        argument: str | None = choice.UNKNOWN_ARGUMENT,
        nearness: Callable[[StepDefinition], int] | None = None,
        frameworks: Set[str] = frozenset(),
    ) -> TextBinding:
        """The binding of `text` as a step of this (resolved) keyword type in the feature file `path`; an unknown text
        is added. `carried`: another type for runners that take `*` for a conjunction; `run_on`: another type for
        runners that continue the step that ran before (`Step.run_type`). `holds`: true for definitions that count;
        `anywhere`: their place does not matter. `situation` is compared with the limits of definitions; without one,
        limits are ignored. `argument` as `Step.argument`, `nearness` and `frameworks` as in `Scope`."""
        self._ask_for(text)
        carried = keyword_type if carried is None else carried
        types = asked_types(keyword_type, carried, carried if run_on is None else run_on)
        candidates = self._counting(self._answering(text, *types), path, holds, situation)
        if len(candidates) < 2:
            return TextBinding(text, tuple(match for match, _ in candidates))
        by_place = holds is None or not anywhere
        if by_place:
            candidates = self._reach.narrow(candidates, path)
        elif frameworks:
            candidates = self._reach.narrow_others(candidates, path, frameworks, nearness)
        groups = choice.choose(candidates, path, situation, argument, self._matches, nearness)
        if path and by_place and any(len(group) > 1 for group in groups):
            groups = [part for group in groups for part in self._reach.by_project(group, path)]
        return TextBinding(text, tuple(chain.from_iterable(groups)), tuple(map(tuple, groups)) if groups[1:] else ())

    def _answering(self, text: str, asked_here: str | None, other: Mapping[str, str | None]) -> list[choice.Candidate]:
        """The definitions that match a text and have the required keyword type."""
        return [
            (match, key)
            for key, match in self._bound[text].items()
            if answers(match.definition, other.get(match.definition.framework, asked_here))
        ]

    def _counting(
        self,
        candidates: list[choice.Candidate],
        path: str,
        holds: Callable[[StepDefinition], bool] | None,
        situation: Situation | None,
    ) -> list[choice.Candidate]:
        """The candidates that are in reach and whose limits allow the step."""
        if holds is not None:
            candidates = [candidate for candidate in candidates if holds(candidate[0].definition)]
        elif path and len(candidates) > 1:
            candidates = [candidate for candidate in candidates if self._reach.sees(path, candidate[0].definition)]
        if situation is not None:
            candidates = [candidate for candidate in candidates if degree(candidate[0].definition, situation) >= 0]
        return candidates

    def _matches(self, key: int, text: str) -> bool:
        """True if a definition surely matches a text."""
        matcher = self._matchers[key]
        return not matcher.assumes and matcher.match(text) is not None

    @property
    def parameter_types(self) -> dict[str, ParameterType]:
        """Types by name. Of two with one name, the first counts: those at home first, then by path and line."""
        paths = sorted(self._extractions, key=lambda source: (not self._reach.is_home(source), source))
        return merged(parameter_type for path in paths for parameter_type in self._extractions[path].parameter_types)

    def _add_definition(
        self, key: int, types: Mapping[str, ParameterType], question: PatternQuestion | None
    ) -> set[str]:
        compiled = compile_definition(self._definitions[key], types, question)
        self._errors[key] = compiled.errors
        matcher = compiled.matcher
        if matcher is None:
            return set()
        self._matchers[key] = matcher
        if matcher.assumes:
            self._assuming.add(key)
        required = matcher.requirement
        word = min(
            required.words,
            key=lambda text_word: (len(self._by_word.get(text_word, ())), -len(text_word), text_word),
            default=None,
        )
        self._word_of[key] = word
        (self._wordless if word is None else self._by_word[word]).add(key)
        texts = self._texts.candidates(required) - self._texts.unasked if self._bound else set[str]()
        bound = {text for text in texts if self._try(key, matcher, text)}
        self._texts_of[key] = bound
        return set(bound)

    def _move_definition(self, key: int, definition: StepDefinition) -> set[str]:
        """The definition of `key` has moved in its file and matches as before. Returns its texts."""
        if definition == self._definitions[key]:
            return set()
        self._definitions[key] = self._matchers[key].definition = definition
        texts = self._texts_of.get(key, set())
        for text in texts:
            self._bound[text][key] = Match(definition, self._bound[text][key].arguments)
        return set(texts)

    def _try(self, key: int, matcher: Matcher, text: str) -> bool:
        if not self._texts.allows(matcher.requirement, text):
            return False
        match = matcher.match(text)
        if match is None:
            return False
        self._bound[text][key] = match
        return True

    def _remove_definition(self, key: int) -> set[str]:
        """Forget what was compiled for a definition; the definition itself stays in `_definitions`."""
        self._errors.pop(key, None)
        self._others.pop(key, None)
        if self._matchers.pop(key, None) is None:
            return set()
        self._assuming.discard(key)
        word = self._word_of.pop(key)
        (self._wordless if word is None else self._by_word[word]).discard(key)
        texts = self._texts_of.pop(key, set())
        for text in texts:
            del self._bound[text][key]
        return texts

    def _ask_for(self, text: str) -> None:
        """Bind a text, if it is not bound yet; an unknown text is added."""
        if text in self._bound:
            return
        self._bound[text] = {}
        candidates = set(self._wordless)
        for word in words(self._texts.ask_for(text)):
            candidates |= self._by_word.get(word, set())
        for key in sorted(candidates):
            if self._try(key, self._matchers[key], text):
                self._texts_of[key].add(text)
