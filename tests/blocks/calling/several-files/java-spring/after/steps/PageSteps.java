package shop.pages;

import io.cucumber.java.en.*;
import shop.forms.FormSteps;

public class PageSteps {
    @Autowired
    private FormSteps forms;

    @Given("I open the {string} page")
    public void openPage(String page) {
        calls.add(page);
    }

    @Given("I press the button")
    public void press() {}

    @Given("I log in as {string}")
    public void iLogInAs(String name) throws Exception {
        openPage("login");
        forms.fillIn(name);
        press();
    }

    @When("I {word}")
    public void act(String act) {}

    @Then("all is done")
    public void done() {}
}
