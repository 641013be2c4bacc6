"""Many texts: which are near each other, and which begin alike. Joins, HNSW and exact indexes, the vector cache,
tries."""
