### What became of what was to be remembered, for the model.

no-block = there is no block `{ $label }`; the blocks are: { $known }
nothing-to-add = give the text to add
nothing-to-change = give the words to change in `old`; to add something use core_memory_append
words-not-found = block `{ $label }` does not hold "{ $old }"; copy the words exactly as the block shows them
words-ambiguous = block `{ $label }` holds "{ $old }" { $times } times; give more of the words around the one you mean
block-too-long = block `{ $label }` would be { $over } characters over its limit of { $limit }; shorten it with core_memory_replace
block-not-saved = the block could not be saved: { $error }
remembered = kept
remembered-instead = kept in the place of: { $old }
not-remembered-malformed = not kept: it says nothing
not-remembered-source = not kept: what it was taken from is gone, or says something else now
not-remembered-unwilling = not kept: somebody in it does not want to be remembered
not-remembered-sensitive = not kept: health, sexuality, religion, politics and whereabouts are kept only of people who ask for it themselves
memory-too-long = say it in at most { $most } characters
nobody-to-remember = nobody called { $name } is here; write the name as the history shows it
no-line-to-remember = nobody said anything here that it could be taken from
due-no-date = parameter `due` must be a date such as 2026-03-01
