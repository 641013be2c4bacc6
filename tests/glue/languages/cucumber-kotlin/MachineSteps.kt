package steps

import io.cucumber.java.ParameterType
import io.cucumber.java.de.Angenommen
import io.cucumber.java.en.And
import io.cucumber.java.en.Given
import io.cucumber.java.en.Then
import io.cucumber.java.en.When

const val LID = "the lid is"

class MachineSteps {
    companion object {
        private const val STATE = "{word}"
    }

    @ParameterType("red|amber")
    fun colour(name: String) = name

    @Given("the machine is ready")
    fun `machine is ready`() {
    }

    @Given("there are {int} apples")
    @Angenommen("es gibt {int} Äpfel")
    suspend fun stock(count: Int) = Unit

    @When(value = "{string} takes {int} of them")
    private fun takes(who: String, count: Int) {
    }

    @Then("it holds {int} apple(s)")
    fun holds(count: Int) {
    }

    @Then("the sign is {colour}")
    fun sign(colour: String) {
    }

    @And("it costs {int} € \\(net)")
    fun price(amount: Int) {
    }

    @When("""^the light is (on|off)$""")
    fun light(state: String) {
    }

    @When("$LID ${STATE} now")
    fun lid(state: String) {
    }

    @When(LID + " shut")
    fun shut() {
    }

    @Then("it costs \$3, says \"hello\"")
    fun says() {
    }

    @Then("""it costs ${'$'}4""")
    fun four() {
    }

    @Then("the ${unknown.call()} lid")
    fun computed() {
    }

    @Then("the $unknown lid")
    fun unknown() {
    }
}
