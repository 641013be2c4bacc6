import io.cucumber.java.en.When

class Steps {
    private val shelf = Shelf()

    @When("I sort {int} books by {word}")
    fun byTitle(count: Int, text: String) {
        shelf.sort(count, text)
    }

    @When("I close the shop")
    fun close() {
        shelf.close()
    }
}
