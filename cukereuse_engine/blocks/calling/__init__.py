"""A step definition that calls the functions of others, where a language lets it: written (`write`), and read again
(`read`) by what knows nothing of the writing. One row a language (`styles`).
"""
