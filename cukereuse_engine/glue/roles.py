"""The role of a step definition (it sets up, acts or checks), from the keyword in its source."""

from functools import cache

from cukereuse_engine.glue.languages.keyword_methods import keyword_methods

ROLES = frozenset(("given", "when", "then"))


@cache
def roles_of(keyword: str) -> frozenset[str]:
    """The roles that a keyword names in any Gherkin dialect: `@Wenn` and `ctx.When` act. Empty for `And` and `step`,
    which have the role of the step before them. Runners may ignore all of them."""
    return _roles().get(keyword.rpartition(".")[2].lstrip("@").casefold(), frozenset())


@cache
def _roles() -> dict[str, frozenset[str]]:
    roles: dict[str, frozenset[str]] = {}
    for name, types in keyword_methods().items():
        key = name.casefold()
        roles[key] = roles.get(key, frozenset()) | types & ROLES
    return roles
