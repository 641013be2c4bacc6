"""Values that a step says without quotes: an address, a flag, a pattern, a version, a list in brackets."""

import re

from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import is_emphasised

_AROUND = "()\"'“”‘’"
_VALUE = re.compile(r"[^\w\s'’-]|[\d_]|^-")
"""In what is between two blanks, without the punctuation around it: a sign, a digit, an opening hyphen."""
_ANY = "\0"


def differ_by_value(left: str, right: str) -> bool:
    """True if two masked texts differ only in values: one definition can take both, and nothing needs rewording. Labels
    between asterisks are words, and so is a slot beside a value: quotes may be missing there."""
    if is_emphasised(left) or is_emphasised(right):
        return False
    words, values = _parts(left)
    other_words, other_values = _parts(right)
    return words == other_words and values != other_values


def _parts(masked: str) -> tuple[list[str], list[str]]:
    """The words in lower case, each run of values as one mark; and the values."""
    words: list[str] = []
    values: list[str] = []
    for written in masked.split():
        bare = written.strip(_AROUND).rstrip(".,:;!?")
        if SLOT in bare:
            words.append(SLOT)
            values.append(bare)
        elif _VALUE.search(bare):
            values.append(bare)
            if words[-1:] != [_ANY]:
                words.append(_ANY)
        else:
            words.append(written.lower())
    return words, values
