"""What step definitions do: their functions in a normal form, and how two of them relate.

Reads syntax by tree-sitter, never runs anything and never guesses: what the source does not tell stays a name of its
own. `grammars` says what each language's syntax means, `names` what the names of one file refer to; `writing` with
`nodes`, `calls`, `lookup` and others writes a form, `reading` gives those of one file, `rereading` those after an edit;
`linking` tells what only several files tell, `relations` joins the forms, `outcomes` tells who checks nothing.
"""
