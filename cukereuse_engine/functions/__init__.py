"""What step definitions do: their functions in a normal form, and how two of them relate.

Reads syntax by tree-sitter, never runs anything and never guesses: what the source does not tell stays a name of its
own. `grammars` says what each language's syntax means, `names` what the names of one file refer to, `reading` gives the
forms of one file, `linking` what only several files tell, `relations` joins the forms.
"""
