"""Renews what is generated: the settings, the commands and the version in package.json, the commands' registrations,
Neovim's help of them, the grammar's keywords, and the languages of step definitions here, in the Neovim plugin and in
the template for JetBrains' LSP4IJ, the guide to the rules, and in ARCHITECTURE.md what each language can do.

`python scripts/generate.py` writes; with `--check` it only says whether something is out of date (exit code 1). Sources
are the engine's tables of settings and languages, the server's own settings, the editors' table of commands, and the
official parser's dialects.
"""

import ast
import importlib.resources
import inspect
import json
import re
import sys
import textwrap
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

from cukereuse_server.settings import CHOICES, ServerSettings
from cukereuse_server.setup import create_server

from cukereuse_engine import __version__
from cukereuse_engine.functions.grammars import GRAMMARS
from cukereuse_engine.gherkin.discovery import FEATURE_SUFFIXES
from cukereuse_engine.glue.languages import base
from cukereuse_engine.markers import markdown_table, renewed
from cukereuse_engine.prose import listed
from cukereuse_engine.refactor.writing import writing_of
from cukereuse_engine.rules import RULES, About, Severity
from cukereuse_engine.settings.json_schema import property_schema
from cukereuse_engine.settings.table import SETTINGS, SettingScope, ValueType

FOLDER = Path(__file__).resolve().parents[1]
MANIFEST = FOLDER / "package.json"
LOCK = FOLDER / "package-lock.json"
GRAMMAR = FOLDER / "syntaxes" / "gherkin.tmLanguage.json"
LANGUAGES = FOLDER / "src" / "languages.ts"
NEOVIM = FOLDER.parent / "neovim" / "lua" / "cukereuse" / "workspace.lua"
JETBRAINS = FOLDER.parent / "jetbrains" / "template.json"
COMMANDS = tomllib.loads((FOLDER.parent / "commands.toml").read_text(encoding="utf-8"))
REGISTRATIONS = FOLDER / "src" / "commands" / "index.ts"
NEOVIM_HELP = FOLDER.parent / "neovim" / "doc" / "cukereuse.txt"
GUIDE = FOLDER.parent / "RULES.md"
ARCHITECTURE = FOLDER.parents[1] / "ARCHITECTURE.md"
GENERATED_GROUPS = ("Server", "Suites (a value set here overrides the suite's cukereuse.toml)")


def manifest(text: str) -> str:
    """package.json with the settings, the commands and the version as they should be."""
    document = json.loads(text)
    document["version"] = __version__
    groups = document["contributes"]["configuration"]
    kept = [group for group in groups if group["title"] not in GENERATED_GROUPS]
    generated = (server_properties(), suite_properties())
    for title, properties in zip(GENERATED_GROUPS, generated, strict=True):
        kept.append({"title": title, "properties": properties})
    document["contributes"]["configuration"] = kept
    document["contributes"] |= commands()
    return _json(document)


IN_FEATURES = "editorLangId == cucumber"
OFFERED = {
    "step": f"{IN_FEATURES} || resourceExtname == .feature",
    "server": "cukereuse.serverRunning",
}


def commands() -> dict[str, Any]:
    """What package.json contributes of each command: its title, and where and by which keys it is offered."""
    rows = [{**row, "command": f"cukereuse.{row['command']}"} for row in COMMANDS.values() if "command" in row]
    keys = ("command", "key", "mac")
    return {
        "commands": [{"command": row["command"], "category": "Cukereuse", "title": row["title"]} for row in rows],
        "menus": {
            "commandPalette": [{"command": row["command"], "when": OFFERED[row["of"]]} for row in rows if "of" in row],
            "editor/context": [
                {"command": row["command"], "when": IN_FEATURES, "group": row["menu"]} for row in rows if "menu" in row
            ],
        },
        "keybindings": [
            {**{key: row[key] for key in keys if key in row}, "when": f"editorTextFocus && {IN_FEATURES}"}
            for row in rows
            if "key" in row
        ],
    }


def registrations() -> str:
    """The functions of all commands but those that the server executes itself."""
    rows = {name: row["command"] for name, row in COMMANDS.items() if "command" in row and row.get("of") != "server"}
    imports = "".join(f'import {{ {command} }} from "./{name}";\n' for name, command in sorted(rows.items()))
    listed = "".join(f"  {command},\n" for command in rows.values())
    return (
        "// Written by scripts/generate.py from the table of the editors' commands.\n\n"
        f'import type {{ Session }} from "../session";\n{imports}\n'
        "/** What the user can ask for, by its name behind `cukereuse.`. */\n"
        "export const COMMANDS: Readonly<Record<string, (session: Session, args: readonly unknown[]) => unknown>> = {\n"
        f"{listed}}};\n"
    )


