"""Which definitions are in reach of a feature file, by the suite's folder and the references of its project."""

from collections.abc import Callable, Set

from cukereuse_engine.glue import choice
from cukereuse_engine.glue.choice import Candidate
from cukereuse_engine.glue.definition import Match, StepDefinition


class Reach:
    """Compares folders and projects, but no texts. If no candidate is in reach, all of them count."""

    def __init__(
        self,
        is_home: Callable[[str], bool] = lambda _: True,
        project_of: Callable[[str], str] = lambda _: "",
        sees: Callable[[str, StepDefinition], bool] = lambda *_: True,
    ) -> None:
        """`is_home`: true for paths in the suite's own folder. `project_of`: the project (package, module) of a path.
        `sees`: true if a feature file's project refers to the project of a definition."""
        self.is_home = is_home
        self.sees = sees
        self._project_of = project_of

    def narrow(self, candidates: list[Candidate], path: str) -> list[Candidate]:
        """Keep candidates of the suite, then of the file's own project, then the nearest, unless none would be left."""
        candidates = [candidate for candidate in candidates if self.is_home(candidate[0].definition.path)] or candidates
        if path:
            own = self._project_of(path)
            candidates = [
                candidate for candidate in candidates if self._project_of(candidate[0].definition.path) == own
            ] or candidates
        return choice.nearest(candidates, path)

    def narrow_others(
        self,
        candidates: list[Candidate],
        path: str,
        frameworks: Set[str],
        nearness: Callable[[StepDefinition], int] | None,
    ) -> list[Candidate]:
        """The candidates of a scope's own `frameworks`, and the candidates of other frameworks that are in reach."""
        own = [candidate for candidate in candidates if candidate[0].definition.framework in frameworks]
        others = [candidate for candidate in candidates if candidate[0].definition.framework not in frameworks]
        if not others:
            return own
        if nearness is not None and own:
            own = [choice.nearest_registered(own, nearness)]
        within = self.narrow([*own, *others], path)
        return own + [candidate for candidate in others if candidate in within]

    def by_project(self, matches: list[Match], path: str) -> list[list[Match]]:
        """All matches in one group if one is of the feature file's own project, else a group for each project, because
        a run may not load several of them."""
        parts: dict[str, list[Match]] = {}
        for match in matches:
            parts.setdefault(self._project_of(match.definition.path), []).append(match)
        return [matches] if self._project_of(path) in parts else [*parts.values()]
