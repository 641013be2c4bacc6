"""The input and output of the rows of `languages`: parts of new code, and edited sources."""
