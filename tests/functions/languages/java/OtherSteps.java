package shop.steps;

import static org.junit.Assert.assertTrue;

import io.cucumber.java.en.*;

public class OtherSteps extends Base {
    private String url;

    @When("I open the other")
    public void openOther() {
        browser.open(url);
    }

    @When("I close the base")
    public void close() {
        browser.close();
    }

    @Then("the base is tidy")
    public void tidy() { assertTrue(browser.isTidy()); }

    private Shopper seller;

    @Given("the seller is new")
    public void sellerIsNew(Shopper shopper) { this.seller = shopper; }
}
