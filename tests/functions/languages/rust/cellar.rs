use super::attic::Ladder;
use cucumber::{given, then, when};

struct Attic {
    boxes: Vec<String>,
}

#[when("the bottles are counted")]
fn count(world: &mut Attic) {
    world.boxes = world.boxes.len();
}

#[when("the ladder is raised")]
fn raised(ladder: Ladder, world: &mut Ladder) {
    world.rungs = world.rungs.len() + ladder.height;
}
