package shop

import (
	"github.com/cucumber/godog"
)

type shop struct{}

func (s *shop) byTitle(count int) error {
	s.shelf.Open(count)
	return s.shelf.Sort(count, "the_title")
}

func (s *shop) byPrice(count int) error {
	s.shelf.Open(count)
	return s.shelf.Sort(count, "the_price")
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
