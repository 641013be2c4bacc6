use cucumber::{given, then, when};
use crate::Shop;

#[given(regex = r#"^I open the "(.*)" page$"#)]
fn open_page(world: &mut Shop, page: String) {}

#[given(regex = r#"^I log in as "([^"]*)"$"#)]
async fn i_log_in_as(world: &mut Shop, name: String) {
    open_page(world, "login".to_string());
    super::forms::fill_in(world, name).await;
    press(world).await;
}

#[given("I press the button")]
async fn press(world: &mut Shop) {}

#[when(regex = r"^I (\w+)$")]
async fn act(world: &mut Shop, act: String) {}

#[then("all is done")]
async fn done(world: &mut Shop) {}
