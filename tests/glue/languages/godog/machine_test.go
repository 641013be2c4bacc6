package machine

import (
	"regexp"

	"github.com/cucumber/godog"
)

const (
	lid   = `^the lid is `
	state = "(open|shut)$"
)

var stops = regexp.MustCompile("^the belt stops$")

type machine struct{}

func (m *machine) ready() error { return nil }

func takes(who string, count int) error {
	return nil
}

func InitializeScenario(ctx *godog.ScenarioContext) {
	m := &machine{}
	ctx.Step(`^the machine is ready$`, m.ready)
	ctx.Given("^there are (\\d+) apples$", func(count int) error { return nil })
	ctx.When(`^"([^"]*)" takes (\d+) of them$`, takes)
	ctx.Then(regexp.MustCompile(`^it holds (\d+) apples?$`), elsewhere.holds)
	ctx.Step(`the sign is (red|amber)`, wrapped(takes))
	ctx.Step("it costs (\\d+) € \\(net\\)$", price[int])
	ctx.Step(lid+state, m.lid)
	ctx.Step(stops, m.stops)
	ctx.Step(fmt.Sprintf("%s is full", name), m.full)
	for _, step := range table {
		ctx.Step(step.pattern, step.handler)
	}
	ctx.Step("only one argument")
	ctx.Before("not a step", takes)
}
