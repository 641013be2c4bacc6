"""Many texts: who is near whom, and who begins alike. Joins, HNSW and exact indexes, the cache of vectors, tries."""
