"""C#: the step in a method's name, if its attribute contains no expression."""

import re
from functools import cache

_WORD_CONNECTOR = r"[^\w\p{Sc}]*(?!(?<=-)\d)"


def method_name_regex(keyword: str, method_name: str, parameters: list[str]) -> str:
    """The regex that a method's name stands for if its attribute contains no expression; case is ignored (Reqnroll,
    StepDefinitionRegexCalculator.cs). Anything that is no word character may join the words; parameters, in capitals or
    as `P0`, are arguments, quoted or not.
    """
    name, local = without_keyword(keyword, method_name)
    places = _places(name, parameters)
    regex = [f"(?:{_words(local)}{_WORD_CONNECTOR})?"] if local else []
    done = 0
    for start, end, parameter in places:
        if start > done:
            regex += [_words(name[done:start]), _WORD_CONNECTOR]
        group = f"(?<{parameter}>"
        regex += [f"(?:\"{group}[^\"]*)\"|'{group}[^']*)'|{group}.*?))", _WORD_CONNECTOR]
        done = end
    return "".join([*regex, _words(name[done:]), _WORD_CONNECTOR])


def method_name_sentence(keyword: str, method_name: str, parameters: list[str]) -> str:
    """The same step as people read it: "the basket holds {n} apples"."""
    name, _ = without_keyword(keyword, method_name)
    pieces: list[str] = []
    done = 0
    for start, end, parameter in _places(name, parameters):
        pieces += [_parted(name[done:start]), f"{{{parameter}}}"]
        done = end
    words = " ".join([*pieces, _parted(name[done:])]).split()
    return " ".join(word.lower() if word[1:].islower() or len(word) == 1 else word for word in words)


def without_keyword(keyword: str, method_name: str) -> tuple[str, str]:
    """A method's name without the keyword before it, and that keyword if it is of another dialect than English.
    Bindings may be written in the language of the features (StepDefinitionRegexCalculator.cs, GetPrefixesToRemove),
    which their source does not tell; so the keyword may also be a word of the name."""
    prefix = "Given|When|Then" if keyword == "StepDefinition" else keyword
    name = re.sub(rf"\A(?:{prefix})_*", "", method_name, count=1, flags=re.IGNORECASE)
    if name != method_name:
        return name, ""
    types = {keyword.lower()} if keyword != "StepDefinition" else {"given", "when", "then"}
    for word in _prefixes():
        begins, rest = method_name[: len(word)], method_name[len(word) :]
        if not _prefixes()[word] & types or begins.casefold() != word.casefold() or not rest:
            continue
        if rest[0] == "_" or (rest[0].isupper() and len(word) > 1):
            return rest.lstrip("_"), begins
    return method_name, ""


@cache
def _prefixes() -> dict[str, set[str]]:
    """Maps the keywords of all dialects, as a method's name may begin with them (without blanks, or with underscores
    for them), longest first, to their keyword types."""
    from gherkin.dialect import DIALECTS

    prefixes: dict[str, set[str]] = {}
    for spec in DIALECTS.values():
        for keyword_type in ("given", "when", "then"):
            for keyword in spec[keyword_type]:
                for joint in ("", "_"):
                    prefixes.setdefault(keyword.strip().replace(" ", joint), set()).add(keyword_type)
    names = sorted((name for name in prefixes if name.isidentifier()), key=len, reverse=True)
    return {name: prefixes[name] for name in names}


def _places(name: str, parameters: list[str]) -> list[tuple[int, int, str]]:
    """The places of parameters in a name: in capitals, or as `P0`."""
    places: list[tuple[int, int, str]] = []
    for index, parameter in enumerate(parameters):
        match = re.search(rf"_?{re.escape(parameter.upper())}_?|_?P{index}_?", name)
        if match:
            places.append((match.start(), match.end(), parameter))
    places.sort()
    return [place for at, place in enumerate(places) if all(place[0] >= other[1] for other in places[:at])]


def _words(part: str) -> str:
    return _parted(part).replace(" ", _WORD_CONNECTOR)


def _parted(part: str) -> str:
    """The words of a name, separated at underscores, capitals and numbers."""
    text = re.sub(r"_+", " ", part.strip("_"))
    return "".join(
        f" {char}" if _begins_word(before, char) else char for before, char in zip(f" {text}", text, strict=False)
    )


def _begins_word(before: str, char: str) -> bool:
    return (before.isalnum() and char.isupper()) or (before.isalpha() and char.isdigit())
