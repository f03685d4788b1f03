### What of an answer could not be read, for the model. $name is a tool, or the element it is written as.

unknown-tool = there is no "{ $name }" here, so it was not done
broken-off-action = the answer broke off inside an action, which was not done
broken-off-arguments = the answer broke off inside the arguments of { $name }, which was not done
broken-off-element = the answer broke off inside <{ $name }>, which was not done
no-json-arguments = the arguments of { $name } are no JSON object, so it was not done
nameless-call = a tool call without a name was not done
nameless-element = <{ $name }> names no tool, so it was not done
nameless-action = an action without a "name" and "params" was not done
second-list = more than one list of actions was written; only the first was done
no-json-object = it could not be read as the JSON object that was asked for
call-as-text = a tool call written as text is not done; call the tool itself
no-turn = it could not be read as one <turn> with its elements
placeholder = { $name } held a placeholder where its words belong, so it was not done
