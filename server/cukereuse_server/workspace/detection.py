"""The results for some templates of one suite: pairs that the judge accepts as one intent, their clusters, and the
findings at their steps.

Does not know components, which decide when to detect. Earlier results stay valid if steps have only moved.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from cukereuse_engine.detection.canonical import canonical
from cukereuse_engine.detection.context import Context, Defined
from cukereuse_engine.detection.detect import detect
from cukereuse_engine.detection.judged import Accepted, Candidates, Judging, judge_pairs
from cukereuse_engine.detection.options import LOCAL, Detection, StrategyOptions
from cukereuse_engine.detection.run_rules import find
from cukereuse_engine.embedding_models.embedder import Vectors
from cukereuse_engine.findings.finding import Finding
from cukereuse_engine.index.crowds import no_crowds
from cukereuse_engine.index.vector_join import cosines_by
from cukereuse_engine.scanning.options import strategy_options
from cukereuse_engine.scanning.why import Why, why
from cukereuse_engine.settings import Settings
from cukereuse_engine.strategies.table import AUTO
from cukereuse_engine.text.identity import identity, normalise
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import template
from cukereuse_server.workspace.bindings import SuiteBindings
from cukereuse_server.workspace.code_findings import CodeFindings
from cukereuse_server.workspace.components import Basis, Component
from cukereuse_server.workspace.moved import Moves, Steps, moved, moves
from cukereuse_server.workspace.neighbours import Neighbours
from cukereuse_server.workspace.rules import SuiteRules
from cukereuse_server.workspace.shared_judge import SharedJudge
from cukereuse_server.workspace.stages.comparing import accepted_within
from cukereuse_server.workspace.texts import Texts


class SuiteDetection:
    def __init__(
        self, texts: Texts, bindings: SuiteBindings, rules: SuiteRules, code: CodeFindings, settings: Settings
    ) -> None:
        self._texts, self._bindings, self._rules, self._code = texts, bindings, rules, code
        self._settings = settings
        self.neighbours = Neighbours(("en",))
        self.judge: SharedJudge | None = None
        """The judge; None until the suite is known well enough."""
        self._wordings: dict[str, StepText] = {}
        """Results of `wording` by template key, since the template's steps changed."""
        self._defined: Defined = {}
        """The bindings of texts that were looked up since their steps, or definitions, changed."""

    # -- what changes

    def use_judge(self, judge: SharedJudge, neighbours: Neighbours) -> None:
        """Use a judge, with the templates by the words that it has seen; their vectors stay."""
        neighbours.take_over(self.neighbours)
        self.judge, self.neighbours = judge, neighbours

    def forget_steps(self, keys: Iterable[str], texts: Iterable[str]) -> None:
        """Forget templates and texts whose steps have changed."""
        for key in keys:
            self._wordings.pop(key, None)
        for text in texts if self._defined else ():
            self._defined.pop(identity(text), None)

    def forget_bindings(self) -> None:
        """Forget bindings, which may have changed."""
        self._defined.clear()

    # -- questions

    def wording(self, key: str) -> StepText:
        """The canonical text of a template."""
        cached = self._wordings.get(key)
        if cached is None:
            cached = canonical(self._texts.step_text(text) for text in self._texts.members[key])
            self._wordings[key] = cached
        return cached

    def why(self, text: str, other: str) -> Why | None:
        """The evidence for and against one meaning of two texts, as in `cukereuse why`; None without a judge."""
        if self.judge is None:
            return None
        texts, bound = self._texts.texts, self._bindings.known
        pair = [
            self._texts.step_text(wording) if wording in texts else _unused(wording)
            for wording in map(normalise, (text, other))
        ]
        keys = [step_text.template.key for step_text in pair]
        known = (self.neighbours.exact, self.neighbours.vectors)
        cosine = next((float(np.dot(*rows.many(keys))) for rows in known if all(key in rows for key in keys)), None)
        decided = [
            StepText(name, entry.identity, entry.template, entry.count)
            for name, entry in texts.items()
            if entry.identity in bound
        ]
        return why(pair[0], pair[1], self.judge, cosine, decided, bound)

    def options(self) -> StrategyOptions:
        """The server always compares by the default strategy."""
        threshold = self._settings.threshold if self._settings.strategy == AUTO.name else None
        asked = strategy_options(replace(self._settings, strategy=AUTO.name, threshold=threshold))
        return replace(asked, languages=self.neighbours.languages)

    def accepted(self, keys: Sequence[str]) -> dict[str, set[str]]:
        """For each of some templates, those that the judge accepts as having one intent with it."""
        assert self.judge is not None
        joined: dict[str, set[str]] = {key: set() for key in keys}
        candidates = [(key, other, near) for key in keys for other, near in self.neighbours.of(key).items()]
        if not candidates:
            return joined
        places: dict[str, int] = {}
        left = np.fromiter((places.setdefault(key, len(places)) for key, _, _ in candidates), np.int32)
        right = np.fromiter((places.setdefault(other, len(places)) for _, other, _ in candidates), np.int32)
        shown, names = list(map(self.wording, places)), list(places)
        cosine = np.array([np.nan if near is None else near for _, _, near in candidates])
        pairs = accepted_within(
            Judging(shown, self.judge, self.options().effective_threshold),
            (left, right, None if np.isnan(cosine).all() else cosine),
            self.neighbours.margin,
            cosines_by(self._exactly, [text.template.masked for text in shown]),
        )
        for one, other in zip(pairs.a.tolist(), pairs.b.tolist(), strict=True):
            joined[names[one]].add(names[other])
        return joined

    def find(self, keys: list[str], last: Basis | None, only_moved: bool) -> Component:
        """The contents of the component of some templates. `last`: an earlier basis of one of them; `only_moved`: the
        steps of all have at most moved."""
        if only_moved and last is not None and last.findings is not None:
            where = self._moves_since(last)
            if where is not None:
                elsewhere = moved(last.findings, where)
                return Component(tuple(keys), last.detection.clusters, self._rules.left(elsewhere), last)
        basis = self.basis(keys, last)
        if basis is None:
            return Component(tuple(keys), (), ())
        findings = basis.findings
        if findings is None:
            context = Context(
                basis.detection,
                basis.steps,
                self._bindings.bind,
                self.judge,
                self._code.functions,
                self._rules.options(),
                self._defined,
            )
            findings = find(context)
        return Component(
            tuple(keys), basis.detection.clusters, self._rules.left(findings), replace(basis, findings=findings)
        )

    def basis(self, keys: list[str], last: Basis | None = None) -> Basis | None:
        """The basis of the findings in the component of some templates, with earlier findings if they are still valid;
        None if there is nothing to compare."""
        names = [text for key in keys for text in self._texts.members.get(key, ())]
        if len(keys) == 1 and (len(names) < 2 or self._bindings.bind is None):
            return None
        texts = tuple(self._texts.step_text(text) for text in self._texts.in_order(names))
        steps = {text.identity: self._texts.steps(text.text, karate=False) for text in texts}
        if last is None or last.detection.texts != texts:
            return Basis(self._detect(keys, texts), steps, None)
        return Basis(last.detection, steps, _findings_now(last, steps))

    def _moves_since(self, last: Basis) -> Moves | None:
        """The present steps for those in the findings."""
        subjects = (subject for finding in last.findings or () for subject in finding.subjects)
        texts = {
            normalise(place.step.text) for subject in subjects for place in subject.places if place.step is not None
        }
        texts &= self._texts.texts.keys()
        now = {self._texts.texts[text].identity: self._texts.steps(text, karate=False) for text in texts}
        return moves({identity: last.steps.get(identity, ()) for identity in now}, now)

    def _detect(self, keys: list[str], texts: Sequence[StepText]) -> Detection:
        joins = replace(LOCAL, crowds=no_crowds, judged=self._judged) if self.neighbours.has_crowds else LOCAL
        rows = self.neighbours.vectors
        if any(key not in rows for key in keys):
            return detect(texts, self.options(), judge=self.judge, joins=joins)

        def embed(masked: Sequence[str]) -> Vectors:
            return rows.many(_keys_of(masked))

        vectors, coarse = (self._exactly, embed) if self.neighbours.margin else (embed, None)
        return detect(texts, self.options(), judge=self.judge, vectors=vectors, coarse=coarse, joins=joins)

    def _judged(self, judging: Judging, candidates: Candidates) -> Accepted:
        """The candidates that the suite's crowds allow and the judge accepts, as in a scan."""
        neighbours = self.neighbours
        keys = [node.template.key for node in judging.nodes]
        a, b, cosine = candidates
        pairs = [(keys[i], keys[j]) for i, j in zip(a.tolist(), b.tolist(), strict=True)]
        kept = np.flatnonzero([neighbours.are_compared(*pair) for pair in pairs])
        if cosine is not None:
            cosine = cosine[kept]
            cosine[[any(map(neighbours.is_left_out, pairs[row])) for row in kept.tolist()]] = np.nan
        return judge_pairs(judging, (a[kept], b[kept], cosine))

    def _exactly(self, masked: Sequence[str]) -> Vectors:
        """Exact vectors for pairs that the component's other vectors leave open."""
        return self.neighbours.exactly(_keys_of(masked))


def _keys_of(masked: Iterable[str]) -> list[str]:
    return [text.lower() for text in masked]


def _findings_now(last: Basis, steps: Steps) -> tuple[Finding, ...] | None:
    """The earlier findings, if steps have only moved since; else None."""
    if last.findings is None:
        return None
    where = moves(last.steps, steps)
    return moved(last.findings, where) if where is not None else None


def _unused(text: str) -> StepText:
    return StepText(text, identity(text), template(text), 0)
