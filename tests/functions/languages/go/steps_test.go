package shop

import (
	"fmt"

	"github.com/cucumber/godog"
	"shop/basket"
	"shop/doors"
	drawer "shop/desk"
)

const limit = 10
const room = 10

type shop struct {
	basket *Basket
	shelf  *Shelf
}

func (s *shop) holds(count int) error {
	fmt.Println("filling")
	return s.basket.Fill(count)
}

func (world *shop) thereAre(books int) error {
	// so many
	return world.basket.Fill(books)
}

func (s *shop) onShelf(count int) error { return s.shelf.Fill(count) }

func (s *shop) named(books string) error { return s.basket.Fill(books) }

func (s *shop) fill() error { return s.basket.Fill(limit) }

func (s *shop) fillUp() error { return s.basket.Fill(room) }

func (s *shop) overfill() error { return s.basket.Fill(12) }

func (s *shop) buy(count int) error { return s.holds(count) }

func (s *shop) tidy() error {
	s.basket.Open()
	return s.sort()
}

func (s *shop) order() error {
	s.basket.Open()
	return s.arrange()
}

func (s *shop) sort() error { return s.basket.Sort("title") }

func (s *shop) arrange() error { return s.basket.Sort("title") }

func clearBasket() error { return basket.Clear() }

func clearDrawer() error { return drawer.Clear() }

func shutLid() error { return doors.Shut("a") }

func sealLid() error { return doors.Seal("a") }

func slamLid() error { return doors.Slam("a") }

func wrapBooks(count int) error {
	basket.Open()
	return wrap(count)
}

func packBooks(count int) error {
	basket.Open()
	return pack(count)
}

func dropBooks(count int) error {
	basket.Open()
	return drop(count)
}

func (s *shop) windClock() error {
	s.clock.Open()
	return s.wind()
}

func (s *shop) windUpClock() error {
	s.clock.Open()
	return s.windUp()
}

func todo() error { return godog.ErrPending }

func Steps(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Step(`^a basket with (\d+) books$`, s.holds)
	ctx.Step(`^(\d+) books in the basket$`, s.thereAre)
	ctx.Step(`^(\d+) books on the shelf$`, s.onShelf)
	ctx.Step(`^(\w+) books$`, s.named)
	ctx.Step(`^a book called (.*)$`, func(title string) error { return add(Book{title: title}) })
	ctx.Step(`^a book by (.*)$`, func(author string) error { return add(Book{author: author}) })
	ctx.Step(`^a key (.*)$`, func(key string) error { return add(map[string]int{key: 1}) })
	ctx.Step(`^a lock (.*)$`, func(lock string) error { return add(map[string]int{lock: 1}) })
	ctx.Step(`^I fill it$`, s.fill)
	ctx.Step(`^I fill it up$`, s.fillUp)
	ctx.Step(`^I overfill it$`, s.overfill)
	ctx.Step(`^I buy (\d+) books$`, s.buy)
	ctx.Step(`^I tidy up$`, s.tidy)
	ctx.Step(`^I put in order$`, s.order)
	ctx.Step(`^I clear the basket$`, clearBasket)
	ctx.Step(`^I clear the drawer$`, clearDrawer)
	ctx.Step(`^I shut the lid$`, shutLid)
	ctx.Step(`^I seal the lid$`, sealLid)
	ctx.Step(`^I slam the lid$`, slamLid)
	ctx.Step(`^I wrap (\d+) books$`, wrapBooks)
	ctx.Step(`^I pack (\d+) books$`, packBooks)
	ctx.Step(`^I drop (\d+) books$`, dropBooks)
	ctx.Step(`^I wind the clock$`, s.windClock)
	ctx.Step(`^I wind up the clock$`, s.windUpClock)
	ctx.Step(`^it is pending$`, todo)
	ctx.Step(`^all is well$`, func() error {
		book := s.basket.First()
		return expect(book.State, "fine")
	})
	ctx.Step(`^all is good$`, func() error {
		found := s.basket.First()
		return expect(found.State, "fine")
	})
	ctx.Step(`^all is bad$`, func() error {
		found := s.basket.First()
		return expect(found.State, "bad")
	})
}
