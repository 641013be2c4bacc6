"""A suite whose scenarios all run the same five steps."""

STEPS = """\
from behave import step


@step('I open the "{page}" page')
def open_page(context, page):
    pass


@step('I fill in the name "{name}"')
def fill_in(context, name):
    pass


@step('I greet "{name}" as "{title}"')
def greet(context, name, title):
    pass


@step("all is done")
def done(context):
    pass


@step("I wait {n:d} days")
def wait(context, n):
    pass


@step('I am "{name}" on "{page}"')
def am(context, name, page):
    open_page(context, page)
    fill_in(context, name)
"""
SCENARIO = """\
  Scenario: {name}
    Given I open the "login" page
    And I fill in the name "{name}"
    When I greet "{name}" as "{title}"
    Then all is done
    When I wait {n} days

"""
PEOPLE = (("Ann", "Dr"), ("Zoë 😀", "Ms"), ("Bob", "Mr"), ("Cid", "Dr"))
FEATURE = "Feature: a\n" + "".join(
    SCENARIO.format(name=name, title=title, n=n) for n, (name, title) in enumerate(PEOPLE)
)
