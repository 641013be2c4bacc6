"""The names of methods and annotations that Cucumber derives from the step keywords of Gherkin."""

import re
from functools import cache


@cache
def keyword_methods() -> dict[str, frozenset[str]]:
    """Maps the names that Cucumber derives from the step keywords of all Gherkin dialects ("Given", "Etantdonné", …) to
    their keyword types. Blanks, apostrophes, commas and exclamation marks are removed, as in cucumber-ruby's
    `code_keywords` and Cucumber-JVM's annotations.
    """
    from gherkin.dialect import DIALECTS

    types: dict[str, set[str]] = {}
    for spec in DIALECTS.values():
        for keyword_type, keywords in (
            ("given", spec["given"]),
            ("when", spec["when"]),
            ("then", spec["then"]),
            ("and", spec["and"]),
            ("but", spec["but"]),
        ):
            for keyword in keywords:
                name = re.sub(r"[\s',!’\xad]", "", keyword)
                if name and name != "*":
                    types.setdefault(name, set()).add(keyword_type)
    return {name: frozenset(keyword_types) for name, keyword_types in types.items()}
