import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    private fun sortBooksBy(count: Int, text: String) {
        shelf.open(count)
        shelf.sort(count, text)
    }

    @When("I sort {int} books by title")
    fun byTitle(count: Int) {
        sortBooksBy(count, "the_title")
    }

    @When("I sort {int} books by price")
    fun byPrice(count: Int) {
        sortBooksBy(count, "the_price")
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
