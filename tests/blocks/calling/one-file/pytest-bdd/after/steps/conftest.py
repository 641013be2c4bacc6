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


@given(parsers.parse('I am logged in {count:d} times as "{name}"'))
def i_am_logged_in_times_as(calls, browser, count, name):
    open_page(calls, "it's a login")
    fill_in(name, count, calls, browser)
    press(calls)


@when(parsers.parse("I {act}"))
def act(calls, act):
    calls.append(act)


@then("all is done")
def done(calls):
    print("CALLS", calls)
