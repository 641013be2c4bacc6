package shop.steps;

import static org.junit.Assert.*;

import io.cucumber.java.en.*;

public class ThirdSteps extends Base {
    @When("the base is closed")
    public void close() {
        browser.close();
    }

    @Then("the base looks tidy")
    public void tidy() { assertTrue(browser.isTidy()); }

    @Then("the base seems tidy")
    public void seemsTidy() { ensureTrue(browser.isTidy()); }

    private DataSource stock;
    private DataSource orders;
    private Shopper buyer;

    @Given("the stock is empty")
    public void stockIsEmpty() { check.isEmpty(stock); }

    @Given("the orders are empty")
    public void ordersAreEmpty() { check.isEmpty(orders); }

    @Given("the buyer is new")
    public void buyerIsNew(Shopper shopper) { this.buyer = shopper; }
}
