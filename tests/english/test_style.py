"""Everything that a person reads is plain English, written the same way everywhere."""

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.english.visible import Visible


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("visible", Path(__file__).with_name("visible.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["visible"] = module
    spec.loader.exec_module(module)
    return module


visible = _load()


@pytest.fixture(scope="module")
def everything() -> "list[Visible]":
    return list(visible.everything())


BLANKS = r"  +"
CLUMSY = [
    r"of which nothing",
    r"another one is",
    r"\bstands?\b(?! (in|for|out|by|beside|alone)\b)",
    r"\bthat is worded\b|\bis worded in\b",
    r"\bnothing but\b",
    r"\bthat nobody\b",
    r"\bknows which are\b",
    r"\balike to\b",
    r"\bholds no\b",
    r"\bcan not\b",
    r"\bspeaks? of\b",
    r"\bno blanks?\b",
    r"\bin any form\b",
    r"\bis another now\b",
    r"\bsays already\b",
    r"\bnor does it\b",
    r"\bwhat is to be\b",
    r"\bin other words\b",
    r"\banew\b",
    r"\bany more\b",
    r"\bone a (core|line|point|suite)\b",
    r"\b(is|are) no (slot|number|table|name|call|size|member)\b",
    r"\bat hand\b",
    r"\blikest\b",
    r"\bcut off\b",
    r"\bexclude each other\b",
    r"\bsays? (less|more)\b",
    r"\bruns of steps\b",
    r"\bworking folder\b",
    r"\bby itself\b",
    r"\bnobody\b",
    r"\bin place of\b",
    r"\bmay be given several times\b",
    BLANKS,
]


def test_there_is_much_to_read(everything: "list[Visible]") -> None:
    kinds = Counter(each.kind for each in everything)
    assert min(kinds[kind] for kind in (visible.TITLE, visible.SENTENCES, visible.MESSAGE)) > 30
    assert kinds.total() - kinds[visible.TEXT] > 600
    endings = Counter(Path(each.where.rpartition(":")[0]).suffix for each in everything if each.kind == visible.TEXT)
    assert endings[".py"] > 1_000
    assert min(endings[".ts"], endings[".lua"]) > 50


@pytest.mark.parametrize("phrase", CLUMSY)
def test_no_clumsy_phrase(everything: "list[Visible]", phrase: str) -> None:
    texts = [each for each in everything if phrase != BLANKS or each.kind != visible.TEXT]  # texts may be laid out
    assert [f"{each.where}: {each.text}" for each in texts if re.search(phrase, each.text, re.IGNORECASE)] == []


def test_titles_have_sentence_case_and_no_full_stop(everything: "list[Visible]") -> None:
    wrong = [each for each in everything if each.kind == visible.TITLE and not is_title(each.text)]
    assert wrong == []


def is_title(text: str) -> bool:
    first, *rest = text.split()
    capitals = [word for word in rest if word[0].isupper() and word[1:].islower() and word not in NAMES]
    return (first[0].isupper() or not first[0].isalpha()) and not text.endswith(".") and not capitals


NAMES = {"Gherkin", "Scenario", "Outline", "Background", "Cucumber", "Outlines", "Examples", "Neovim"}


def test_sentences_begin_with_a_capital_letter_and_end_with_a_stop(everything: "list[Visible]") -> None:
    wrong = [each for each in everything if each.kind == visible.SENTENCES and not is_sentence(each.text)]
    assert wrong == []


def is_sentence(text: str) -> bool:
    if re.match(r"(pip|cukereuse) ", text):  # a command to type
        return True
    ends = re.search(r"([.?!…)]|`)['\"”]?$", text) or re.search(r": (cukereuse|--\S+) .*$", text)
    return bool(re.match(r"[A-Z“`*'\"(…\d.-]", text) and ends)


def test_messages_begin_small_and_end_without_a_stop(everything: "list[Visible]") -> None:
    """They follow `error: `."""
    wrong = [each for each in everything if each.kind == visible.MESSAGE and not is_message(each.text)]
    assert wrong == []


def is_message(text: str) -> bool:
    return not re.search(r"(?<!\.)\.$", text) and not re.match(r"(?!Ray)[A-Z][a-z]+ ", text)
