from behave import when


def sort_books_by(context, count, text):
    """From A to Z."""
    context.shelf.open(count)
    context.shelf.sort(count, text)


@when("I sort {count:d} books by title")
def by_title(context, count):
    sort_books_by(context, count, "the_title")


@when("I sort {number:d} books by price")
def by_price(context, number):
    sort_books_by(context, number, "the_price")


@when("I close the shop")
def close(context):
    context.shop.close()
