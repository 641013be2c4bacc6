from behave import when


@when("I sort {count:d} books by title")
def by_title(context, count):
    context.shelf.sort(count, "title")


@when("I sort {count:d} books by price")
def by_price(context, count):
    context.shelf.sort(count, "price")


@when("I close the shop")
def close(context):
    context.shop.close()
