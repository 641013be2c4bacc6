package steps;

import io.cucumber.java.ParameterType;
import io.cucumber.java.en.*;
import io.cucumber.java.fr.Étantdonné;

public class MachineSteps {
    private static final String LID = "the lid is ", STATE = "{word}";
    static final String TWICE = "one";
    String notFinal = "open";

    static class Other {
        static final String TWICE = "two";
    }

    @ParameterType("red|amber")
    public String colour(String name) {
        return name;
    }

    @ParameterType(name = "shade", value = "dark|" + "light")
    public String shadeOf(String name) {
        return name;
    }

    @Given("the machine is ready")
    public void machineIsReady() {
    }

    @Given("there are {int} apples")
    // a comment between annotation and method
    public void stock(int count) {
    }

    @When(value = "{string} takes {int} of them")
    public void takes(String who, int count) {
    }

    @Then("it holds {int} apple(s)")
    @And("^it contains (\\d+) apples?$")
    public void holds(int count) {
    }

    @io.cucumber.java.en.Then("the sign is {colour}")
    public void sign(String colour) {
    }

    @But("it costs {int} € \\(net)")
    public void price(int amount) {
    }

    @When(LID + MachineSteps.STATE)
    @Étantdonné("le couvercle est {word}")
    public void lid(String state) {
    }

    @When(("the lid is shut"))
    public void shut() {
    }

    @Then("""
        the lid \
        says "hello"\
        """)
    public void says() {
    }

    @Then("/the light is (on|off)/")
    public void light(String state) {
    }

    @Givens({@Given("the motor \"M1\" runs"), @Given("the motor \u0041 runs")})
    public void motor() {
    }

    @When(TWICE)
    public void ambiguous() {
    }

    @When("a" + notFinal)
    public void computed() {
    }

    @Deprecated
    @Soit("no dialect of that name is imported: fr is, so this one counts")
    public void soit() {
    }

    @Dado("pt is not imported")
    @When
    public void nothing() {
    }
}
