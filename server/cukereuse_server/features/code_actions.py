"""Code actions at a step: use a wording in use, create a step definition, find similar steps, rename the cluster,
ignore with a reason; in a scenario: fold it with others.

If the client supports it, actions are resolved lazily: the list contains titles, and the edits are computed for the
chosen action. Actions that would be refused are left out of the list, or shown as disabled with the reason if the
client supports that.

Two actions have a command that the client runs itself if it declares the command in its initialization options:
`cukereuse.findSimilarSteps` `[{textDocument: {uri}, position: Position}]` (a list to choose from, by
`cukereuse/similar`; otherwise the server's `cukereuse.similar` is used), and `cukereuse.renameCluster` `[{textDocument:
{uri}, position: Position}]` (the client asks for the phrasing, by `cukereuse/renameCandidates` and
`cukereuse/renamePlan`; otherwise there is no such action). A third one extracts a block of steps into one step:
`cukereuse.extractSteps` `[{textDocument: {uri}, position: Position, block: string}]` (the client asks for the wording,
by `cukereuse/extractPlan`; otherwise the proposed wording is used).
"""

import time
from collections.abc import Container, Iterator
from typing import Any

from lsprotocol import types

from cukereuse_server.convert import range_of
from cukereuse_server.edits import can_create
from cukereuse_server.features.code_action_resolve import data_of, plan_request, refusal, resolve
from cukereuse_server.protocol.code_actions import ActionsAt, Replacement, StepActions
from cukereuse_server.protocol.extraction import Extractable, ExtractsAt
from cukereuse_server.protocol.folding import OUTLINE, Fold, Folds, FoldsAt
from cukereuse_server.protocol.merging import CONSTANT, DELETE, FUNCTION, WORDING, Merge, MergesAt
from cukereuse_server.protocol.places import Place
from cukereuse_server.server import CukereuseServer
from cukereuse_server.session import Document

FIND_SIMILAR, RENAME_CLUSTER = "cukereuse.findSimilarSteps", "cukereuse.renameCluster"
EXTRACT = "cukereuse.extractSteps"
_BLOCKS = 2
"""Maximum number of blocks that are offered at one step."""
_PATIENCE_SECONDS = 1.0
"""Time in which plans are tried before a list is shown."""
_LONGEST = 70
"""Maximum number of characters of a text in a title."""


