package attic

type noted struct{}

func note(ctx context.Context, count int) context.Context {
	return context.WithValue(ctx, noted{}, count)
}

func noteKeys(ctx *godog.ScenarioContext) {
	ctx.Step(`^(\d+) boxes are noted$`, note)
}
