"""A second opinion on what steps bind to: the runners' own matchers, and a reading of feature files of its own."""
