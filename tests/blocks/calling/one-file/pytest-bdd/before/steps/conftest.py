from pytest_bdd import given, parsers, then, when


@given(parsers.parse('I open the "{page}" page'))
def open_page(calls, page):
    calls.append(page)


@given(parsers.parse('I fill in {count:d} names like "{name}"'))
def fill_in(name, count, calls, browser):
    calls += [name] * count


@given("I press the button")
def press(calls):
    calls.append("press")


@when(parsers.parse("I {act}"))
def act(calls, act):
    calls.append(act)


@then("all is done")
def done(calls):
    print("CALLS", calls)
