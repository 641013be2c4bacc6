package shop

type noted struct{}

func note(ctx context.Context, count int) context.Context {
	return context.WithValue(ctx, noted{}, count)
}

func remember(ctx context.Context, books int) context.Context {
	return context.WithValue(ctx, noted{}, books)
}

func noteKeys(ctx *godog.ScenarioContext) {
	ctx.Step(`^(\d+) books are noted$`, note)
	ctx.Step(`^(\d+) books are remembered$`, remember)
}
