"""The meaning of each glue language's syntax: one row for each language, from the module with its id in `languages`."""

import importlib
import pkgutil
from collections.abc import Mapping

from cukereuse_engine.functions import languages
from cukereuse_engine.functions.grammar import Grammar

__all__ = ["GRAMMARS", "Grammar"]


def _row(language: str) -> Grammar:
    row: Grammar = importlib.import_module(f"{languages.__name__}.{language}").GRAMMAR
    return row


GRAMMARS: Mapping[str, Grammar] = {
    module.name: _row(module.name) for module in pkgutil.iter_modules(languages.__path__)
}
"""By the id of the language module in `glue.languages`."""