def register(server: CukereuseServer) -> None:
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite, types.CodeActionKind.RefactorExtract]
    options = types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_actions(ls: CukereuseServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        document = ls.session.document(params.text_document.uri)
        if document is None:
            return []
        actions = await _offered(ls, document, params)
        only = params.context.only
        if only:
            actions = [action for action in actions if any(_is_of_kind(action, kind) for kind in only)]
        if not _resolves(ls):
            for action in actions:
                await resolve(ls, action)
        elif params.context.trigger_kind == types.CodeActionTriggerKind.Invoked:
            await _try(ls, document, params.range.start.line + 1, actions)
        shows = ls.session.has("text_document.code_action.disabled_support")
        return [action for action in actions if shows or action.disabled is None]


async def _offered(
    server: CukereuseServer, document: Document, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """All actions for a line: about its step, its scenario, the block and the step definition there."""
    line, diagnostics = params.range.start.line + 1, params.context.diagnostics
    actions_here: StepActions | None = await server.ask(ActionsAt(path=document.path, line=line))
    foldable: Folds | None = await server.ask(FoldsAt(path=document.path, line=line))
    actions = []
    if actions_here is not None and actions_here.version == document.version:
        actions += _actions(server, document, line, actions_here, diagnostics)
    if foldable is not None and foldable.version == document.version:
        actions += [_fold(document, line, fold) for fold in foldable.found]
    blocks: list[Extractable] = (await server.ask(ExtractsAt(path=document.path, line=line))) or []
    actions += [_extract(server, document, params.range.start, block) for block in blocks[:_BLOCKS]]
    merges: list[Merge] = (await server.ask(MergesAt(path=document.path, line=line))) or []
    actions += [_merge(document, line, merge, diagnostics) for merge in merges]
    if actions_here is None:
        actions += _silencing(document, line, diagnostics)
    return actions


async def _try(server: CukereuseServer, document: Document, line: int, actions: list[types.CodeAction]) -> None:
    """Disable the actions that would be refused, as far as this is known in time; the others say so when they are
    chosen."""
    end = time.monotonic() + _PATIENCE_SECONDS
    for action in actions:
        request = plan_request(server, document, line, data_of(action))
        if request is not None and time.monotonic() < end:
            reason = refusal(await server.plan(request))
            action.disabled = types.CodeActionDisabled(reason) if reason else None


def _resolves(server: CukereuseServer) -> bool:
    support = server.session.capabilities.text_document
    action = support.code_action if support is not None else None
    properties = action.resolve_support.properties if action is not None and action.resolve_support else ()
    return "edit" in properties and bool(action is not None and action.data_support)


def _is_of_kind(action: types.CodeAction, kind: str) -> bool:
    return action.kind is not None and f"{_name(action.kind)}.".startswith(f"{_name(kind)}.")


def _name(kind: str) -> str:
    """The kind as plain text: `str` of an enumeration's member would not return its value."""
    return str(kind.value if isinstance(kind, types.CodeActionKind) else kind)


def _actions(
    server: CukereuseServer,
    document: Document,
    line: int,
    actions_here: StepActions,
    diagnostics: Any,
) -> list[types.CodeAction]:
    own = _of_rules(diagnostics, actions_here.rules)
    base = {"uri": document.uri, "version": document.version, "line": line}
    actions = []
    for meant in actions_here.meant:
        used = f"used {meant.occurrences}×" if meant.occurrences else "not used yet"
        title = f"Did you mean “{_shown(meant.text)}”? ({used})"
        action = _quick_fix(title, {**base, "do": "use", "text": meant.text}, own, "undefined-step")
        action.is_preferred = meant is actions_here.meant[0] or None
        actions.append(action)
    actions += [_use(base, replacement, own) for replacement in actions_here.replacements]
    for title, how in _creations(server, actions_here):
        actions.append(_quick_fix(title, {**base, "do": "create", **how}, own, "undefined-step"))
    for phrasing in actions_here.phrasings:
        title = f"Rename all wordings to “{_shown(phrasing.shown)}”"
        data = {**base, "do": "rename", "text": phrasing.text}
        actions.append(types.CodeAction(title, kind=types.CodeActionKind.RefactorRewrite, data=data))
    for rule in actions_here.rules:
        data = {**base, "do": "ignore", "rule": rule}
        actions.append(_quick_fix(f"Ignore {rule} here, with a reason", data, own, rule))
    actions.append(_find_similar(server, document, actions_here.place))
    if RENAME_CLUSTER in server.session.client_commands:
        actions.append(_rename_freely(server, document, actions_here.place))
    return actions


def _quick_fix(title: str, data: dict[str, Any], own: list[types.Diagnostic], rule: str) -> types.CodeAction:
    """An action that fixes the diagnostics of a rule, if there are any."""
    action = types.CodeAction(title, kind=types.CodeActionKind.QuickFix, data=data)
    action.diagnostics = [diagnostic for diagnostic in own if diagnostic.code == rule] or None
    return action


def _creations(server: CukereuseServer, actions_here: StepActions) -> Iterator[tuple[str, dict[str, bool]]]:
    """Title and parameters of each way to create step definitions."""
    place, new = actions_here.creates_in, actions_here.creates_new if can_create(server) else ""
    if place:
        yield f"Create step definition in {server.session.shown_path(place)}", {}
    if new:
        yield f"Create step definition in a new file, {server.session.shown_path(new)}", {"new": True}
    if place and actions_here.creates_more:
        yield f"Create all missing step definitions of this file in {server.session.shown_path(place)}", {"all": True}


def _of_rules(diagnostics: Any, rules: Container[str]) -> list[types.Diagnostic]:
    """Our own diagnostics that the client has sent back."""
    return [each for each in diagnostics if each.source == "cukereuse" and each.code in rules]


def _use(base: dict[str, Any], replacement: Replacement, own: list[types.Diagnostic]) -> types.CodeAction:
    kind = types.CodeActionKind.QuickFix if replacement.preferred else types.CodeActionKind.RefactorRewrite
    lacks = ", undefined too" if replacement.undefined else ""
    title = f"Use existing step “{_shown(replacement.text)}” (used {replacement.occurrences}×{lacks})"
    data = {**base, "do": "use", "text": replacement.text}
    solved = [each for each in own if not (replacement.undefined and each.code == "undefined-step")]
    is_preferred = replacement.preferred and not replacement.undefined
    return types.CodeAction(
        title,
        kind=kind,
        diagnostics=solved if replacement.preferred and solved else None,
        data=data,
        is_preferred=is_preferred or None,
    )


def _fold(document: Document, line: int, fold: Fold) -> types.CodeAction:
    steps = "step" if fold.steps == 1 else f"{fold.steps} steps"
    title = f"Move the first {steps} of every scenario into a Background"
    if fold.kind == OUTLINE:
        title = f"Fold {fold.scenarios} scenarios into one Scenario Outline"
    data = {"uri": document.uri, "version": document.version, "line": line, "do": "fold", "kind": fold.kind}
    return types.CodeAction(title, kind=types.CodeActionKind.RefactorRewrite, data=data)


def _extract(
    server: CukereuseServer, document: Document, position: types.Position, block: Extractable
) -> types.CodeAction:
    """If the client asks for the wording, its command is used; otherwise the proposed wording is written."""
    title = f"Extract these {block.steps} steps into one step ({block.places} places, saves {block.saved} lines)"
    if block.says:
        places = f" ({block.places} places)" if block.places > 1 else ""
        title = f"Replace these {block.steps} steps with “{_shown(block.says)}”{places}"
    action = types.CodeAction(title, kind=types.CodeActionKind.RefactorExtract)
    if EXTRACT in server.session.client_commands and not block.says:
        argument = {**_argument(document, position), "block": block.id}
        action.command = types.Command(title, EXTRACT, arguments=[argument])
    else:
        data = {"uri": document.uri, "version": document.version, "line": position.line + 1}
        action.data = {**data, "do": "extract", "block": block.id}
    return action


_ABOUT_CODE = ("same-code", "suspect-definition", "unused-definition")
_ABOUT_DIFFERENCES = (*_ABOUT_CODE, "divergent-definition", "divergent-wording", "parametric-variant")
"""Rules that a parameter settles too: the wording in use is not offered if it has another value."""


def _silencing(document: Document, line: int, diagnostics: Any) -> list[types.CodeAction]:
    """Actions in glue code, for each finding about the step definition on the line."""
    actions = []
    own = _of_rules(diagnostics, _ABOUT_CODE)
    for rule in dict.fromkeys(diagnostic.code for diagnostic in own if diagnostic.range.start.line + 1 == line):
        data = {"uri": document.uri, "version": document.version, "line": line, "do": "ignore", "rule": rule}
        action = types.CodeAction(f"Ignore {rule} here, with a reason", kind=types.CodeActionKind.QuickFix, data=data)
        action.diagnostics = [diagnostic for diagnostic in own if diagnostic.code == rule]
        actions.append(action)
    return actions


def _merge(document: Document, line: int, merge: Merge, diagnostics: Any) -> types.CodeAction:
    expression = _shown(merge.expression)
    titles = {
        FUNCTION: f"Put both expressions on the function of “{expression}”",
        WORDING: f"Use “{expression}” everywhere, and remove this step definition",
        CONSTANT: f"Make “{merge.parameter}” a parameter: one step definition for this and “{expression}”",
        DELETE: f"Delete the unused step definition “{expression}”",
    }
    title = titles[merge.how]
    data = {"uri": document.uri, "version": document.version, "line": line, "do": "merge", "how": merge.how}
    data |= {"definition": merge.definition, "twin": merge.twin}
    about = _ABOUT_DIFFERENCES if merge.how == CONSTANT else _ABOUT_CODE
    own = [each for each in diagnostics if each.source == "cukereuse" and each.code in about]
    kind = types.CodeActionKind.QuickFix if own else types.CodeActionKind.RefactorRewrite
    return types.CodeAction(title, kind=kind, data=data, diagnostics=own or None)


def _find_similar(server: CukereuseServer, document: Document, place: Place) -> types.CodeAction:
    command = types.Command("Find similar steps", "cukereuse.similar")
    position = range_of(place, server.session.encoding).start
    if FIND_SIMILAR in server.session.client_commands:
        command.command, command.arguments = FIND_SIMILAR, [_argument(document, position)]
    else:
        command.arguments = [document.uri, {"line": position.line, "character": position.character}]
    return types.CodeAction("Find similar steps", kind=types.CodeActionKind.RefactorRewrite, command=command)


def _rename_freely(server: CukereuseServer, document: Document, place: Place) -> types.CodeAction:
    """An action with the client's command, which asks for the phrasing."""
    position = range_of(place, server.session.encoding).start
    title = "Rename all wordings to another one…"
    command = types.Command(title, RENAME_CLUSTER, arguments=[_argument(document, position)])
    return types.CodeAction(title, kind=types.CodeActionKind.RefactorRewrite, command=command)


def _argument(document: Document, position: types.Position) -> dict[str, Any]:
    """The argument of a client's command, in the form of the protocol's parameters."""
    return {
        "textDocument": {"uri": document.uri},
        "position": {"line": position.line, "character": position.character},
    }


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
