"""`steps.parquet` -> clusters, tables and figures. Rollups run in DuckDB, clusters come from the engine."""
