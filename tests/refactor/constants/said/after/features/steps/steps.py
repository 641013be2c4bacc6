from behave import when


@when("I sort {count:d} books by {text:w}")
def by_title(context, count, text):
    context.shelf.sort(count, text)


@when("I close the shop")
def close(context):
    context.shop.close()
