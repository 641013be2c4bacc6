package steps

import io.cucumber.java8.En

class LambdaSteps : En {
    init {
        ParameterType("size", "small|big") { name: String -> name }

        Given("the belt is {word}") { state: String ->
            belt.set(state)
        }
        Given<String>("the belt moves {word}") { way -> belt.move(way) }
        When("the belt stops", ::stops)
        Then("the belt stands", { check() })
        Then("^the belt stands still$", 5000) { check() }
        But(message()) { }
        Given("no body")
    }

    private fun stops() {
    }
}
