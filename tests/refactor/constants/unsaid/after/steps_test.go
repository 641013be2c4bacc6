package shop

import (
	"github.com/cucumber/godog"
)

type shop struct{}

func (s *shop) sortBooksBy(count int, text string) error {
	s.shelf.Open(count)
	return s.shelf.Sort(count, text)
}

func (s *shop) byTitle(count int) error {
	return s.sortBooksBy(count, "the_title")
}

func (s *shop) byPrice(count int) error {
	return s.sortBooksBy(count, "the_price")
}

func (s *shop) close() error {
	return s.shelf.Close()
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	s := &shop{}
	ctx.Step(`^I sort (\d+) books by title$`, s.byTitle)
	ctx.Step(`^I sort (\d+) books by price$`, s.byPrice)
	ctx.Step(`^I close the shop$`, s.close)
}
