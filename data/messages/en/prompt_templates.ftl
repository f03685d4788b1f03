### What is wrong with a prompt template, for who wrote it: the place, what, and how to mend it.

problem = { $place } { $what }; { $cure }

no-folder = there is no such folder
create-folder = create it, or take the setting out
unused-file = no prompt uses this file
nearest-file = did you mean { $file }?
unreadable = cannot be read: { $error }
write-text = make it a readable UTF-8 text file
look-up-values = the first line of the shipped file lists the values there are
mend-or-delete = mend it, or delete the file to use the shipped one
value-not-shown = the value `{ $value }` is never shown
show-value = write { $expression } where it belongs
