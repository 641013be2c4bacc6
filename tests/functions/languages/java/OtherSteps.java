package shop.steps;

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

    private Shopper seller;

    @Given("the seller is new")
    public void sellerIsNew(Shopper shopper) { this.seller = shopper; }
}