def neovim_help(text: str) -> str:
    """The plugin's help with its section of commands as it should be."""
    parts = []
    for name, row in COMMANDS.items():
        if "help" in row:
            body = textwrap.fill(row["help"].strip(), 78, initial_indent=" " * 8, subsequent_indent=" " * 8)
            call = f":Cukereuse {name} {row.get('argument', '')}".rstrip()
            parts.append(f"{f'*:Cukereuse-{name}*':>77}\n{call}\n{body}\n\n")
    section = r"(?<=\*:Cukereuse\*\n\n)(?s:.*?)(?=^={78}$)"
    text = re.sub(section, lambda _: "".join(parts), text, count=1, flags=re.MULTILINE)
    return re.sub(r"^The server is attached to(?:.+\n)+", _attached, text, count=1, flags=re.MULTILINE)


def _attached(paragraph: re.Match[str]) -> str:
    """The paragraph that lists the languages of step definitions."""
    names = listed(sorted(language.name for language in base.languages()))
    words = re.sub(r"(?<=step definitions in ).*?(?= that lie beside)", names, " ".join(paragraph[0].split()))
    return textwrap.fill(words, 78, break_on_hyphens=False) + "\n"


def lock(text: str) -> str:
    """package-lock.json, which names the version twice."""
    document = json.loads(text)
    document["version"] = document["packages"][""]["version"] = __version__
    return _json(document)


def languages() -> str:
    """The languages of step definitions, for the client."""
    ids = sorted({name for language in base.languages() for name in language.editor_ids})
    listed = "".join(f'  "{name}",\n' for name in ids)
    return (
        "// Written by scripts/generate.py from the engine's table of languages.\n\n"
        f"/** What VS Code calls the languages of step definitions. */\nexport const GLUE = [\n{listed}];\n"
    )


def neovim(text: str) -> str:
    """The plugin's file with its table of languages as it should be."""
    rows = {
        language.filetypes.get(name, name): f"'{name}'" if name in language.filetypes else "true"
        for language in base.languages()
        for name in language.editor_ids
    }
    table = "".join(f"  {filetype} = {value},\n" for filetype, value in sorted(rows.items()))
    return re.sub(r"(?<=^local GLUE = \{\n)(?:  .*\n)*(?=\})", table, text, count=1, flags=re.MULTILINE)


def jetbrains() -> str:
    """A language server as LSP4IJ imports it: feature files and step definitions by the endings of their names."""
    kinds = {"cucumber": ("Gherkin", FEATURE_SUFFIXES)}
    kinds |= {one.editor_ids[0]: (f"Step definitions ({one.editor_ids[0]})", one.suffixes) for one in base.languages()}
    mappings = [
        {"fileType": {"name": name, "patterns": [f"*{suffix}" for suffix in suffixes]}, "languageId": language}
        for language, (name, suffixes) in kinds.items()
    ]
    command = "cukereuse serve"
    arguments = {"default": f'sh -c "{command}"', "windows": command}
    return _json({"id": "cukereuse", "name": "cukereuse", "programArgs": arguments, "fileTypeMappings": mappings})


CAPABILITIES = {
    "compare": lambda language: language in GRAMMARS,
    "rename": lambda language: writing_of(language).literals is not None,
    "create": lambda language: writing_of(language).snippet is not None,
    "merge": lambda language: writing_of(language).shared_call is not None,
    "call": lambda language: writing_of(language).calling is not None,
}
"""Maps a capability to a test that a language has it. All languages are read, and bound."""


def architecture(text: str) -> str:
    """ARCHITECTURE.md with its table of what is done for each language as it should be."""
    rows = [
        (language.name, *("yes" if has(language.id) else "not yet" for has in CAPABILITIES.values()))
        for language in sorted(base.languages(), key=lambda language: language.name)
    ]
    return renewed(text, {"languages": lambda: markdown_table(("language", *CAPABILITIES), rows)})


def rules() -> str:
    """What diagnostics link to: each rule below its id."""
    parts = [
        "# Rules",
        "What each diagnostic says and what to do about it. Written by `editors/vscode/scripts/generate.py`.",
    ]
    for about in About:
        parts.append(f"## Rules about {about.value}")
        for rule in RULES.values():
            if rule.about is about:
                severity = "Off" if rule.severity is Severity.OFF else rule.severity.value.capitalize()
                parts += [f"### {rule.id}", f"{rule.title}. {severity} by default.", rule.help]
    silence = (
        "`# cukereuse: ignore[rule] -- reason` above a step silences a rule there; the setting `severity` changes it."
    )
    return "\n\n".join([*parts, "## Silencing", silence]) + "\n"


def suite_properties() -> dict[str, Any]:
    """The engine's table."""
    properties = {}
    for order, setting in enumerate(SETTINGS.values(), 1):
        if not setting.in_editors:
            continue
        schema = property_schema(setting)
        schema["markdownDescription"] = schema.pop("description")
        if setting.type is ValueType.LEVELS:
            for rule, level in schema["properties"].items():
                schema["properties"][rule] = {**level, "description": RULES[rule].title}
        properties[f"cukereuse.{_camel(setting.name)}"] = {
            **schema,
            "scope": "resource" if setting.scope is SettingScope.SUITE else "machine-overridable",
            "order": order,
        }
    return properties


