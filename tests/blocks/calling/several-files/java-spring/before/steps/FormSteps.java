package shop.forms;

import io.cucumber.java.en.Given;

public class FormSteps {
    @Given("I fill in {string}")
    public void fillIn(String name) throws shop.TypedException {
        calls.add(name);
    }
}
