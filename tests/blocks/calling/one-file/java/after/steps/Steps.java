import io.cucumber.java.en.*;

public class Steps {
    @Given("I open the {string} page")
    public void openPage(String page) throws IOException {
        calls.add(page);
    }

    @Given("I fill in {int} names like {string}")
    public void fillIn(int count, String name) {
        calls.add(name);
    }

    @Given("I press the button")
    public void press() throws InterruptedException, IOException {}

    @Given("I am logged in {int} times as {string}")
    public void iAmLoggedInTimesAs(int count, String name) throws IOException, InterruptedException {
        openPage("it's a login");
        fillIn(count, name);
        press();
    }

    @When("I {word}")
    public void act(String act) {}

    @Then("all is done")
    public void done() {}
}
