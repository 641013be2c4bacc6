from pytest_bdd import given, parsers


@given(parsers.parse('I fill in "{name}"'))
def fill_in(calls, name):
    calls.append(name)
