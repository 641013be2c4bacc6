from pytest_bdd import given, parsers, scenarios, step, then, when

scenarios("vending.feature")


@given("the machine is on")
def on():
    pass


@given(parsers.parse("{apples:d} apples and {pears:d} pears are in it"))
def stocked(apples, pears):
    pass


@step(parsers.parse('"{who}" has {money:d} €'))
def has(who, money):
    pass


@when(parsers.re(r'"(?P<who>[^"]+)" takes (?P<n>\d+) apples?'))
def takes(who, n):
    pass


@then(parsers.cfparse("the lamp is {shade:Colour}", extra_types={"Colour": str}))
def lamp(shade):
    pass


@then(parsers.parse("the price is {price:f} (net)"))
def price(price):
    pass


@step(parsers.parse("the door {does}"))
def door(does):
    pass


@when(parsers.parse("the door opens {how}"))
def opens(how):
    pass


@when(parsers.parse("the door {does} quickly"))
def quick(does):
    pass


@then(parsers.re(r"the note (?P<verb>says|reads) (?:hello|bye)"))
def note(verb):
    pass


@when("the bell rings")
def bell():
    pass


@when("the bell sings")
def sings():
    pass


@given("these coins:")
def coins(datatable):
    pass


@given("this note")
def this_note(docstring):
    pass
