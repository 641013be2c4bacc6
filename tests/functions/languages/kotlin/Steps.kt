package shop.steps

import io.cucumber.java.en.Given
import io.cucumber.java.en.Then
import io.cucumber.java.en.When
import shop.pages.BasketPage
import shop.pages.ShelfPage

class BasketSteps(private val page: BasketPage) {
    private val name = "Emma"

    @Given("a basket with {int} books")
    fun holds(count: Int) {
        println("filling")
        page.fill(count) // so many
    }

    @Given("{int} books in the basket")
    fun thereAre(books: Int) = page.fill(books)

    @When("I choose Emma")
    fun choose() { page.choose(name) }

    @When("I choose the novel")
    fun chooseNovel() { page.choose("Emma") }

    @When("I choose Persuasion")
    fun chooseOther() { page.choose("Persuasion") }

    @Then("there is a task of kind {string}")
    fun ofKind(kind: String) { tasks.has(kind = kind) }

    @Then("there is a task of owner {string}")
    fun ofOwner(owner: String) { tasks.has(owner = owner) }

    @Then("a task has the kind {string}")
    fun hasKind(name: String) { tasks.has(kind = name) }

    @When("I greet {string}")
    fun greet(who: String) { page.say("Hello $who") }

    @When("I hail {string}")
    fun hail(name: String) { page.say("Hello $name") }

    @When("I buy {int} books")
    fun buy(count: Int) { holds(count) }

    @When("I tidy up")
    fun tidyUp() {
        page.open()
        sort()
    }

    private fun sort() { page.sort("title") }

    @Then("it is to be done")
    fun toBeDone() { TODO() }
}

class ShelfSteps(private val basket: BasketPage, private val page: ShelfPage) {
    @Given("{int} books are put into the basket")
    fun put(books: Int) { basket.fill(books) }

    @Given("a shelf with {int} books")
    fun holds(count: Int) { page.fill(count) }

    @When("I put in order")
    fun putInOrder() {
        basket.open()
        order()
    }

    private fun order() { basket.sort("title") }

    @When("I save the book")
    fun saveBook() { beans.get<BookStore>().save() }

    @When("I save the shelf")
    fun saveShelf() { beans.get<ShelfStore>().save() }

    @When("I move the book")
    fun moveBook() { move<BookStore>() }

    @When("I move the shelf")
    fun moveShelf() { move<ShelfStore>() }

    @When("the book is moved")
    fun bookMoved() { move<BookStore>() }

    private inline fun <reified T> move() { beans.get<T>().move() }
}
