### What is wrong with the parameters of a call, for the model.

unknown-parameter = there is no parameter `{ $name }`; it was ignored
wrong-type = parameter `{ $name }` must be { $wanted }, not { $shown }
missing = parameter `{ $name }` is missing: give { $wanted }
missing-among = parameter `{ $name }` is missing: give { $wanted } (there is no parameter { $strangers })
text = text
number = a number
whole-number = a whole number
boolean = true or false
list-of = a JSON list, each element { $each }
list = a JSON list
object = a JSON object
ignored-problem = { $problem }; it was left out
one-of = one of { $choices }
object-of = an object of { $names }
given-text = the text "{ $text }"
given-list = the list { $list }
given-object = the object { $object }
