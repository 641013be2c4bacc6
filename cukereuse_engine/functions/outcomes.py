"""Functions of outcome steps that check nothing, judged by the suite's own style.

No list contains all ways to check something. But names that occur again and again in functions of Given and When steps,
such as `fill_in` and `click_on`, act and check nothing. If a Then step's function contains no other names, while other
Then steps of the suite do check something, it only acts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cukereuse_engine.functions.form import Form
from cukereuse_engine.functions.tokens import OPEN, STEP
from cukereuse_engine.glue.definition import StepDefinition
from cukereuse_engine.glue.roles import roles_of

_ENOUGH = 20
"""The number of outcome functions from which a suite has a style."""
_LEAST_CHECKING_SHARE = 0.85
"""Share of them that must check something."""
_OFTEN = 3
"""The number of other steps' functions that must use a name which checks nothing."""
_SELDOM = 0.1
"""The share of outcome functions up to which a name that checks nothing may be their only content."""


def silent_outcomes(forms: Mapping[str, Form], definitions: Mapping[str, Sequence[StepDefinition]]) -> frozenset[str]:
    """Ids of functions that serve outcomes only and check nothing; empty if the suite's style is unknown. `forms`: all
    known forms, by function id; `definitions`: the definitions of each function."""
    outcomes: dict[str, Form] = {}
    others: Counter[str] = Counter()
    for key, form in forms.items():
        roles_named = [roles_of(definition.keyword) for definition in definitions.get(key, ())]
        roles = frozenset[str]().union(*roles_named)
        if roles == {"then"} and all(roles_named):
            outcomes[key] = form
        elif roles and "then" not in roles and not form.may_check:
            others.update(form.names)
    unsure = {key: form for key, form in outcomes.items() if not form.may_check}
    if len(outcomes) < _ENOUGH or len(outcomes) - len(unsure) < _LEAST_CHECKING_SHARE * len(outcomes):
        return frozenset()
    silent = _silent_names(others, unsure.values())
    return frozenset(key for key, form in unsure.items() if _says_only(form, silent))


def _silent_names(others: Mapping[str, int], unsure: Iterable[Form]) -> set[str]:
    """Names that check nothing: functions that serve no outcomes often have them, and the outcome functions that may
    check nothing seldom."""
    alone = Counter(name for form in unsure for name in form.names)
    return {name for name, count in others.items() if count >= _OFTEN and alone[name] <= max(_SELDOM * count, 1)}


def _says_only(form: Form, names: set[str]) -> bool:
    return bool(form.names) and form.names <= names and not is_unclear(form)


def is_unclear(form: Form) -> bool:
    """True if a part of a function is elsewhere, or does not parse."""
    return form.is_partial or any(token[:1] == STEP or token == f"{OPEN}step" for token in form.tokens)
