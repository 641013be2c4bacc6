"""Two step definitions that run the same code become one; unused ones go. Everything is a plan first.

`merger` is the way in. `stacking` and `sharing` put both expressions on one function, `wording` keeps one expression,
`constant` makes one definition with a parameter of two that differ in a constant, by `parametrised` functions, and
`shared` lets both call one function with it where the wordings do not say it. `check` proves a plan: every step binds
as before, with the arguments that it had, and every expression runs the code that it ran.
"""
