package garden.tools.more;

import io.cucumber.java.en.When;

public class OtherSteps {
    @When("I turn right")
    public void turn() {
        Wheel.turn();
    }
}
