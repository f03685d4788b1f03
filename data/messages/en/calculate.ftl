### Why the tool calculate gives no result, for the model.

expression-too-long = the expression is longer than { $most } bytes; split it up
no-exchange-rates = exchange rates are not known here
not-understood = `{ $rest }` is not understood
not-calculated = this cannot be calculated: { $why }
result-too-large = the result is too large
takes-one-value = `{ $name }` takes fewer values
