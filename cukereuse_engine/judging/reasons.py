"""The reasons why two texts are alike or not, in words."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from cukereuse_engine.judging.alignment import Alignment, WordRelation
from cukereuse_engine.judging.fillers import Fillers
from cukereuse_engine.judging.lexicon import Tag
from cukereuse_engine.judging.templates import Pairs
from cukereuse_engine.prose import listed
from cukereuse_engine.text.step_text import StepText
from cukereuse_engine.text.template import SLOT
from cukereuse_engine.text.words import spelled_out, tokens

HAVE_ONE_EACH = "each has a step definition of its own"
"""The reason against one wording that a finding about step definitions shows in any case."""


def other_arguments(left: StepText, right: StepText) -> str:
    """The number of arguments that differ in two texts of one template, in words."""
    values = zip(left.template.arguments, right.template.arguments, strict=False)
    count = sum(1 for mine, theirs in values if mine.text != theirs.text)
    if count == 0:
        return "the same except for white space or capitals"
    return f"the same except for {'one argument' if count == 1 else f'{count} arguments'}"


def of_alignment(
    alignment: Alignment, masked: Sequence[str], languages: tuple[str, ...], in_frame: str | None = None
) -> tuple[str, ...]:
    """The unmatched parts of the two `masked` texts, the strongest objection first; `in_frame`: their common frame, if
    any."""
    reasons = [in_frame] if in_frame else []
    reasons += [reason for reason, _ in of_words(alignment, masked, languages)]
    reasons += ["in another order"] if alignment.moved else []
    if reasons:
        return tuple(dict.fromkeys(reasons))
    written = as_written(masked, languages)
    little = dict.fromkeys(quoted(written(words)) for gap in _gaps(masked) for words in gap if words)
    return (f"only {listed([*little]) or 'punctuation'} {'differ' if len(little) > 1 else 'differs'}",)


def of_words(
    alignment: Alignment, masked: Sequence[str], languages: tuple[str, ...]
) -> Iterator[tuple[str, Sequence[str]]]:
    """What is said of unmatched words with a meaning, or of two that stand for each other, with these words."""
    alone, beside = unmatched(alignment, masked, languages)
    facts = [(match.relation, (match.one.surface, match.other.surface)) for match in alignment.matches if match.other]
    facts += [(WordRelation.REPLACED, gap) for gap in beside]
    slots, written = alone.count(SLOT), as_written(masked, languages)
    more = "one has one more argument" if slots == 1 else f"{slots} arguments are in one of them only"
    for words in _phrases(alone, [spelled_out(text, languages) for text in masked]):
        yield more if words == [SLOT] else f"only one says {quoted(written(' '.join(words)))}", words
    for relation, both in sorted(facts, key=lambda fact: -fact[0]):
        left, right = map(quoted, map(written, sorted(both)))
        yield _SAYS[relation].format(left=left, right=right), both


def _phrases(words: Sequence[str], texts: Sequence[str]) -> list[list[str]]:
    """The words in their order; those that follow each other in a text are together."""
    said = [f" {' '.join(tokens(text))} " for text in texts]
    phrases: list[list[str]] = []
    for word in words:
        together = [*phrases[-1], word] if phrases else [word]
        if len(together) == 1 or SLOT in together or not any(f" {' '.join(together)} " in text for text in said):
            phrases.append([word])
        else:
            phrases[-1] = together
    return phrases


def unmatched(
    alignment: Alignment, masked: Sequence[str], languages: tuple[str, ...]
) -> tuple[list[str], list[tuple[str, str]]]:
    """The words that only one text has, and pairs of such words at one place."""
    alone = alignment.missing + [unit.surface for unit in alignment.little if unit.tag in (Tag.LIGHT, Tag.EXISTENCE)]
    gaps = _gaps([spelled_out(text, languages) for text in masked]) if len(alone) > 1 else []
    beside = [gap for gap in gaps if set(gap) <= set(alone)]
    return [words for words in alone if not any(words in gap for gap in beside)], beside


def _gaps(masked: Sequence[str]) -> list[tuple[str, str]]:
    """The words at each place where two texts differ: “now” and “still”."""
    left, right = map(tokens, sorted(masked))
    changes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [(" ".join(left[a:b]), " ".join(right[c:d])) for change, a, b, c, d in changes if change != "equal"]


def as_written(masked: Sequence[str], languages: tuple[str, ...]) -> Callable[[str], str]:
    """Restores words in lower case as the texts write them: with capitals, if always so, and as a contraction, if never
    spelled out and if it is clear as which."""
    whole = sorted({word for text in masked for word in tokens(text, lower=False)})
    words = {word.lower(): word for word in whole}
    long = {word: tuple(tokens(spelled_out(word, languages))) for word in whole}
    short = {parts: word for word, parts in long.items() if not words.keys() >= set(parts)}
    within = Counter(part for parts in short for part in set(parts))
    parts_alone = {part: word for parts, word in short.items() for part in parts if within[part] == 1}

    def written(surface: str) -> str:
        rest, shown = tuple(surface.split()), []
        while rest:
            parts = next((parts for parts in short if rest[: len(parts)] == parts), rest[:1])
            shown.append(short.get(parts) or words.get(parts[0]) or parts_alone.get(parts[0], parts[0]))
            rest = rest[len(parts) :]
        return " ".join(shown)

    return written


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
    masked, languages = pairs.templates.masked[int(pairs.a[0])], pairs.templates.languages
    words = tokens(spelled_out(masked, languages))
    common = " ".join([*words[: pairs.prefix[0]], "…", *words[len(words) - pairs.suffix[0] :]])
    return as_written([masked], languages)(common).replace(SLOT, "<argument>")


def quoted(surface: str) -> str:
    """A word in quotes for people, without the sign of a slot."""
    return "an argument" if surface == SLOT else f"“{surface}”"
