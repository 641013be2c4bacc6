import io.cucumber.java.en.When;

public class Steps {
    private final Shelf shelf = new Shelf();

    @When("I sort {int} books by {word}")
    public void byTitle(int count, String text) {
        shelf.sort(count, text);
    }

    @When("I close the shop")
    public void close() {
        shelf.close();
    }
}
