package garden.tools.more;

import garden.tools._Internal;
import io.cucumber.java.en.When;

public class Steps {
    @When("I turn left")
    public void turn() {
        Wheel.turn();
    }
}
