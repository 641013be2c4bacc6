from behave import when
from pages.attic import basket


@when("I clear the other basket")
def clear_basket(context):
    basket.clear()
