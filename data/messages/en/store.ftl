### Why the database gave no answer, for the model.

unusable = { $error }
query-wrong = the query is not right: { $why }
query-too-slow = the query took longer than { $most } ms and was stopped; ask for less
query-too-large = the query has a value larger than { $most } bytes, or makes one; ask for less
query-failed = the query failed: { $why }
data-key = the key `{ $key }` is empty or longer than { $most } characters
data-value = the value of `{ $key }` is larger than { $most } bytes
data-keys = there would be more than { $most } keys here; set some to null, which removes them
data-scope = there would be more than { $most } bytes here; set some keys to null, which removes them
