"""Lending, run by pytest-bdd."""

import pytest
from pytest_bdd import given, parsers, scenarios, then, when

scenarios("features")


@pytest.fixture
def library():
    return {"shelf": {}, "readers": {}}


@given(parsers.parse('the library owns {count:d} copies of "{book}"'))
def owns(library, count, book):
    library["shelf"][book] = count


@given(parsers.parse('"{reader}" borrows "{book}"'))
@when(parsers.parse('"{reader}" borrows "{book}"'))
def borrows(library, reader, book):
    library["shelf"][book] -= 1
    library["readers"].setdefault(reader, []).append(book)


@given(parsers.re(r'"(?P<reader>[^"]*)" takes "(?P<book>[^"]*)" home'))
def takes_home(library, reader, book):
    borrows(library, reader, book)


@when(parsers.parse('"{reader}" returns "{book}"'))
def returns(library, reader, book):
    library["shelf"][book] += 1
    library["readers"][reader].remove(book)


@then(parsers.parse('{count:d} copies of "{book}" are on the shelf'))
def on_the_shelf(library, count, book):
    assert library["shelf"][book] == count


@then(parsers.cfparse('"{reader}" has {count:d} book'))
def has(library, reader, count):
    assert len(library["readers"][reader]) == count
