"""Step definitions for the shop's API."""

from behave import then, when

PRODUCTS = {"green tea": {"price": 10}, "black tea": {"price": 12}}


@when('I request the product "{name}"')
def request_product(context, name):
    context.status = 200 if name in PRODUCTS else 404
    context.body = PRODUCTS.get(name, {})


@when("I request the list of products")
def request_products(context):
    context.status = 200
    context.body = PRODUCTS


@then("the response status is {status:d}")
def status_is(context, status):
    assert context.status == status


@then("the response status should be {status:d}")
def status_should_be(context, status):
    assert context.status == status


@then('the response has the field "{field}"')
def has_field(context, field):
    assert field in context.body


@then('the response does not have the field "{field}"')
def has_no_field(context, field):
    assert field not in context.body
