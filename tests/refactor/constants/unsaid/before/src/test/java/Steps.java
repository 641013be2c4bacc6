import io.cucumber.java.en.When;

public class Steps {
    private final Shelf shelf = new Shelf();

    /** The title first. */
    @When("I sort {int} books by title")
    public void byTitle(int count) throws Exception {
        shelf.open(count);
        shelf.sort(count, "the_title");
    }

    @When("I sort {int} books by price")
    public void byPrice(int count) throws Exception {
        shelf.open(count);
        shelf.sort(count, "the_price");
    }

    @When("I close the shop")
    public void close() {
        shelf.close();
    }
}
