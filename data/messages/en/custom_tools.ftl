### What comes of the host's own tools, for the model.

nothing-printed = done, and nothing was printed
not-kept = not kept: { $why }
address-too-long = the parameters make the address too long
address-unusable = the address cannot be used: { $error }
another-server = the parameters lead to another server
path-leaves = a parameter that belongs into the address holds `..`; leave it out
no-header-name = `{ $name }` is no name of a header
header-not-allowed = header `{ $name }`: a parameter holds a line break or another character that is not allowed there
body-too-long = the parameters make the body too long
no-json-value = a value cannot be written as JSON: { $error }
no-secret = the host has no secret `{ $name }`
answer-too-large = { $host } answered with more than { $most } KB, which is not read
answer-no-json = { $host } answered with something that is no JSON: { $said }
answer-without-path = { $host } answered without { $path }
answer-unexpected = { $host } answered in a form that is not expected: { $problem }
done = done
picture = a picture
sound = a sound
server-no-tool = { $tool } is a server, not a tool
result-unreadable = { $name }: its result could not be read: { $error }
more-rows = [cut: there are more rows]
no-rows = nothing found
secret-in-approval = it asks for a decision with a secret among what it asks about
printed-broken-json = { $name } printed JSON that cannot be read: { $why }
cannot-run = { $name } cannot run: { $error }
program-failed = { $name } failed ({ $code }){ $why }
printed-too-much = { $name } printed more than { $most } KiB and was stopped
address-parameter-empty = { $error }
template-unfilled = { $error }
# Leaves out: $code
answered-with-status = { $host } answered { $status }: { $said }
server-asks-person = { $server } asks for something that only a person could give it; do without it
server-error = { $server }: { $why }
server-went-away = { $server } went away during the call; nobody knows whether it was done
server-answered-wrong = { $server } did not answer as it should
server-not-there = { $server } is not there right now; it is tried again by itself
