import io.cucumber.java.en.Given
import io.cucumber.java.en.Then
import io.cucumber.java.en.When

class PageSteps(private val forms: FormSteps) {
    @Given("I open the {string} page")
    fun openPage(page: String) {
        calls.add(page)
    }

    @Given("I press the button")
    fun press() {}

    @Given("I log in as {string}")
    fun iLogInAs(name: String) {
        openPage("login")
        forms.fillIn(name)
        press()
    }

    @When("I {word}")
    fun act(act: String) {}

    @Then("all is done")
    fun done() {}
}
