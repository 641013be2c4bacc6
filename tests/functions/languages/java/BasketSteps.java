package shop.steps;

import io.cucumber.java.en.*;
import shop.pages.BasketPage;
import shop.pages.Page;
import static org.junit.Assert.assertEquals;

public class BasketSteps {
    private static final String NAME = "Emma";
    private static final String TITLE = "Emma";
    private static final Logger log = LoggerFactory.getLogger(BasketSteps.class);
    private final BasketPage page;
    private Response response;

    public BasketSteps(BasketPage page) {
        this.page = page;
    }

    @Given("a basket with {int} books")
    public void holds(int count) throws Exception {
        log.info("filling");
        page.fill(count);
    }

    @Given("{int} books in the basket")
    void thereAre(final int books) {
        /* so many */ this.page
            .fill(books);
    }

    @Given("{word} books are in the basket")
    public void named(String books) {
        page.fill(books);
    }

    @When("I choose Emma")
    public void choose() {
        page.choose(NAME);
    }

    @When("I choose the novel")
    public void chooseNovel() {
        page.choose(TITLE);
    }

    @When("I choose Persuasion")
    public void chooseOther() {
        page.choose("Persuasion");
    }

    @Then("the answer is fine")
    public void fine() {
        assertEquals(200, response.status());
    }

    @When("I tidy up")
    public void tidyUp() {
        page.open();
        sort();
    }

    private void sort() {
        page.sort("title");
    }

    @When("I buy {int} books")
    public void buy(int count) {
        holds(count);
    }

    @Then("all is well")
    public void well() {
        Book book = page.first();
        assertEquals("fine", book.state());
    }

    @Then("all is very well")
    public void veryWell() {
        Book found = page.first();
        assertEquals("fine", found.state());
        assertEquals(0, found.dust());
    }

    @Then("it is pending")
    public void pending() {
        throw new io.cucumber.java.PendingException();
    }
}
