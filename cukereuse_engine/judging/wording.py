"""Why two texts are alike or not, in words."""

from difflib import SequenceMatcher

from cukereuse_engine.judging.model import Kind, StepText
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.text.template import SLOT


def other_arguments(one: StepText, other: StepText) -> str:
    """For two texts of one template: how many of their arguments differ."""
    values = zip(one.template.arguments, other.template.arguments, strict=False)
    count = sum(1 for mine, theirs in values if mine.text != theirs.text)
    if count == 0:
        return "same but for white space or capitals"
    return f"same but for {_count(count, 'argument')}"


def of_pair(pairs: Pairs, kind: Kind, support: int) -> tuple[str, ...]:
    """Reasons for one pair of different templates; `support` is the number of templates that fit their frame."""
    templates = pairs.templates
    row_a, row_b = int(pairs.a[0]), int(pairs.b[0])
    words_a, words_b = templates.words_of(row_a), templates.words_of(row_b)
    if words_a == words_b:
        return ("only punctuation differs",)
    found = []
    if kind is Kind.PARAMETRIC and support > 2:
        found.append(
            f"frame {frame(words_a, int(pairs.prefix[0]), int(pairs.suffix[0]))!r} seen with {support} fillers"
        )
    one, other = templates.meaning(row_a), templates.meaning(row_b)
    synonyms = sorted((one.synonyms ^ other.synonyms), key=lambda item: item[1])
    names = {name for _, name in one.synonyms} & {name for _, name in other.synonyms}
    for name in sorted(names):
        wordings = sorted({wording for wording, meaning in synonyms if meaning == name})
        if len(wordings) > 1:
            found.append(" and ".join(repr(wording) for wording in wordings) + " mean the same")
    if pairs.same_stems()[0]:
        found.append("only inflection differs")
    if sorted(words_a) == sorted(words_b):
        found.append("the same words in another order")
    return tuple(found) or (_differing(words_a, words_b),)


def frame(words: list[str], prefix: int, suffix: int) -> str:
    """The common beginning and end of two templates, such as "go to the … page"."""
    return " ".join([*words[:prefix], "…", *words[len(words) - suffix :]])


def _differing(words_a: list[str], words_b: list[str]) -> str:
    only_a, only_b = [], []
    for operation, a, a_end, b, b_end in SequenceMatcher(None, words_a, words_b, autojunk=False).get_opcodes():
        if operation != "equal":
            only_a += words_a[a:a_end]
            only_b += words_b[b:b_end]
    one, other = _quoted(only_a), _quoted(only_b)
    if one and other:
        return f"{one} against {other}"
    return f"only {one or other} differs"


def _quoted(words: list[str]) -> str:
    return repr(" ".join("…" if word == SLOT else word for word in words)) if words else ""


def _count(n: int, noun: str) -> str:
    return f"{'one' if n == 1 else n} {noun}{'' if n == 1 else 's'}"
