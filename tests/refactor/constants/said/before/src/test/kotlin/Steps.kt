import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    @When("I sort {int} books by title")
    fun byTitle(count: Int) {
        shelf.sort(count, "title")
    }

    @When("I sort {int} books by price")
    fun byPrice(count: Int) {
        shelf.sort(count, "price")
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
