"""One typed table of settings: defaults < cukereuse.toml / pyproject.toml < editor < environment < flags."""
