"""Constants that say an expression: where one gets its value, and who else names it."""
