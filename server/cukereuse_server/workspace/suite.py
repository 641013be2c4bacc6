"""One suite, kept up to date: what changed is compared anew, the rest stands.

Edges join templates that the judge accepts as one intent. Linkage never looks beyond a connected component of edges,
so the findings of a component are what `detect` and `find` give for its texts; `scan` is the exact
twin. What the judge knows of the whole suite (how often a frame is filled) is from the last `compared`; it is
renewed when the suite has changed much.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.findings import find, told_once
from cukereuse_engine.detection.model import Cluster, Finding
from cukereuse_engine.detection.options import Detection, StrategyOptions
from cukereuse_engine.detection.rules import Scope
from cukereuse_engine.detection.rules.code import UNUSED, unused_definition
from cukereuse_engine.detection.strategies import detect
from cukereuse_engine.functions.relations import Functions
from cukereuse_engine.gherkin.model import FeatureFile
from cukereuse_engine.glue.model import StepDefinition
from cukereuse_engine.glue.workspace import Glue, expanded_texts
from cukereuse_engine.index.pairs import ScoredPairs
from cukereuse_engine.judging.model import StepText
from cukereuse_engine.rules import Severity
from cukereuse_engine.scanning.options import strategy_options
from cukereuse_engine.settings import Settings
from cukereuse_engine.similarity.embedder import Vectors
from cukereuse_engine.suppression.baseline import Baseline
from cukereuse_engine.text.identity import normalise
from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.neighbours import Neighbours
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.siblings import Siblings
from cukereuse_server.workspace.stages.comparing import Compared, Judged
from cukereuse_server.workspace.stages.embedding import Embedded
from cukereuse_server.workspace.stages.glue import Loaded, Sources
from cukereuse_server.workspace.texts import Texts

_FEW = 20
"""Templates of a file that are looked at before it is answered; more are looked at in slices."""
_FEW_NEW = 4
"""New templates that are compared before a file is answered, some milliseconds each; more are in slices."""
_RENEW_SHARE, _RENEW_LEAST = 0.02, 50
"""How many templates may come and go before the judge's picture of the suite is renewed."""


@dataclass(frozen=True, slots=True)
class Component:
    """Templates joined by edges, directly or through others, and what was found among them."""

    keys: tuple[str, ...]
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    """What pragmas and settings leave."""
    detection: Detection | None = None
    """None where there is nothing to compare."""


