import io.cucumber.scala.{EN, ScalaDsl}

class Steps extends ScalaDsl with EN {
  When("I sort {int} books by title") { (count: Int) =>
    val shelf = page.shelf
    shelf.sort(count, "title")
  }

  When("I sort {int} books by price") { (count: Int) =>
    val shelf = page.shelf
    shelf.sort(count, "price")
  }

  When("I close the shop") { page.close() }
}
