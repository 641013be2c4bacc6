"""From texts to vectors: the models, the `Embedder` protocol that they follow, and where their files come from."""
