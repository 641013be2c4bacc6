from behave import when


@when("I sort {count:d} books by title")
def by_title(context, count):
    """From A to Z."""
    context.shelf.open(count)
    context.shelf.sort(count, "the_title")


@when("I sort {number:d} books by price")
def by_price(context, number):
    context.shelf.open(number)
    context.shelf.sort(number, "the_price")


@when("I close the shop")
def close(context):
    context.shop.close()
