import io.cucumber.java.en.Given
import io.cucumber.java.en.Then
import io.cucumber.java.en.When

class Steps {
    @Given("I open the {string} page")
    fun openPage(page: String) {
        calls.add(page)
    }

    @Given("I fill in {int} names like {string}")
    fun fillIn(count: Int, name: String) = calls.add(name)

    @Given("I press the button")
    fun press() {}

    @Given("I am logged in {int} times as {string}")
    fun iAmLoggedInTimesAs(count: Int, name: String) {
        openPage("it's a login")
        fillIn(count, name)
        press()
    }

    @When("I {word}")
    fun act(act: String) {}

    @Then("all is done")
    fun done() {}
}
