from pytest_bdd import given, parsers, then, when


@given(parsers.parse('I open the "{page}" page'))
def open_page(calls, page):
    calls.append(page)


@given("I press the button")
def press(calls):
    calls.append("press")


@when(parsers.parse("I {act:w}"))
def act(calls, act):
    calls.append(act)


@then("all is done")
def done(calls):
    print("CALLS", calls)
