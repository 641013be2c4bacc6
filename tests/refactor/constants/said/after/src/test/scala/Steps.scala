import io.cucumber.scala.{EN, ScalaDsl}

class Steps extends ScalaDsl with EN {
  When("I sort {int} books by {word}") { (count: Int, text: String) =>
    val shelf = page.shelf
    shelf.sort(count, text)
  }

  When("I close the shop") { page.close() }
}
