use cucumber::{given, then, when};
use crate::Shop;

#[given(regex = r#"^I open the "(.*)" page$"#)]
fn open_page(world: &mut Shop, page: String) {}

#[given("I press the button")]
async fn press(world: &mut Shop) {}

#[when(regex = r"^I (\w+)$")]
async fn act(world: &mut Shop, act: String) {}

#[then("all is done")]
async fn done(world: &mut Shop) {}
