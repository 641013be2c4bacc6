from behave import given, register_type, step, then, use_step_matcher, when
from parse import with_pattern


@with_pattern(r"red|amber")
def colour(text):
    return text


register_type(Colour=colour)


@given("the machine is on")
def on(context):
    pass


@given("{apples:d} apples and {pears:d} pears are in it")
def stocked(context, apples, pears):
    pass


@step('"{who}" has {money:d} €')
def has(context, who, money):
    pass


@then("the lamp is {shade:Colour}")
def lamp(context, shade):
    pass


@then("the price is {price:f} (net)")
def price(context, price):
    pass


@step("the door opens {how:w}")
def opens(context, how):
    pass


@when("the bell {does}")
def bell_any(context, does):
    pass


@step("the bell rings")
def bell(context):
    pass


@given("these coins:")
def coins(context):
    pass


@given("this note")
def this_note(context):
    pass


use_step_matcher("re")


@when(r'"(?P<who>[^"]+)" takes (?P<n>\d+) apples?')
def takes(context, who, n):
    pass


@then(r"the note (says|reads) (?:hello|bye)")
def note(context, verb):
    pass


use_step_matcher("re0")


@when(r"the door opens")
def opens_any(context):
    pass
