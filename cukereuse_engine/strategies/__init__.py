"""How step texts can be joined: a row for each strategy, and what it measures."""
