"""What step definitions do: their functions in a normal form, and how two of them are related.

Reads syntax by tree-sitter, never runs anything and never guesses: what the source does not tell stays a name of its
own. `grammars` says what each language's syntax means, `names` what the names of one file refer to; `normal_form` with
`nodes`, `calls`, `lookup` and others writes a form, `reading` gives those of one file, `rereading` those after an edit;
`linking` and `modules` tell what only other files tell: classes, steps, and helpers that are put in place. `relations`
keeps the forms of a suite up to date, `joins` joins them, `comparing` relates two; `outcomes` tells who checks nothing.
"""
