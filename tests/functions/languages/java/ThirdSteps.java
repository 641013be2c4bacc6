package shop.steps;

import io.cucumber.java.en.*;

public class ThirdSteps extends Base {
    @When("the base is closed")
    public void close() {
        browser.close();
    }
}
