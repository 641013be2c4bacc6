from behave import given as provided
from behave import register_type, step, then, use_step_matcher, when
import parse

SHARED = "the lid is {state}"


@parse.with_pattern(r"\d+")
def parse_count(text):
    return int(text)


register_type(Count=parse_count, Anything=some_module.convert)


@provided("the machine is ready")
def machine_is_ready(context):
    pass


@provided("there are {count:Count} apples")
def stock(context, count):
    pass


@when(u'"{who}" takes {count:d} of them')
async def takes(context, who, count):
    pass


@step(SHARED)
@then("the lid " 'is {state} now')
def lid(context, state):
    pass


@then(computed())
def never(context):
    pass


@then(f"{SHARED}!")
def lid_shouts(context, state):
    pass


use_step_matcher("re")


@then(r"it holds (?P<count>\d+) apples?")
def holds(context, count):
    pass


@then("""the sign is (red|amber)""")
def sign(context, colour):
    pass


use_step_matcher("parse")


@then("it costs {amount:d} € (net)")
def price(context, amount):
    pass


use_step_matcher_for_cucumber_expressions()


@then("the lid is open/shut")
def lid_state(context):
    pass
