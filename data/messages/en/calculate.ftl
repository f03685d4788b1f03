### Why the tool calculate gives no result, for the model.

expression-too-long = the expression is longer than { $most } bytes; split it up
no-exchange-rates = exchange rates are not known here
value-missing = a value is missing at the end
parenthesis-missing = a `)` is missing before `{ $rest }`
unknown-word = `{ $word }` is neither a unit nor a function that is known here
sign-missing = a sign is missing between two values
nested-too-deep = it is nested more than { $most } deep; split it up
not-understood = `{ $rest }` is not understood
number-too-large = the number is too large
no-real-number = there is no real number that is the result
result-too-large = the result is too large
division-by-zero = division by zero
takes-no-unit = { $what } takes numbers without a unit
takes-whole-numbers = { $what } takes whole numbers
units-not-added = these units cannot be added
units-without-rest = these units cannot be divided with a rest
factorial-limits = a factorial is taken of 0 to { $most }
units-differ = these units do not measure the same
unknown-unit-power = that power of a unit is not known here
takes-one-value = `{ $name }` takes one value
units-not-compared = these units cannot be compared
