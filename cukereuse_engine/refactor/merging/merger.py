"""Plans merges of step definitions."""

from collections.abc import Iterable

from cukereuse_engine.functions.relations import Functions, Relation
from cukereuse_engine.functions.tokens import PARAMETER
from cukereuse_engine.gherkin.read import content_hash
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.prose import listed
from cukereuse_engine.refactor.code_parts.edited_sources import EditedSources
from cukereuse_engine.refactor.edits import sorted_edits
from cukereuse_engine.refactor.mentions import CodeUses
from cukereuse_engine.refactor.merging.check import Checker
from cukereuse_engine.refactor.merging.constant import Parametrising
from cukereuse_engine.refactor.merging.merge_plan import ExpressionChange, MergePlan
from cukereuse_engine.refactor.merging.registering import Registering
from cukereuse_engine.refactor.merging.shared import only_adds_lines, share_with_constant
from cukereuse_engine.refactor.merging.sharing import Sharing
from cukereuse_engine.refactor.merging.stacking import Stacking
from cukereuse_engine.refactor.merging.wording import one_wording
from cukereuse_engine.refactor.removal import UnremovableError, removal_edits, removal_of_expression
from cukereuse_engine.refactor.rename_plan import FileEdits, ReadSuites, TextEdit
from cukereuse_engine.refactor.unmergeable import UnmergeableError
from cukereuse_engine.refactor.writing import writing_of


