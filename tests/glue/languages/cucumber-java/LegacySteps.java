package steps;

import cucumber.api.java.en.Given;

public class LegacySteps {
    @Given("a wheel of (\\d+) inches")
    public void wheel(int inches) {
    }

    @Given("a wheel(s)")
    public void wheels() {
    }
}
