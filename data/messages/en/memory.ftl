### Why a block of core memory was not changed, for the model.

no-block = there is no block `{ $label }`; the blocks are: { $known }
nothing-to-add = give the text to add
nothing-to-change = give the words to change in `old`; to add something use core_memory_append
words-not-found = block `{ $label }` does not hold "{ $old }"; copy the words exactly as the block shows them
words-ambiguous = block `{ $label }` holds "{ $old }" { $times } times; give more of the words around the one you mean
block-too-long = block `{ $label }` would be { $over } characters over its limit of { $limit }; shorten it with core_memory_replace
block-not-saved = the block could not be saved: { $error }