def server_properties() -> dict[str, Any]:
    """The server's own settings: fields of `ServerSettings` with the text below each."""
    described = _attribute_docs(ServerSettings)
    types = {bool: "boolean", int: "integer", str: "string", tuple: "array"}
    return {
        f"cukereuse.{_camel(field.name)}": {
            "type": types[type(field.default)],
            **_choices(field.name, field.default),
            "default": list(field.default) if isinstance(field.default, tuple) else field.default,
            "markdownDescription": described[field.name],
            "scope": "window",
            **({"minimum": 0} if type(field.default) is int else {}),
            "order": order,
        }
        for order, field in enumerate(fields(ServerSettings), 1)
    }


def _choices(name: str, default: Any) -> dict[str, Any]:
    """What a setting may hold, or the items of a list."""
    if isinstance(default, tuple):
        names = sorted(create_server().session.can_be_off)
        return {"items": {"type": "string", "enum": names}, "uniqueItems": True}
    return {"enum": list(CHOICES[name])} if name in CHOICES else {}


def grammar() -> str:
    """The grammar: English, and for each other dialect a block that its `# language:` line opens."""
    parts = json.loads((FOLDER / "syntaxes" / "gherkin.source.json").read_text(encoding="utf-8"))
    dialects = _dialects()
    repository = dict(parts["repository"])
    headers = []
    for language, dialect in sorted(dialects.items()):
        repository[f"keywords-{language}"] = {"patterns": _keyword_patterns(dialect)}
        inside = [{"include": "#common"}, {"include": f"#keywords-{language}"}]
        if language != "en":
            # the block never ends: `(?!)` matches nowhere
            begin = rf"^\s*#\s*language\s*:\s*{re.escape(language)}\s*$"
            name = {"0": {"name": "comment.line.number-sign.gherkin"}}
            headers.append({"begin": begin, "end": "(?!)", "beginCaptures": name, "patterns": inside})
    document = {
        "name": "Gherkin",
        "scopeName": "text.gherkin.cukereuse",
        "patterns": [*headers, {"include": "#common"}, {"include": "#keywords-en"}],
        "repository": repository,
    }
    return _json(document)


def _keyword_patterns(dialect: dict[str, list[str]]) -> list[dict[str, Any]]:
    headings = ("feature", "rule", "background", "scenario", "scenarioOutline", "examples")
    titles = sorted({word for kind in headings for word in dialect[kind]}, key=_longest)
    steps = sorted({word for kind in ("given", "when", "then", "and", "but") for word in dialect[kind]}, key=_longest)
    steps = [word for word in steps if word != "* "]
    # a keyword that ends in a blank is one only before a blank; some scripts write none
    step = "|".join(re.escape(word.rstrip()) + (r"(?=[ \t])" if word.endswith(" ") else "") for word in steps)
    return [
        {
            "match": rf"^\s*({'|'.join(map(re.escape, titles))})(:)(.*)$",
            "captures": {
                "1": {"name": "keyword.control.heading.gherkin"},
                "2": {"name": "punctuation.separator.gherkin"},
                "3": {"name": "entity.name.section.gherkin"},
            },
        },
        {
            "begin": rf"^\s*(\*(?=[ \t])|{step})",
            "end": "$",
            "beginCaptures": {"1": {"name": "keyword.other.step.gherkin"}},
            "patterns": [{"include": "#arguments"}],
        },
    ]


def _dialects() -> dict[str, dict[str, list[str]]]:
    source = importlib.resources.files("gherkin") / "gherkin-languages.json"
    table: dict[str, dict[str, list[str]]] = json.loads(source.read_text(encoding="utf-8"))
    return table


def _longest(word: str) -> tuple[int, str]:
    return -len(word), word


def _attribute_docs(kind: type) -> dict[str, str]:
    """Field to the string below it."""
    tree = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(tree, ast.ClassDef)
    docs = {}
    for field, text in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            docs[ast.unparse(field.target)] = " ".join(str(text.value.value).split())
    return docs


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def _json(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Exit code 1 where `--check` finds something out of date."""
    check = "--check" in sys.argv[1:]
    outdated = []
    for file, make in (
        (MANIFEST, manifest),
        (LOCK, lock),
        (GRAMMAR, lambda _: grammar()),
        (LANGUAGES, lambda _: languages()),
        (NEOVIM, neovim),
        (NEOVIM_HELP, neovim_help),
        (REGISTRATIONS, lambda _: registrations()),
        (JETBRAINS, lambda _: jetbrains()),
        (GUIDE, lambda _: rules()),
        (ARCHITECTURE, architecture),
    ):
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        after = make(before)
        if before != after:
            outdated.append(file.name)
            if not check:
                file.write_text(after, encoding="utf-8")
    if outdated:
        print(f"{'out of date' if check else 'written'}: {', '.join(outdated)}")
    return int(check and bool(outdated))


if __name__ == "__main__":
    sys.exit(main())
