use cucumber::given;
use crate::Shop;

#[given(regex = r#"^I fill in "(.*)"$"#)]
pub(super) async fn fill_in(world: &mut Shop, name: String) {
    world.calls.push(name);
}
