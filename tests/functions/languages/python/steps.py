import logging

from behave import given, then, when
from pages import basket
from pages.desk import shelf as board

LIMIT = 10
ROOM = 10
MORE = 12


@given("a basket with {count:d} books")
def holds(context, count):
    """Fills it."""
    context.basket.fill(count)


@given("{count:d} books in the basket")
def there_are(world, books):
    # so many
    logging.info("filled with %s", books)
    world.basket.fill(
        books,
    )


@given("the basket is open")
def is_open(context):
    context.state = """open"""


@given("the basket is shut")
def is_shut(context):
    context.state = """shut"""


@given("the basket is opened")
def is_opened(context):
    context.state = "open"


@when("I fill it")
def fill_it(context):
    context.basket.fill(LIMIT)


@when("I fill it up")
def fill_it_up(context):
    context.basket.fill(ROOM)


@when("I overfill it")
def overfill_it(context):
    context.basket.fill(MORE)


@when("I take {count:d} out")
def take(context, count=1):
    context.basket.take(count)


@when("I take {count:d} away")
def take_away(context, count=0):
    context.basket.take(count)


@when("I tidy up")
def tidy_up(context):
    sort_books(context)
    context.desk.wipe()


@when("I put things in order")
def put_in_order(context):
    order_books(context)
    context.desk.wipe()


@when("I make a mess")
def make_a_mess(context):
    mix_books(context)
    context.desk.wipe()


def sort_books(context):
    context.books.sort(key=lambda book: book.title)


def order_books(world):
    world.books.sort(key=lambda one: one.title)


def mix_books(context):
    context.books.shuffle()


@when("I clear the basket")
def clear_basket(context):
    basket.clear()


@when("I clear the shelf")
def clear_shelf(context):
    board.clear()


@when("I buy {count:d} books")
def buy(context, count):
    holds(context, count)


@when("I shop")
def shop(context):
    context.execute_steps("Given a basket with 3 books")


@when("I shop in the evening")
def shop_late(context):
    context.execute_steps("Given a basket with 4 books")


@then("it is closed")
def is_closed(context):
    book = context.basket.first()
    assert book.state == "closed"


@then("it is lent")
def is_lent(context):
    found = context.basket.first()
    assert found.state == "lent"


@then("it is closed and clean")
def closed_and_clean(context):
    book = context.basket.first()
    assert book.state == "closed"
    assert book.dust == 0


@then("nothing is done")
def nothing(context):
    pass


@then("it is to be done")
def to_be_done(context):
    raise NotImplementedError("STEP: it is to be done")


@then("the shelf holds all of {titles}")
def holds_all(context, titles):
    assert all(title in context.shelf for title in titles.split())


@then("all of {titles} are on the shelf")
def are_on_shelf(context, titles):
    assert all(one in context.shelf for one in titles.split())


@then("the shelf holds none of {titles}")
def holds_none(context, titles):
    assert all(title not in context.shelf for title in titles.split())
