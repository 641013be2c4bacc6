"""Many texts: who is near whom. Lexical and vector joins, HNSW and exact indexes, the persistent vector cache."""
