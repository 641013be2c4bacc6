package steps;

import io.cucumber.java8.En;

public class LambdaSteps implements En {
    public LambdaSteps() {
        ParameterType("size", "small|big", (String name) -> name);

        Given("the belt is {word}", (String state) -> {
            belt.set(state);
        });
        When("the belt stops", this::stops);
        Then("^the belt stands still$", 5000, () -> {});
        But("the belt " + state(), () -> {});
        Given("no body");
        other.Then("another object's", () -> {});
    }

    private void stops() {
    }
}
