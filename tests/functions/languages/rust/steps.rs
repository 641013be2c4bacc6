use cucumber::{given, then, when};
use shop::basket;
use shop::desk as drawer;

const LIMIT: usize = 10;
const ROOM: usize = 10;

#[given(expr = "a basket with {int} books")]
async fn holds(world: &mut World, count: usize) {
    println!("filling");
    world.basket.fill(count).await;
}

/// So many.
#[given(expr = "{int} books in the basket")]
async fn there_are(w: &mut World, books: usize) {
    // so many
    w.basket.fill(books).await;
}

#[given(expr = "{word} books in the basket")]
async fn named(w: &mut World, books: String) {
    w.basket.fill(books).await;
}

#[when("I fill it")]
fn fill(world: &mut World) {
    world.basket.put(LIMIT);
}

#[when("I fill it up")]
fn fill_up(world: &mut World) {
    world.basket.put(ROOM);
}

#[when("I overfill it")]
fn overfill(world: &mut World) {
    world.basket.put(12);
}

#[when(expr = "I buy {int} books")]
async fn buy(world: &mut World, count: usize) {
    holds(world, count).await;
}

#[when("I clear the basket")]
fn clear_basket(_world: &mut World) {
    basket::clear();
}

#[when("I clear the drawer")]
fn clear_drawer(_world: &mut World) {
    drawer::clear();
}

#[then("all is well")]
fn well(world: &mut World) {
    let book = world.basket.first();
    assert_eq!(book.state, "fine");
}

#[then("all is good")]
fn good(world: &mut World) {
    let found = world.basket.first();
    assert_eq!(found.state, "fine");
}

#[then("all is very well")]
fn very_well(world: &mut World) {
    let found = world.basket.first();
    assert_eq!(found.state, "fine");
    assert_eq!(found.dust, 0);
}

#[then("it is to be done")]
fn to_be_done(_world: &mut World) {
    todo!()
}

#[then(expr = "its state is {word}")]
fn state_is(world: &mut World, state: String) {
    assert_eq!(world.basket.state, state);
}

#[then(expr = "its colour is {word}")]
fn colour_is(world: &mut World, colour: String) {
    assert_eq!(world.basket.colour, colour);
}

#[then(expr = "its colour should be {word}")]
fn colour_should_be(world: &mut World, wanted: String) {
    assert_eq!(world.basket.colour, wanted);
}

#[given(expr = "a book called {word}")]
fn called(world: &mut World, title: String) {
    world.add(Book { title });
}

#[given(expr = "a book by {word}")]
fn by(world: &mut World, author: String) {
    world.add(Book { author });
}
