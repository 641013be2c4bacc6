"""How well strategies agree with labelled pairs, and which thresholds fit. Reads files of pairs; trains nothing."""
