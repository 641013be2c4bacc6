"""The steps of an organisation's suites, and which repositories have each. Reads what `cukereuse corpus catalogue`
wrote."""
