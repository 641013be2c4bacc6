from pytest_bdd import given, parsers, then, when
from .forms import fill_in


@given(parsers.parse('I open the "{page}" page'))
def open_page(calls, page):
    calls.append(page)


@given("I press the button")
def press(calls):
    calls.append("press")


@given(parsers.parse('I log in as "{name}"'))
def i_log_in_as(calls, name):
    open_page(calls, "login")
    fill_in(calls, name)
    press(calls)


@when(parsers.parse("I {act:w}"))
def act(calls, act):
    calls.append(act)


@then("all is done")
def done(calls):
    print("CALLS", calls)
