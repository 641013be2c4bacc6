from behave import given, then, when


@given('I open the "{page}" page')
def open_page(ctx, page):
    ctx.calls = [page]


@given('I fill in {count:d} names like "{name}"')
def fill_in(ctx, name, count):
    ctx.calls += [name] * count


@given("I press the button")
def press(ctx):
    ctx.calls.append("press")


@given('I am logged in {count:d} times as "{name}"')
def i_am_logged_in_times_as(context, count, name):
    open_page(context, "it's a login")
    fill_in(context, name, count)
    press(context)


@when("I {act}")
def act(ctx, act):
    ctx.calls.append(act)


@then("all is done")
def done(ctx):
    print("CALLS", ctx.calls)
