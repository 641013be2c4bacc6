"""Hover: how often a step is used, its other wordings, its step definition, its arguments; and on the expression of a
step definition, the steps that bind to it."""

from collections.abc import Sequence

from lsprotocol import types

from cukereuse_engine.prose import chance, code_span, counted, first_of
from cukereuse_server.asking import ask_at
from cukereuse_server.convert import location_of, range_of
from cukereuse_server.protocol.hover import (
    CountedWording,
    DefinitionInfo,
    DefinitionTwin,
    Describe,
    ShownDefinition,
    StepInfo,
    Weighed,
)
from cukereuse_server.server import CukereuseServer

_WORDINGS = 5
"""Maximum number of other wordings that are named."""
_TWINS = 5
_RELATIONS = {
    "same": "is the same as",
    "passes on": "only calls",
    "called": "is called by",
    "constant": "is the same except for {} as",
}


def register(server: CukereuseServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @server.can_be_off("hover")
    async def hover(ls: CukereuseServer, params: types.HoverParams) -> types.Hover | None:
        if not ls.worker.has_spoken:  # do not wait for the start
            return None
        info = await ask_at(ls, params, lambda path, line, _: Describe(path=path, line=line))
        if info is None:
            return None
        writer = _Writer(ls)
        if isinstance(info, StepInfo):
            place, value = info.place, writer.step(info)
        else:
            place, value = info.definition.place, writer.definition(info)
        kind = types.MarkupKind.Markdown if writer.markdown else types.MarkupKind.PlainText
        return types.Hover(types.MarkupContent(kind, value), range_of(place, ls.session.encoding))


class _Writer:
    """Writes Markdown if the client can show it."""

    def __init__(self, server: CukereuseServer) -> None:
        self._server = server
        text_document = server.session.capabilities.text_document
        hover = text_document.hover if text_document is not None else None
        formats = hover.content_format if hover is not None else None
        self.markdown = types.MarkupKind.Markdown in (formats or ())

    def step(self, info: StepInfo) -> str:
        head = self._strong(f"used {times(info.occurrences)}") + f" in {counted(info.files, 'file')}"
        others = info.others or []
        if others:
            head += f" · {other_wordings(len(others))}"
        blocks = [head]
        for finding in info.findings:
            blocks += [finding.message, *self._why(finding)]
        if others:
            blocks.append(self._list("Other wordings:", others))
        blocks += self._definitions(info)
        blocks += self._twins(info.twins)
        if info.arguments:
            shown = [
                f"{argument.name} = {self._code(argument.text)}".removeprefix(" = ") for argument in info.arguments
            ]
            blocks.append(f"Arguments: {', '.join(shown)}")
        return "\n\n".join(blocks)

    def definition(self, info: DefinitionInfo) -> str:
        blocks = ["no step uses this step definition"]
        if info.occurrences:
            head = self._strong(f"used {times(info.occurrences)}") + f" in {counted(info.files, 'file')}"
            blocks = [head, self._list("Used by steps such as:", info.wordings)]
        return "\n\n".join([*blocks, *self._twins(info.twins)])

    def _twins(self, twins: Sequence[DefinitionTwin]) -> list[str]:
        """Step definitions that run the same code, or nearly so."""
        rows = []
        for twin in twins[:_TWINS]:
            differ = " and ".join(self._code(value.strip()) for value in twin.values if value.strip())
            rows.append(f"{_RELATIONS[twin.relation].format(differ)} {self._definition(twin.definition)}")
        if len(twins) > _TWINS:
            rows.append(f"… and {len(twins) - _TWINS} more")
        mark = "- " if self.markdown else "  "
        return ["\n".join(["Its code:", *(mark + row for row in rows)])] if rows else []

    def _definitions(self, info: StepInfo) -> list[str]:
        if not info.definitions:
            names = info.libraries
            may = f" here; {first_of(names)}, from outside of this repository, may define it" if names else ""
            return [f"No step definition matches{may}."] if info.status else []
        lines = [self._definition(definition) for definition in info.definitions]
        if len(lines) == 1:
            return [f"Step definition: {lines[0]}"]
        head = "Several step definitions match:" if info.status == "ambiguous" else "Step definitions:"
        return ["\n".join([head, *(("- " if self.markdown else "  ") + line for line in lines)])]

    def _definition(self, definition: ShownDefinition) -> str:
        name = f"{self._server.session.shown_path(definition.place.path)}:{definition.place.line}"
        if self.markdown:
            location = location_of(definition.place, self._server.session.encoding, self._server.session.uri)
            name = f"[{self._code(name)}]({location.uri}#L{definition.place.line})"
        function = f" {self._code(definition.function)}" if definition.function else ""
        return f"{name}{function} — {self._code(definition.expression)}"

    def _why(self, finding: Weighed) -> list[str]:
        """The evidence, as `cukereuse why` shows it."""
        mark = "- " if self.markdown else "  "
        blocks = []
        if finding.evidence:
            likely = f", {chance(finding.sure)} likely by the words alone" if finding.sure else ""
            title = f"Evidence for (+) and against (-) one wording with {self._code(finding.other)}{likely}:"
            rows = [f"{mark}{weight:+.1f} {says}" for says, weight in finding.evidence]
            blocks.append("\n".join([title, *rows]))
        if finding.known:
            rows = [
                f"{mark}{'shared' if is_one else 'apart'}: {self._code(left)} / {self._code(right)}"
                for left, right, is_one in finding.known
            ]
            blocks.append("\n".join(["Similar pairs of this suite, and whether they share a step definition:", *rows]))
        return blocks

    def _list(self, head: str, wordings: Sequence[CountedWording]) -> str:
        rows = [f"{self._code(wording.text)} {times(wording.occurrences)}" for wording in wordings[:_WORDINGS]]
        if len(wordings) > _WORDINGS:
            rows.append(f"… and {len(wordings) - _WORDINGS} more")
        return "\n".join([head, *(("- " if self.markdown else "  ") + row for row in rows)])

    def _strong(self, text: str) -> str:
        return f"**{text}**" if self.markdown else text

    def _code(self, text: str) -> str:
        return code_span(text) if self.markdown else text


def times(occurrences: int) -> str:
    return f"{occurrences}×"


def other_wordings(number: int) -> str:
    return counted(number, "other wording")
