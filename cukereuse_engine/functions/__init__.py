"""What step definitions do: their functions in a normal form, and how two functions are related.

Reads syntax by tree-sitter. Nothing is run or guessed: a name that the source does not explain stays a name. `grammars`
says what each language's syntax means, `names` what the names of one file refer to. `normal_form` writes a form with
`nodes`, `calls`, `lookup` and others; `reading` gives the forms of one file, `rereading` those after an edit. `linking`
and `modules` add what only other files tell: classes, called steps, and inlined helpers. `relations` keeps the forms of
a suite up to date, `joins` joins them, `comparing` relates two of them; `outcomes` finds functions that check nothing.
"""
