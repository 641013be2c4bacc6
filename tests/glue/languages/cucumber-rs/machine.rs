use cucumber::{given, then, when, Parameter, World};

const LID: &str = "the lid is shut";

#[derive(Debug, Parameter)]
#[param(name = "colour", regex = "red|amber")]
enum Colour {
    Red,
    Amber,
}

#[derive(Parameter)]
#[param(regex = r"\d+ km")]
struct Distance(u64);

#[given("the machine is ready")]
fn machine_is_ready(world: &mut Machine) {}

#[given(expr = "there are {int} apples")]
#[when(expr = "there come {int} apples")]
// a comment
async fn stock(world: &mut Machine, count: i32) {
    world.count = count;
}

#[when(regex = r#"^"([^"]*)" takes (\d+) of them$"#)]
fn takes(world: &mut Machine, who: String, count: i32, #[step] step: &Step) {}

#[then(regex = "^it holds (\\d+) apples?$")]
fn holds(world: &mut Machine, count: i32) {}

#[cucumber::then(expr = "the sign is {colour}")]
fn sign(world: &mut Machine, colour: Colour) {}

#[then(expr = r"it costs {int} € \(net)")]
fn price(world: &mut Machine, amount: i32) {}

mod more {
    #[then(
        "the lid says \"hello\", \
         twice"
    )]
    pub fn says(_: &mut Machine) {}
}

#[when(regex = LID)]
fn computed(world: &mut Machine) {}

#[when]
#[then(other = "unknown argument")]
fn nothing(world: &mut Machine) {}