class SuiteState:
    """`replace_file` and `replace_source` take files as they change, `use_…` what a stage gave; everything else asks.
    For one thread."""

    def __init__(self, root: str, settings: Settings, baseline: Baseline = Baseline()) -> None:  # noqa: B008 - it never changes
        self.root = root
        self.settings = settings
        self.texts = Texts()
        self.neighbours = Neighbours(("en",))
        self.judge: SharedJudge | None = None
        """None until the suite is known well enough to judge."""
        self.compared = False
        """Whether all templates have been compared; before, a template is when it is asked for."""
        self.tried = self.settled = False
        """Whether it was tried to compare all; and with vectors, where there is a model."""
        self.definitions_known = False
        """Whether it is known which step definitions there are, be it none."""
        self.sources: Sources | None = None
        """Of the step definitions, where there are any that can be read."""
        self.look_at_sources = False
        """Whether they may have changed on disk."""
        self.asked_for: set[str] | None = None
        """Templates of which no vector is to be asked for, because that was done; None before there is a model."""
        self.wanted_vectors: set[str] = set()
        """Templates that came since."""
        self.drift = 0
        """Templates that came or went since the judge was made, and texts that bind to something else."""
        self._adjacent: dict[str, set[str]] = {}
        self._new: set[str] = set()
        """Templates that have not been compared with all others."""
        self._components: dict[str, Component] = {}
        self._previous: dict[str, Component] = {}
        """By template: components whose places may have moved, but perhaps not their texts."""
        self._affected: set[str] = set()
        self._rebound: set[str] = set()
        """Templates that were compared before they bound to what they do now."""
        self.bindings = SuiteBindings(self.texts)
        self._siblings = Siblings(self.texts, self.bindings)
        self.functions: Functions | None = None
        """What the functions of the step definitions do, where there are any."""
        self._code: tuple[Finding, ...] | None = None
        """What they say, until anything changes."""
        self._code_keys: frozenset[str] = frozenset()
        """Templates that this was found of."""
        self.rules = SuiteRules(self.texts, settings, baseline)

    # -- what changes

    def replace_file(self, path: str, file: FeatureFile | None) -> set[str]:
        """A file is new, changed or (None) gone. Gives the keys of the templates that this touches."""
        before = self.texts.files.get(path)
        touched = self.texts.replace_file(path, file)
        self._code = None
        rebound = self.bindings.replace_file(path, before, self.texts.files.get(path))
        self._siblings.update(touched | rebound)
        self._affected |= touched
        for key in touched if self.judge is not None else ():  # without, nothing is known that could be forgotten
            self._forget(key)
        self._compare_anew(rebound)
        for key in touched:
            compared = self.texts.is_language(key)
            if compared != (key in self.neighbours):
                self.drift += 1
                if compared:
                    self.neighbours.add(key, self.texts.masked(key))
                    self._new.add(key)
                else:
                    self._leave(key)
        return touched

    def use_judge(self, judged: Judged) -> None:
        """A judge that knows the suite as it is; what was compared by another stands until it is compared anew."""
        judge, neighbours = judged.judge, judged.neighbours
        if neighbours.languages != self.neighbours.languages:
            self.compared = False
            self._new.update(self.neighbours.keys())
        neighbours.take_over(self.neighbours)
        self.neighbours = neighbours
        self.judge = judge
        self.bindings.use_judge(judge)
        self._code = None
        self.rules.show_undefined(self.bindings.is_whole)
        self._rebound.clear()
        self.drift = 0
        self._forget_all()
        self._previous.clear()

    def use_pairs(self, compared: Compared) -> None:
        """All accepted pairs among some templates, in place of what was accepted among them before. Templates that came
        since are compared one by one."""
        known = {key for key in compared.keys if key in self.neighbours}
        edges: dict[str, set[str]] = {key: self._adjacent.get(key, set()) - known for key in known}
        for one, other in compared.pairs:
            if one in known and other in known:
                edges[one].add(other)
                edges[other].add(one)
        for key, others in edges.items():
            self._set_edges(key, others)
        self._new -= known
        self.compared = True
        if len(self.neighbours.vectors):  # scores may be others now
            self._forget_all()
            self._previous.clear()

    def use_glue(self, loaded: Loaded, held: Mapping[str, bytes]) -> None:
        """Step definitions that know the texts of the suite. `held`: sources, by path, that are not as on disk."""
        self.bindings.glue, self.sources, self.functions = loaded.glue, loaded.sources, loaded.functions
        self._code = None
        for path, source in held.items():
            loaded.glue.update_file(path, source)
            loaded.functions.update(path, source, self._defined_in(path))
        self._siblings.forget()
        self._forget_all()

    def reconfigure(self) -> bool:
        """Read anew which step definitions hold where; false where there are none."""
        if self.glue is None:
            return False
        self.glue.reload_configuration()
        self._siblings.forget()
        self._forget_all()
        return True

    def replace_source(self, path: str, source: bytes | None) -> bool:
        """A source is new, changed or (None) gone. Whether any text, definition or finding is affected; `rejudge` then
        compares what binds otherwise."""
        before = self._defined_in(path)
        changed, rebound = self.bindings.replace_source(path, source)
        after = self._defined_in(path)
        compared = self.functions is not None and bool(before or after)
        if self.functions is not None and compared:
            self.functions.update(path, source, after, self.glue.own_definitions if self.glue is not None else ())
            self._code = None
        if changed or compared:
            self.drift += len(rebound)
            self._siblings.forget()
            self._forget_all()
            self._rebound |= rebound
        return changed or compared

    def use_index(self, embedded: Embedded) -> None:
        """Vectors of all templates, as far as they are still here."""
        self.neighbours.index = None
        self.neighbours.add_vectors(embedded.keys, embedded.vectors)
        embedded.index.remove([key for key in embedded.keys if key not in self.neighbours])
        self.neighbours.index = embedded.index

    def rejudge(self) -> Iterator[None]:
        """Compare templates anew that bind otherwise since they were compared, in slices."""
        while self._rebound:
            self._compare_anew({self._rebound.pop()})
            yield from self.catch_up()
            yield

    def use_vectors(self, keys: Sequence[str], vectors: Vectors) -> None:
        """Vectors of templates that were compared without; they are compared anew."""
        self.neighbours.add_vectors(keys, vectors)
        self._new.update(key for key in keys if key in self.neighbours)
        for key in keys:
            self._forget(key)
            self._forget_texts(key)

    @property
    def glue(self) -> Glue | None:
        return self.bindings.glue

    @property
    def outdated(self) -> bool:
        """Whether so much changed that the judge's picture of the suite should be renewed."""
        return self.drift > max(_RENEW_LEAST, _RENEW_SHARE * len(self.texts.members))

    # -- what is asked

    def all_texts(self) -> tuple[StepText, ...]:
        return self.texts.all_texts()

    def component(self, key: str) -> Component:
        """The component of a template, with its clusters and findings. Needs a judge."""
        for _ in self.catch_up():
            pass
        found = self._components.get(key)
        if found is None:
            found = self._find(self._reach(key))
            self._affected.update(found.keys)
            for member in found.keys:
                self._components[member] = found
                self._previous.pop(member, None)
        return found

    def is_known(self, path: str) -> bool:
        """Whether the findings of a file are at hand, or cost little more than looking again at what moved."""
        if self.judge is None:
            return False
        if self.compared and len(self._new) > _FEW_NEW:
            return False
        keys = self.texts.keys_of(path)
        unknown = sum(1 for key in keys if key not in self._components and key not in self._previous)
        return unknown <= (_FEW if self.compared else 0)

    def look_into(self, path: str) -> Iterator[None]:
        """Find what there is in a file, in slices. Needs a judge."""
        yield from self.catch_up()
        for key in sorted(self.texts.keys_of(path)):
            if key in self.texts.members:
                self.component(key)
                yield

    def take_affected(self) -> set[str]:
        """Keys of templates whose findings may be others since the last call."""
        affected, self._affected = self._affected, set()
        return affected

    def findings_in(self, path: str) -> list[Finding]:
        """Findings with a step in this file, each once."""
        entry = self.texts.files.get(path)
        if entry is None or self.judge is None:
            return []
        found: dict[str, Finding] = {}
        for key in sorted(self.texts.keys_of(path)):
            for finding in self.component(key).findings:
                found[finding.fingerprint] = finding
        for text in entry.texts:
            for finding in self.rules.of_text(text, self.bindings.bind):
                found[finding.fingerprint] = finding
        for finding in self.rules.of_file(path, self.bindings.bind):
            found[finding.fingerprint] = finding
        return [
            finding
            for finding in found.values()
            if any(place.path == path for other in finding.others for place in other.places)
        ]

    def findings(self) -> list[Finding]:
        """All findings of the suite, without those of `repeated-step`, which are asked file by file."""
        found: dict[str, Finding] = {}
        for key in list(self.texts.members) if self.judge is not None else ():
            found.update((finding.fingerprint, finding) for finding in self.component(key).findings)
        for text in list(self.texts.texts) if self.judge is not None else ():
            one_by_one = self.rules.of_text(text, self.bindings.bind)
            found.update((finding.fingerprint, finding) for finding in one_by_one)
        return told_once([*found.values(), *self._code_findings()])

    def findings_in_source(self, path: str) -> list[Finding]:
        """Findings about the step definitions in a source, those that nothing uses among them."""
        if not self.compared:
            return []
        code = self._code_findings()
        keys = [key for key in sorted(self._code_keys) if key in self.texts.members]
        told = {finding.fingerprint: finding for key in keys for finding in self.component(key).findings}
        return [
            finding
            for finding in told_once([*told.values(), *code, *self._unused_in(path)])
            if any(place.path == path for subject in finding.others for place in subject.places)
        ]

    def _code_findings(self) -> tuple[Finding, ...]:
        """What the functions of the step definitions say. Of those only that something can be said about the steps are
        looked at: some milliseconds."""
        functions, glue = self.functions, self.glue
        if self.judge is None or functions is None or glue is None or self.bindings.bind is None:
            return ()
        if self._code is None:
            options = self.rules.options()
            wanted = functions.notable() if options.severity(UNUSED) is Severity.OFF else None
            texts = tuple(self.texts.step_text(text) for text in self.texts.in_order(self._run_by(glue, wanted)))
            self._code_keys = frozenset(text.template.key for text in texts)
            found = find(
                Detection(
                    "exact", texts, (), ScoredPairs.empty(), np.empty(0, np.int8), languages=self.neighbours.languages
                ),
                {text.identity: self.texts.steps(text.text, karate=False) for text in texts},
                bindings=self.bindings.bind,
                judge=self.judge,
                functions=functions,
                options=options,
                scopes=(Scope.SUITE,),
            )
            self._code = self.rules.left(found)
        return self._code

    def _run_by(self, glue: Glue, functions: frozenset[str] | None) -> set[str]:
        """Texts whose steps may run one of these functions; None: all texts."""
        known = self.texts.texts
        if functions is None:
            return set(known)
        said = {text for one in glue.definitions if one.function_id in functions for text in glue.texts_of(one.id)}
        found = {name for text in said for name in (normalise(text), f"{normalise(text)}:") if name in known}
        for text in known:
            if "<" in text and text not in found:
                steps = (step for step in self.texts.steps(text) if step.examples)
                if any(not said.isdisjoint(expanded_texts(step)) for step in steps):
                    found.add(text)
        return found

    def _unused_in(self, path: str) -> tuple[Finding, ...]:
        """Definitions of a source that nothing uses: an editor shows them, unless the settings say otherwise."""
        severity = self.rules.options(unused=Severity.HINT).severity(UNUSED)
        if severity is Severity.OFF or self.rules.options().severity(UNUSED) is not Severity.OFF:
            return ()
        here = [one for one in self._defined_in(path) if self.is_unused(one)]
        return self.rules.left(unused_definition(one, severity) for one in here)

    def is_unused(self, definition: StepDefinition) -> bool:
        """Whether no step binds to a definition of the suite's own, and no code calls it."""
        if not self.compared or self.functions is None or self._siblings.serves(definition.function_id):
            return False
        own = any(one.id == definition.id for one in self.functions.own_definitions)
        return own and definition.function_id not in self.functions.called

    def _defined_in(self, path: str) -> list[StepDefinition]:
        return [one for one in self.glue.definitions if one.path == path] if self.glue is not None else []

    def key_of(self, text: str) -> str | None:
        """Key of the template of a step's text; None where no step says it."""
        entry = self.texts.texts.get(normalise(text))
        return entry.template.key if entry is not None else None

    def wording(self, key: str) -> StepText:
        """The canonical text of a template."""
        return canonical(self.texts.step_text(text) for text in self.texts.members[key])

    def options(self) -> StrategyOptions:
        """The server always compares by `auto`."""
        threshold = self.settings.threshold if self.settings.strategy == "auto" else None
        asked = strategy_options(replace(self.settings, strategy="auto", threshold=threshold))
        return replace(asked, languages=self.neighbours.languages)

    # -- inside

    def _forget(self, key: str) -> None:
        self._affected.add(key)
        for one in (key, *self._siblings.of(key)):
            component = self._components.get(one)
            if component is not None:
                self._affected.update(component.keys)
                for member in component.keys:
                    self._previous[member] = component
                    self._components.pop(member, None)
        self.rules.forget(self.texts.members.get(key, ()))

    def _forget_texts(self, key: str) -> None:
        """What was detected in a component no longer holds, even if its texts are the same."""
        component = self._previous.get(key)
        for member in component.keys if component is not None else ():
            self._previous.pop(member, None)

    def _forget_all(self) -> None:
        self._previous.update(self._components)
        self._affected.update(self.texts.members)
        self._components.clear()
        self.rules.forget_all()

    def _compare_anew(self, keys: Iterable[str]) -> None:
        """Templates of which the judge thinks otherwise now."""
        for key in keys:
            if key in self.neighbours:
                self._new.add(key)
                self._forget(key)
                self._forget_texts(key)

    def _set_edges(self, key: str, others: set[str]) -> None:
        old = self._adjacent.get(key, set())
        for other in old ^ others:
            self._forget(other)
            self._forget_texts(other)
            mine = self._adjacent.setdefault(other, set())
            (mine.add if other in others else mine.discard)(key)
        if old != others:
            self._forget(key)
            self._forget_texts(key)
            self._adjacent[key] = others

    def _leave(self, key: str) -> None:
        self.neighbours.remove(key)
        self._set_edges(key, set())
        self._adjacent.pop(key, None)
        self._previous.pop(key, None)
        self._new.discard(key)

    def catch_up(self) -> Iterator[None]:
        """Once all templates have been compared, those that are new are compared before anything is said, one a slice:
        an edge of theirs may join what was apart."""
        for key in sorted(self._new) if self.compared else ():
            if key in self._new:
                self._expand(key)
                yield

    def _reach(self, key: str) -> list[str]:
        """All templates that edges join to `key`, itself included; and those that share a function with one of these,
        as far as edges lead on from them."""
        reached, pending = {key}, [key]
        while pending:
            current = pending.pop()
            if current in self._new:
                self._expand(current)
            siblings = self._siblings.of(current)
            leads_on = any(self._adjacent.get(one) for one in (current, *siblings))
            for other in {*self._adjacent.get(current, ()), *(siblings if leads_on else ())}:
                if other not in reached:
                    reached.add(other)
                    pending.append(other)
        return sorted(reached)

    def _expand(self, key: str) -> None:
        """Compare one template with all others."""
        assert self.judge is not None
        candidates = self.neighbours.of(key)
        accepted: set[str] = set()
        if candidates:
            keys = list(candidates)
            shown = [self.wording(key), *(self.wording(other) for other in keys)]
            pairs = np.arange(1, len(shown), dtype=np.int32)
            cosine = np.array([np.nan if near is None else near for near in candidates.values()])
            known = None if np.isnan(cosine).all() else cosine
            scores = self.judge.probabilities(shown, np.zeros_like(pairs), pairs, known).p_one_intent
            threshold = self.options().effective_threshold
            accepted = {keys[row] for row in np.flatnonzero(scores >= threshold).tolist()}
        self._set_edges(key, accepted)
        self._new.discard(key)

    def _find(self, keys: list[str]) -> Component:
        names = [text for key in keys for text in self.texts.members.get(key, ())]
        if len(keys) == 1 and (len(names) < 2 or self.glue is None or not self.glue.definitions):
            return Component(tuple(keys), (), ())
        texts = [self.texts.step_text(text) for text in self.texts.in_order(names)]
        previous = self._previous.get(keys[0])
        if previous is not None and previous.detection is not None and previous.detection.texts == tuple(texts):
            detection = previous.detection
        else:
            detection = detect(texts, self.options(), judge=self.judge, vectors=self._vectors(keys))
        steps = {text.identity: self.texts.steps(text.text, karate=False) for text in texts}
        bindings, options = self.bindings.bind, self.rules.options()
        found = find(
            detection,
            steps,
            bindings=bindings,
            judge=self.judge,
            functions=self.functions,
            options=options,
            scopes=[scope for scope in Scope if scope is not Scope.SUITE],
        )
        return Component(tuple(keys), detection.clusters, self.rules.left(found), detection)

    def _vectors(self, keys: list[str]) -> Any:
        """The vectors of masked texts, where all templates of a component have one."""
        rows = self.neighbours.vectors
        if any(key not in rows for key in keys):
            return None
        return lambda masked: rows.many([text.lower() for text in masked])
