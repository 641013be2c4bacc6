package shop

import io.cucumber.scala.{EN, ScalaDsl}

class Steps extends ScalaDsl with EN {
  Given("""a basket with {int} books""") { (count: Int) =>
    // so many
    println("filling")
    page.fill(count)
  }

  Given("""{int} books in the basket""") { (books: Int) =>
    page.fill(books)
  }

  Given("""{word} books in the basket""") { (books: String) =>
    page.fill(books)
  }

  When("""{int} books are opened""") { (count: Int) =>
    val book = page.first(count)
    book.open("now")
  }

  When("""{int} books are opened later""") { (n: Int) =>
    val found = page.first(n)
    found.open("later")
  }

  Given("""a book called {word}""") { (title: String) => add(title = title) }

  Given("""a book by {word}""") { (author: String) => add(author = author) }
}