class Merger:
    """Plans merges. `functions`: those of the suites' step definitions. For one thread.

    Every plan is checked. All methods that plan raise `UnmergeableError`, whose message says why, and `OSError`.
    """

    def __init__(self, suites: ReadSuites, functions: Functions) -> None:
        self.suites, self.functions = suites, functions
        self.check = Checker(suites).check
        self._uses = CodeUses(suites)

    def merge(self, keep: StepDefinition, other: StepDefinition) -> MergePlan:
        """Move the expressions of `other`'s function to `keep`'s."""
        self._refuse_unlike(keep, other)
        if keep.function is None or other.function is None or keep.function_id == other.function_id:
            message = f"{other.place}: its function is in another place; combine the expressions by hand"
            raise UnmergeableError(message)
        functions = self.functions
        moved = functions.definitions_of(other.function_id)
        if any(definition.path != other.path for definition in moved):
            raise UnmergeableError(f"{other.place}: its function is used from several files")
        forms = [functions.form(member) for member in (keep, other)]
        if forms[0] is None or forms[1] is None or len(forms[0].parameters) != len(forms[1].parameters):
            raise UnmergeableError(f"{other.place}: its function takes different arguments")
        sources = EditedSources(self.suites)
        changes: tuple[ExpressionChange, ...] = ()
        row = writing_of(keep.language)
        if row.stacked or row.comment_line is not None:
            self._refuse_named(other)
            stacking = Stacking(sources, functions, keep, other, moved)
            stacking.stack()
            changes = tuple(stacking.changes)
        elif row.call:
            Sharing(sources, keep, other).share()
        elif row.registered:
            Registering(sources, keep, other).share()
        else:
            raise UnmergeableError(f"{other.place}: {keep.language} can't have two expressions on one function")
        title = f"“{other.shown}” on the function of “{keep.shown}”"
        if other.shown == keep.shown:
            title = f"one function for “{keep.shown}”"
        return self._checked(MergePlan(title, sources.files, keep, tuple(moved), changes))

    def _refuse_unlike(self, keep: StepDefinition, other: StepDefinition) -> None:
        related = self.functions.relation(keep, other)
        if related.relation is Relation.CONSTANT:
            values = " and ".join(f"“{value}”" for value in related.values)
            difference = f"{keep.place} and {other.place} differ in {values}"
            raise UnmergeableError(f"{difference}; write one definition with a parameter “{related.parameter}”")
        if related.copied:
            raise UnmergeableError(f"{keep.place} and {other.place} are copies in two modules of one build")
        if related.relation is Relation.SAME and related.loosely:
            by_fields = "do the same only if the fields of both classes hold the same"
            reason = by_fields if related.by_fields else "do the same with their parameters at other places"
            advice = "`cukereuse rename --move --remove-unused` can move the steps"
            raise UnmergeableError(f"{keep.place} and {other.place} {reason}; {advice}")
        if related.relation is not Relation.SAME:
            raise UnmergeableError(f"{keep.place} and {other.place} do not run the same code")

    def keep_wording(self, keep: StepDefinition, other: StepDefinition) -> MergePlan:
        """Change the steps of `other` to the wording of `keep`, and remove `other`."""
        related = self.functions.relation(keep, other)
        form = self.functions.form(other)
        handed = () if form is None else tuple((f"{PARAMETER}{at}",) for at in range(len(form.arguments)))
        passes_on = related.relation is Relation.PASSES_ON and related.reversed
        if not (passes_on and form is not None and form.arguments == handed):
            self._refuse_unlike(keep, other)
        plan = one_wording(self.suites, keep, other)
        self.check([plan])
        return plan

    def extract_constant(self, keep: StepDefinition, *others: StepDefinition) -> MergePlan:
        """Plan one definition with a parameter if the wordings contain the constant in which the functions differ;
        otherwise one function with a parameter that all of them call."""
        parameter = ""
        for other in others:
            related = self.functions.relation(keep, other)
            parameter = parameter or related.parameter
            if related.relation is not Relation.CONSTANT:
                message = f"{keep.place} and {other.place} differ in more than a constant"
                raise UnmergeableError(message)
        shown = f"for {listed([f'“{member.shown}”' for member in (keep, *others)])}"
        extraction = Parametrising(EditedSources(self.suites), keep, others, parameter)
        try:
            return self._checked(self._one_definition(extraction, shown))
        except UnmergeableError:
            if any(self.functions.share_a_call(keep, other) for other in others) or only_adds_lines(extraction):
                raise
            title = f"one function with a parameter “{extraction.name}” {shown}"
            return self._checked(MergePlan(title, share_with_constant(self.suites, extraction).files, keep, others))

    def _one_definition(self, extraction: Parametrising, shown: str) -> MergePlan:
        keep, others = extraction.keep, extraction.others
        for member in (keep, *others):
            if len(self.functions.definitions_of(member.function_id)) > 1:
                raise UnmergeableError(f"{member.place}: its function serves other wordings")
        extraction.extract()
        for other in others:
            for edit in self._removal(other):
                extraction.sources.add(other, edit)
        title = f"one definition with a parameter “{extraction.name}” {shown}"
        return MergePlan(title, extraction.sources.files, keep, others, extraction.changes)

    def delete(self, definition: StepDefinition) -> MergePlan:
        """Delete a definition that nothing uses, and its function if no step uses another definition on it."""
        sharing = self.functions.definitions_of(definition.function_id)
        used = [sharer for sharer in sharing if sharer.id != definition.id and self._is_used(sharer)]
        by_name = writing_of(definition.language).registered  # each registration is removed by itself
        gone = (definition,) if used or by_name else tuple(sharing)
        self._refuse_assumed(gone)
        data = self.suites.read(definition.path)
        if used and not by_name:
            try:
                edits = [removal_of_expression(definition, data.decode("utf-8"))]
            except (UnremovableError, UnicodeDecodeError) as error:
                raise UnmergeableError(f"{definition.place}: {error}") from None
        else:
            edits = self._removal(min(gone, key=lambda unused: (unused.path, unused.literal.start_byte)))
        file = FileEdits(definition.path, content_hash(data), sorted_edits(edits), True, "utf-8")
        known = self.suites.glue.definitions if self.suites.glue is not None else ()
        staying = (each for each in known if each.shown == definition.shown and each not in gone)
        title = f"without “{definition.told_apart(definition.shown, staying)}”"
        return self._checked(MergePlan(title, (file,), None, gone))

    def _refuse_assumed(self, gone: Iterable[StepDefinition]) -> None:
        glue = self.suites.glue
        for definition in gone if glue is not None else ():
            if glue is not None and glue.may_serve(definition):
                message = "its steps may be those that match a parameter type that is not defined; delete it by hand"
                raise UnmergeableError(f"{definition.place}: {message}")

    def _is_used(self, definition: StepDefinition) -> bool:
        glue = self.suites.glue
        steps = self.suites.saying(glue.texts_of(definition.id)) if glue is not None else ()
        return (
            any(match.id == definition.id for step in steps for match in glue.bind(step).definitions) if glue else False
        )

    def _refuse_named(self, definition: StepDefinition) -> None:
        """Refuse to remove a function that other code may call."""
        if definition.function_id in self.functions.called:
            raise UnmergeableError(f"{definition.place}: other code calls its function")
        place = self._uses.named_in(definition)
        if place:
            raise UnmergeableError(f"{definition.place}: its function is named in {place}; change that first")

    def _removal(self, definition: StepDefinition) -> list[TextEdit]:
        """The edits that remove a definition and everything on its function."""
        self._refuse_named(definition)
        use = self._uses.of(self.functions.definitions_of(definition.function_id))
        if use:
            raise UnmergeableError(f"{definition.place}: {use}")
        data = self.suites.read(definition.path)
        try:
            return removal_edits(definition, data.decode("utf-8"), (), self.suites.read)
        except (UnremovableError, UnicodeDecodeError) as error:
            raise UnmergeableError(f"{definition.place}: {error}") from None

    def _checked(self, plan: MergePlan) -> MergePlan:
        self.check([plan])
        return plan
