"""Lists all English of each package in one file, to be read aloud and corrected there; the texts stay in the code.

`python tests/english/catalogue.py` writes `catalogue/*.txt` from the sources. With `--correct`, it first writes texts
that were reworded in these files into the sources.
"""

import re
import sys
from difflib import SequenceMatcher
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from literals import PACKAGES, ROOT, Literal, files, literals

FOLDER = Path(__file__).with_name("catalogue")


def written(package: str) -> str:
    texts = {path: [f"  {_line(each.text)}" for each in literals(path)] for path in files(package)}
    parts = ["\n".join([path.relative_to(ROOT).as_posix(), *lines]) for path, lines in texts.items() if lines]
    return "\n\n".join(parts) + "\n"


def _line(text: str) -> str:
    return text.replace("\n", "\\n")


def corrections(catalogue: str) -> dict[Path, dict[Literal, str]]:
    """The texts that differ between the catalogue and the sources, by file."""
    reworded: dict[Path, dict[Literal, str]] = {}
    for part in catalogue.strip().split("\n\n"):
        name, *lines = part.split("\n")
        known = literals(ROOT / name)
        if len(known) != len(lines):
            raise SystemExit(f"{name}: {len(known)} texts in the source, {len(lines)} in the catalogue; write it first")
        pairs = zip(known, (line[2:] for line in lines), strict=True)
        if changed := {literal: line for literal, line in pairs if line != _line(literal.text)}:
            reworded[ROOT / name] = changed
    return reworded


def corrected(source: str, reworded: dict[Literal, str]) -> tuple[str, list[int]]:
    """The source with the new words, and the lines of literals that must be changed by hand."""
    by_hand = []
    for literal, text in sorted(reworded.items(), key=lambda item: -item[0].start):
        segment = _reworded(source[literal.start : literal.end], _line(literal.text), text)
        if segment is None:
            by_hand.append(literal.line)
        else:
            source = source[: literal.start] + segment + source[literal.end :]
    return source, by_hand


_BETWEEN = r"""\s*(?:["']\s+f?["'])?\s*"""
"""A blank, or the end of one line's literal and the start of the next one's."""


def _reworded(segment: str, old: str, new: str) -> str | None:
    """The source of a literal with the new words in place; None if the old words are not in it as they read."""
    before, after = old.split(" "), new.split(" ")
    for tag, first, last, start, end in reversed(SequenceMatcher(None, before, after, autojunk=False).get_opcodes()):
        if tag == "equal":
            continue
        for around in range(start == end, 6):  # what goes takes the blank beside it along
            left, right = before[max(first - around, 0) : first], before[last : last + around]
            pattern = _BETWEEN.join(map(re.escape, [*left, *before[first:last], *right]))
            places = list(re.finditer(pattern, segment)) if left or right or last > first else []
            if len(places) == 1:
                words = " ".join([*left, *after[start:end], *right])
                segment = segment[: places[0].start()] + words + segment[places[0].end() :]
                break
        else:
            return None
    return segment


def main(correct: bool) -> None:
    FOLDER.mkdir(exist_ok=True)
    for package in PACKAGES:
        catalogue = FOLDER / f"{package}.txt"
        if correct:
            for path, reworded in corrections(catalogue.read_text("utf-8")).items():
                source, by_hand = corrected(path.read_text("utf-8"), reworded)
                path.write_text(source, "utf-8")
                for line in by_hand:
                    print(f"{path.relative_to(ROOT)}:{line}: change this by hand")
        literals.cache_clear()
        catalogue.write_text(written(package), "utf-8")


if __name__ == "__main__":
    main("--correct" in sys.argv)
