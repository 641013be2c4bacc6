"""The reasons why two texts are alike or not, in words."""

from collections import Counter
from collections.abc import Callable, Sequence

from cukereuse_engine.judging.alignment import Alignment, WordRelation
from cukereuse_engine.judging.fillers import Fillers
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.prose import listed
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import tokens


def other_arguments(left: StepText, right: StepText) -> str:
    """The number of arguments that differ in two texts of one template, in words."""
    values = zip(left.template.arguments, right.template.arguments, strict=False)
    count = sum(1 for mine, theirs in values if mine.text != theirs.text)
    if count == 0:
        return "the same except for white space or capitals"
    return f"the same except for {'one argument' if count == 1 else f'{count} arguments'}"


def of_alignment(alignment: Alignment, masked: Sequence[str], in_frame: str | None = None) -> tuple[str, ...]:
    """The unmatched parts of the two `masked` texts, the strongest objection first; `in_frame`: their common frame, if
    any."""
    written = _written(masked)
    slots = sum(match.other is None and match.one.surface == SLOT for match in alignment.matches)
    more = "one has one more argument"
    if slots > 1:
        more = f"{slots} arguments are in one of them only"
    reasons = [in_frame] if in_frame else []
    for match in sorted(alignment.matches, key=lambda match: -match.relation):
        if match.other is not None:
            left, right = map(quoted, map(written, sorted((match.one.surface, match.other.surface))))
            reasons.append(_SAYS[match.relation].format(left=left, right=right))
        else:
            word = match.one.surface
            reasons.append(more if word == SLOT else f"only one says {quoted(written(word))}")
    if alignment.moved:
        reasons.append("in another order")
    little = [quoted(written(words)) for words in _little(alignment, sorted(masked))] or ["punctuation"]
    return tuple(dict.fromkeys(reasons)) or (f"only {listed(little)} {'differs' if len(little) == 1 else 'differ'}",)


def _written(masked: Sequence[str]) -> Callable[[str], str]:
    """Restores the capitals of lower-case words, if the texts always write them so."""
    words = {word.lower(): word for word in sorted(word for text in masked for word in tokens(text, lower=False))}
    return lambda surface: " ".join(words.get(word, word) for word in surface.split())


def _little(alignment: Alignment, masked: Sequence[str]) -> list[str]:
    """Differences without a meaning, left to right: words that only one text has, and forms of a word ("is", "was")."""
    texts = [tokens(text) for text in masked]
    places = ((word, place) for words in texts for place, word in enumerate(words))
    first_of = dict(sorted(places, reverse=True))
    left, right = map(Counter, texts)
    units = dict.fromkeys(unit.surface for unit in alignment.little)
    inside = {word for unit in units for word in unit.split()}
    forms = (word for word in (left - right) + (right - left) if word not in inside)
    return sorted([*units, *forms], key=lambda words: first_of.get(words.split()[0], 0))


_SAYS = {
    WordRelation.INFLECTED: "{left} and {right} are forms of one word",
    WordRelation.SYNONYM: "{left} and {right} mean the same",
    WordRelation.NEAR_SYNONYM: "{left} and {right} mean the same in some steps",
    WordRelation.SPELLED: "{left} and {right} are spelled alike",
    WordRelation.STATE: "{left} and {right} are a state and what leads to it",
    WordRelation.OPPOSITE: "{left} and {right} are opposites",
    WordRelation.SIBLING: "{left} and {right} are different things of one kind",
    WordRelation.REPLACED: "{left} vs. {right}",
}


def filled_frame(pairs: Pairs, fillers: Fillers) -> str | None:
    """The frame of one pair, if the suite fills it with more than two words; else None."""
    support = int(fillers.support[0])
    return f"{support} different words fill the gap in “{frame(pairs)}”" if support > 2 else None


def frame(pairs: Pairs) -> str:
    """The common beginning and end of one pair: "go to the … page", "see <argument> in …"."""
    words = tokens(pairs.templates.masked[int(pairs.a[0])], lower=False)
    common = [*words[: pairs.prefix[0]], "…", *words[len(words) - pairs.suffix[0] :]]
    return " ".join("<argument>" if word == SLOT else word for word in common)


def quoted(surface: str) -> str:
    """A word in quotes for people, without the sign of a slot."""
    return "an argument" if surface == SLOT else f"“{surface}”"
