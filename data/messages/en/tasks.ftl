### What a sub-agent is told.

result-not-known = not done: written before the result was known; answer now that you know it
no-such-tool = there is no "{ $name }" here; there are: { $names }
round-of-tool = round { $round }: { $name }
approval-not-possible = not done: a person has to approve it, and from here nobody can be asked; say in your answer that it is still to be called
answer-now = You are done: everything that has to be known.
model-failed = { $error }
