"""The steps of an organisation's suites: who has which. Reads what `cukereuse corpus catalogue` wrote."""
