"""The step definitions of the example suite. Several say the same thing twice: that is what the example is for."""

from behave import given, step, then, when

PRICES = {"green tea": 10, "black tea": 12}


@given("the shop is open")
def open_shop(context):
    context.basket = []
    context.discount = 0
    context.messages = []
    context.receipts = []
    context.confirmed = False


@given('I am logged in as "{name}"')
def logged_in(context, name):
    context.user = name


@given('I log in as "{name}"')
def log_in(context, name):
    context.user = name


@step('I add "{product}" to the basket')
def add(context, product):
    context.basket.append(product)
    context.messages.append(f"{product} was added")


@step('I put "{product}" into my basket')
def put(context, product):
    context.basket.append(product)
    context.messages.append(f"{product} was added")


@when('I remove "{product}" from the basket')
def remove(context, product):
    context.basket.remove(product)
    context.messages.append(f"{product} was removed")


@when('I enter the voucher "{voucher}"')
def voucher(context, voucher):
    context.discount = 1 if voucher == "TEN" else 0


@when("I pay by card")
def pay(context):
    context.confirmed = bool(context.basket)
    context.messages.append("Thank you" if context.confirmed else "Your basket is empty")
    if context.confirmed:
        context.receipts.append(f"{context.user}@shop.example")
        context.basket.clear()


@then("the basket contains {count:d} product")
@then("the basket contains {count:d} products")
def basket_contains(context, count):
    assert len(context.basket) == count


@then("the basket is empty")
def basket_is_empty(context):
    assert not context.basket


@then("the total is {total:d} euros")
def total_is(context, total):
    assert sum(PRICES[product] for product in context.basket) - context.discount == total


@then("the order is confirmed")
def order_confirmed(context):
    assert context.confirmed


@then("the order is not confirmed")
def order_not_confirmed(context):
    assert not context.confirmed


@then('a receipt is sent to "{address}"')
def receipt_sent(context, address):
    assert address in context.receipts


@then('I should see the message "{message}"')
def should_see(context, message):
    assert message in context.messages


@then('I see the message "{message}"')
def see(context, message):
    assert message in context.messages


@then('the message "{message}" should be shown')
def message_shown(context, message):
    assert message in context.messages
