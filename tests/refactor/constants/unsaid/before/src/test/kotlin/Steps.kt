import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    @When("I sort {int} books by title")
    fun byTitle(count: Int) {
        shelf.open(count)
        shelf.sort(count, "the_title")
    }

    @When("I sort {int} books by price")
    fun byPrice(count: Int) {
        shelf.open(count)
        shelf.sort(count, "the_price")
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
