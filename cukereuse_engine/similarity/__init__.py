"""Two texts: lexical ratio, and vectors from an `Embedder`. Knows nothing of suites, indexes or clusters."""
