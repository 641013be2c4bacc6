from pytest_bdd import given, parsers, then


@given("a book", target_fixture="book")
def a_book(shop):
    return shop.first()


@given("one book", target_fixture="book")
def one_book(shop):
    return shop.first()


@given("a shelf", target_fixture="shelf")
def a_shelf(shop):
    return shop.first()


@then(parsers.parse("the bed has {count:d} flowers"))
def bed_has(bed_page, count):
    bed_page.has(count)


@then(parsers.parse("{number:d} flowers are in the bed"))
def flowers_in(bed_page, number):
    bed_page.has(number)


@then(parsers.parse("the lawn has {count:d} flowers"))
def lawn_has(lawn_page, count):
    lawn_page.has(count)
