package shop

import "github.com/cucumber/godog"

func InitializeScenario(ctx *godog.ScenarioContext) {
	ctx.Step(`^I open the "([^"]*)" page$`, openPage)
	ctx.Step(`^I fill in (\d+) names like "([^"]*)"$`, func(count int, name string) error {
		return nil
	})
	ctx.Step(`^I press the button$`, func() error {
		return nil
	})
	ctx.When(`^I (\w+)$`, act)
	ctx.Then(`^all is done$`, done)
}

func openPage(page string) error { return nil }

func act(act string) error { return nil }

func done() error { return nil }
