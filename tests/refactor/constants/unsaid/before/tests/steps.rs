use cucumber::{when, World};

#[when(regex = r"^I sort (\d+) books by title$")]
async fn by_title(world: &mut Shop, count: usize) {
    world.shelf.open(count).await;
    world.shelf.sort(count, "the_title").await;
}

#[when(regex = r"^I sort (\d+) books by price$")]
async fn by_price(world: &mut Shop, count: usize) {
    world.shelf.open(count).await;
    world.shelf.sort(count, "the_price").await;
}

#[when("I close the shop")]
async fn close(world: &mut Shop) {
    world.shelf.close().await;
}
