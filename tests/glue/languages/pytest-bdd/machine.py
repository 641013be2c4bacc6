import re

from hypothesis import given as property_of
from pytest_bdd import given, parsers, then, when
from pytest_bdd.parsers import cfparse as fields

EXTRA = {"Count": counted}


@property_of(strategy)
def test_nothing(value):
    pass


@given("the machine is ready", target_fixture="machine")
@given("the machine is ready {again}")
def machine():
    return object()


@given(parsers.parse("there are {count:Count} apples", extra_types=EXTRA))
def stock(machine, count):
    pass


@when(fields('"{who}" takes {count:d} of them'))
def takes(machine, who, count):
    pass


@then(parsers.re(r"it holds (?P<count>\d+) apples?", re.IGNORECASE))
def holds(machine, count):
    pass


@then(parsers.re("the sign is (?P<colour>red|amber)"), converters={"colour": str})
def sign(machine, colour):
    pass


@then(parsers.parse("it costs {amount:d} € (net)"))
def price(machine, amount):
    pass
