import io.cucumber.java.en.When;

public class Steps {
    private final Shelf shelf = new Shelf();

    @When("I sort {int} books by title")
    public void byTitle(int count) {
        shelf.sort(count, "title");
    }

    /** The other way. */
    @When("I sort {int} books by price")
    public void byPrice(int count) {
        shelf.sort(count, "price");
    }

    @When("I close the shop")
    public void close() {
        shelf.close();
    }
}
