use cucumber::{given, then, when, World};

#[given(regex = r#"^I open the "(.*)" page$"#)]
async fn open_page(world: &mut Shop, page: String) {
    world.calls.push(page);
}

#[given(regex = r#"^I fill in (\d+) names like "(.*)"$"#)]
fn fill_in(world: &mut Shop, count: usize, name: String) -> Result<(), Error> {
    Ok(())
}

#[given(regex = r#"^I am logged in (-?\d+) times as "([^"]*)"$"#)]
async fn i_am_logged_in_times_as(world: &mut Shop, count: usize, name: String) -> Result<(), Error> {
    open_page(world, "it's a login".to_string()).await;
    fill_in(world, count, name)?;
    press(world).await;
    Ok(())
}

#[given("I press the button")]
async fn press(world: &mut Shop) {}

#[when(regex = r"^I (\w+)$")]
async fn act(world: &mut Shop, act: String) {}

#[then("all is done")]
async fn done(world: &mut Shop) {}
