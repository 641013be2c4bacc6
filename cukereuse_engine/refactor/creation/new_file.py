"""A new file for a new definition: its name, the code around the definition, and what makes the runner load it.

It copies the model's file: package or namespace, imports, class, the function that registers. If these are unknown,
there is no new file.
"""

import re
from collections.abc import Callable
from pathlib import Path

from cukereuse_engine.glue.definition import ExpressionKind, StepDefinition
from cukereuse_engine.refactor.code_parts.frames import Asked, Frame, NoNewFileError, enclosing_class
from cukereuse_engine.refactor.edits import ChangedFileError, source_text
from cukereuse_engine.refactor.rename_plan import FileEdits
from cukereuse_engine.refactor.writing import writing_of

Read = Callable[[str], bytes]

_SUFFIX = re.compile(r"(?<=\w)(?:[_.-]steps?|Steps?)(?:\.\w+)+$")
"""A suffix that a suite may add to the names of all its files, if a file needs no class."""
_CLASS_SUFFIX = re.compile(r"(?:Step(?:s|Defs?|Definitions?)?|Context|Bindings?|Glue)\Z")
_IMPORT = re.compile(r"(?:from|import|const|let|var)\b")
ENGLISH = ("Given", "When", "Then", "And", "But")


def new_file_for(model: StepDefinition, feature: str, read: Read) -> str:
    """The path of a new file beside the model's, named after a feature file; empty if `frame_of` or `registrations`
    refuse."""
    try:
        path = _path_for(model, feature)
        text = source_text(read(model.path), model.path)
        frame_of(model, text, path, "Given")
        registrations(model, text, path, read)
    except (NoNewFileError, ChangedFileError, OSError):
        return ""
    return path


def frame_of(model: StepDefinition, text: str, path: str, keyword: str) -> Frame:
    """The frame of a new file. `text`: the source of the model's file. `keyword`: "Given", "When" or "Then", as the
    definition is registered. Raises `NoNewFileError`."""
    frame = writing_of(model.language).frame
    if frame is None:
        raise NoNewFileError(f"no file of {model.language} is written")
    return frame(Asked(model, text, path, keyword))


def registrations(model: StepDefinition, text: str, path: str, read: Read) -> tuple[FileEdits, ...]:
    """Edits of other files without which the runner would not load the new file. Raises `NoNewFileError`."""
    register = writing_of(model.language).registrations
    return tuple(register(model, text, path, read)) if register is not None else ()


# -- names


def _path_for(model: StepDefinition, feature: str) -> str:
    path = Path(model.path)
    words = re.findall(r"\w+", Path(feature).name.partition(".")[0]) or ["steps"]
    row = writing_of(model.language)
    if row.class_suffix:
        return str(path.with_name(f"{_class_name(words, class_of(model, None), row.class_suffix)}{path.suffix}"))
    stem = "_".join(words)
    if row.file_name is not None:
        return str(path.with_name(row.file_name(path, stem)))
    usual = _SUFFIX.search(path.name)
    return str(path.with_name(f"{stem}{usual.group() if usual is not None else path.suffix}"))


def pascal(words: list[str]) -> str:
    return "".join(part[:1].upper() + part[1:] for word in words for part in word.split("_"))


def _class_name(words: list[str], neighbour: str, usual: str) -> str:
    suffix = _CLASS_SUFFIX.search(neighbour)
    name = pascal(words)
    name = name if not name[:1].isdigit() else f"Feature{name}"
    return f"{name}{suffix.group() if suffix is not None else usual}"


def class_of(model: StepDefinition, text: str | None) -> str:
    """The name of the class that contains the model; without `text`, of the class that its file is named after."""
    enclosing = enclosing_class(model, text) if text is not None else None
    return enclosing.group(1) if enclosing is not None else Path(model.path).stem


# -- frames


def imported_frame(asked: Asked, framework: str, package: str) -> Frame:
    """The imports of the functions that register, as the model's file has them. Raises `NoNewFileError`."""
    model = asked.model
    is_regex = framework == "behave" and model.kind not in (ExpressionKind.PARSE, ExpressionKind.LITERAL)
    if model.framework != framework or is_regex:
        raise NoNewFileError(f"{model.framework} loads a file only where it is named")
    lines = [line for line in asked.lines() if package in line and _IMPORT.match(line)]
    if not lines:
        raise NoNewFileError(f"it is unclear how {model.path} imports {package}")
    gap = "\n" * (1 + writing_of(model.language).blank_lines)
    if lines[0].startswith("from behave import"):
        return Frame(f"from behave import {asked.keyword.lower()}", gap=gap)
    return Frame("\n".join(lines), gap=gap)


def ending_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
