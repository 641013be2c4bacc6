import pages.doors
from behave import when
from pages import bolts
from pages.bolts import log
from pages.bolts import print_line as print
from pages.doors import shut, slam


@when("I shut the lid")
def shut_lid(context):
    shut(context.lid)


@when("I seal the lid")
def seal_lid(context):
    bolts.seal(context.lid)


@when("I slam the lid")
def slam_lid(context):
    slam(context.lid)


@when("I lift the lid")
def lift(context):
    context.lid.lift()


@when("I lift the lid and say so")
def lift_and_say(context):
    context.lid.lift()
    print("lifted")


@when("I lift the lid and note it")
def lift_and_note(context):
    context.lid.lift()
    log("lifted")
