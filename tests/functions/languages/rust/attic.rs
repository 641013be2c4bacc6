use cucumber::{given, then, when};

struct Attic {
    boxes: usize,
}

struct Count(usize);

#[when("the boxes are counted")]
fn count(world: &mut Attic) {
    world.boxes = world.boxes.len();
}

#[when("the boxes are numbered")]
fn number(attic: &mut Attic) {
    attic.boxes = attic.boxes.len();
}

#[when("a box comes back")]
fn back(count: Count) -> Result<Count, String> {
    Ok(Count(count.0 + 1))
}

#[when("a box returns")]
fn returns(boxes: Count) -> Result<Count, String> {
    Ok(Count(boxes.0 + 1))
}

#[when("a box is a step")]
fn step(count: Count) -> StepResult<Count, String> {
    Ok(Count(count.0 + 1))
}

pub struct Ladder;

#[when("the ladder is up")]
fn up(ladder: Ladder, world: &mut Ladder) {
    world.rungs = world.rungs.len() + ladder.height;
}
