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

  When("""the shop is shut""") { page.shut() }

  When("""somebody shuts the shop""") {
    page.shut()
  }

  When("""all books are shut""") {
    page.open()
    books.foreach(book => book.shut())
  }

  When("""all books are closed""") {
    page.leave()
    books.foreach(book => book.shut())
  }

  private val sort = { (order: String) => page.sort(order) }

  When("""books are sorted by {word}""")(sort)

  When("""somebody sorts books by {word}""") { (how: String) => page.sort(how) }

  When("""the books on {word} are dusted""") { (shelf: String) => page.open(shelf)
    page.each { book => book.lift()
      book.dust() }
    page.shut(shelf) }

  When("""somebody dusts the books on {word}""") { (place: String) => page.open(place); page.each { one => one.lift()
      one.dust() }; page.shut(place) }

  When("""the books on {word} are burnt""") { (shelf: String) => page.open(shelf)
    page.each { book => book.burn()
      book.dust() }
    page.shut(shelf) }

  When("""the shelf {word} is shut""") { (shelf: String) => page.shut(shelf) }
}
