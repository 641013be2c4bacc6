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
	ctx.Given(`^I am logged in "([^"]*)" times as "([^"]*)"$`, iAmLoggedInTimesAs)
}

func openPage(page string) error { return nil }

func act(act string) error { return nil }

func done() error { return nil }

func iAmLoggedInTimesAs(count string, name string) godog.Steps {
	return godog.Steps{
		"I open the \"it's a login\" page",
		"I fill in " + count + " names like \"" + name + "\"",
		"I press the button",
	}
}
