package shop.steps;

import io.cucumber.java.en.*;
import shop.pages.BasketPage;
import shop.pages.ShelfPage;
import static org.junit.Assert.assertEquals;

public class ShelfSteps extends Base {
    private BasketPage basket;
    private ShelfPage page;
    private Response response;

    public ShelfSteps(BasketPage basket, ShelfPage page) {
        this.basket = basket;
        this.page = page;
    }

    @Given("{int} books are put into the basket")
    public void put(int books) {
        basket.fill(books);
    }

    @Given("a shelf with {int} books")
    public void holds(int count) {
        page.fill(count);
    }

    @Then("the shelf's answer is fine")
    public void fine() {
        assertEquals(200, response.status());
    }

    @When("I put in order")
    public void putInOrder() {
        basket.open();
        order();
    }

    private void order() {
        basket.sort("title");
    }

    @When("I make a mess")
    public void mess() {
        basket.open();
        mix();
    }

    private void mix() {
        basket.shuffle();
    }

    @When("I open the base")
    public void openBase() {
        browser.open(url);
    }
}
