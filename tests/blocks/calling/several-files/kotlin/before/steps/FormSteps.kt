import io.cucumber.java.en.Given

class FormSteps {
    @Given("I fill in {string}")
    fun fillIn(name: String) {
        calls.add(name)
    }
}
