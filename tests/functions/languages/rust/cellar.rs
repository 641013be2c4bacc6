use cucumber::{given, then, when};

struct Attic {
    boxes: Vec<String>,
}

#[when("the bottles are counted")]
fn count(world: &mut Attic) {
    world.boxes = world.boxes.len();
}
