use cucumber::{when, World};

async fn sort_books_by(world: &mut Shop, count: usize, text: &str) {
    world.shelf.open(count).await;
    world.shelf.sort(count, text).await;
}

#[when(regex = r"^I sort (\d+) books by title$")]
async fn by_title(world: &mut Shop, count: usize) {
    sort_books_by(world, count, "the_title").await;
}

#[when(regex = r"^I sort (\d+) books by price$")]
async fn by_price(world: &mut Shop, count: usize) {
    sort_books_by(world, count, "the_price").await;
}

#[when("I close the shop")]
async fn close(world: &mut Shop) {
    world.shelf.close().await;
}
