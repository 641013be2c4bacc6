"""Everything that a person may read: rules, settings, commands with their options, the extension's contributions,
errors, refusals and messages, and every other text of several words in the code of the packages and the editors.

`catalogue.py` lists the other texts by file, to be read aloud.
"""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from cukereuse_engine.cli.main import cli
from cukereuse_engine.rules import RULES
from cukereuse_engine.settings import SETTINGS

sys.path.insert(0, str(Path(__file__).parent))

from literals import PACKAGES, ROOT, blank_text, files, literals

TITLE, SENTENCES, MESSAGE, TEXT = "title", "sentences", "message", "text"
"""A title has a capital letter and no full stop; sentences have both; a message is what follows `error: `; a text may
be a part of any of them."""
_CALLS = ("warn", "model_missing", "show_message", "usage", "UsageError", "BadParameter", "ClickException")
_ENDS = ("Error", "Refusal", "Problem")
_OF_FILES = ("GlueError", "SettingProblem", "ReadError", "Refusal")
"""Classes whose first argument is a place."""
_KEYWORDS = ("hint", "remedy")


@dataclass(frozen=True, slots=True)
class Visible:
    where: str
    text: str
    """The text, with `…` for inserted values."""
    kind: str


def everything() -> Iterator[Visible]:
    yield from rules()
    yield from settings()
    yield from commands(cli, ("cukereuse",))
    yield from contributions()
    yield from editor_commands()
    for path in (path for package in PACKAGES for path in files(package) if path.suffix == ".py"):
        yield from spoken(path)
    yield from texts()
    yield from guides()


def rules() -> Iterator[Visible]:
    for rule in RULES.values():
        yield Visible(f"rule {rule.id}", rule.title, TITLE)
        yield Visible(f"rule {rule.id}", rule.help, SENTENCES)


def settings() -> Iterator[Visible]:
    for setting in SETTINGS.values():
        yield Visible(f"setting {setting.name}", setting.help, SENTENCES)


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[Visible]:
    name = " ".join(path)
    yield Visible(name, _paragraphs(command.help or ""), SENTENCES)
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            yield Visible(f"{name} {parameter.opts[-1]}", (parameter.help or "").partition("  [default")[0], SENTENCES)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for sub in command.list_commands(context):
            known = command.get_command(context, sub)
            assert known is not None
            yield from commands(known, (*path, sub))


def _paragraphs(text: str) -> str:
    """The text without examples, which click prints unchanged."""
    parts = [part.strip() for part in text.split("\n\n")]
    return " ".join(" ".join(part.split()) for part in parts if not part.startswith(("\b", "$")))


def contributions() -> Iterator[Visible]:
    manifest = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text("utf-8"))
    yield from _contributions("package.json", manifest["contributes"])


def _contributions(where: str, value: Any) -> Iterator[Visible]:
    if isinstance(value, list):
        for item in value:
            yield from _contributions(where, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if "commands" in where and isinstance(item, str):
                continue  # VS Code has title case in its menus
            if key == "title" and isinstance(item, str):
                yield Visible(f"{where} {key}", item, TITLE)
            elif key == "description" and "severity" in where:
                yield Visible(where, item, TITLE)
            elif key in ("description", "markdownDescription") and isinstance(item, str):
                yield Visible(where, item, SENTENCES)
            else:
                yield from _contributions(f"{where} {key}", item)


def editor_commands() -> Iterator[Visible]:
    """The descriptions of commands in Neovim's help; VS Code's titles have title case."""
    table = tomllib.loads((ROOT / "editors" / "commands.toml").read_text("utf-8"))
    for name, row in table.items():
        if "help" in row:
            yield Visible(f"commands.toml {name}", " ".join(row["help"].split()), SENTENCES)


def spoken(path: Path) -> Iterator[Visible]:
    """The texts of errors and messages in a source."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            yield from _said(f"{path.relative_to(ROOT)}:{node.lineno}", node)


def _said(where: str, call: ast.Call) -> Iterator[Visible]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in _CALLS and not name.endswith(_ENDS):
        return
    for number, argument in enumerate(call.args):
        text = blank_text(argument)
        if text is not None and " " in text:
            yield Visible(where, text, MESSAGE if number == 0 or name in _OF_FILES else SENTENCES)
    for keyword in call.keywords:
        text = blank_text(keyword.value)
        if text is not None and " " in text and keyword.arg in _KEYWORDS:
            yield Visible(where, text, SENTENCES)


def texts() -> Iterator[Visible]:
    for package in PACKAGES:
        for path in files(package):
            for literal in literals(path):
                yield Visible(f"{path.relative_to(ROOT)}:{literal.line}", literal.blank, TEXT)


def guides() -> Iterator[Visible]:
    """Paragraphs, rows and items of texts for people, without code."""
    for path in sorted(path for pattern in _GUIDES for path in ROOT.glob(pattern)):
        prose = re.sub(r"```.*?```|`[^`\n]*`", "`…`", path.read_text("utf-8"), flags=re.DOTALL)
        for part in re.split(r"\n(?=\s*\n|[-|#] )", prose):
            if part.strip():
                yield Visible(f"{path.relative_to(ROOT)}", " ".join(part.split()), TEXT)


_GUIDES = ("*.md", ".github/*.md", "*/README.md", "editors/*/README.md", "editors/*/media/*.md", "editors/*/doc/*.txt")
