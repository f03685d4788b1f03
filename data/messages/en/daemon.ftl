### What the daemon says: why what a tool asks for is not done, for the model; and notices of models, judges and budgets.

stopping = kith is being stopped
turn-over = the turn is over
turn-over-or-closed = the turn is over, or nothing may be written here any more
nothing-kept-here = nothing is kept here
reminders-full = there are { $most } reminders here already; that is the most
reminders-of-one-full = there are { $most } reminders of theirs already; that is the most
nothing-to-sum-up = there is nothing to sum up yet
channel-not-on = this channel is not on
being-summed-up = it is being summed up already
no-summary-model = there is no model to sum up
budget-nearly-spent = the budget of the day is nearly spent

## Threads, members, stickers and the status of a platform

channel-exists = there is a channel #{ $label } already; choose another label
permission-missing = you lack the permission { $permission } here
no-thread-here = a thread can only be opened in a text channel of a server
member-unknown = nothing is known of { $name }
member-not-here = { $name } cannot read along in this channel
member-gone = { $name } is not in this server any more
status-changed-just-now = it was changed a moment ago; wait { $seconds } s
status-shown-everywhere = not everybody can read along here, and a status is shown everywhere
stickers-unreadable = the stickers cannot be read now
no-stickers = there are no stickers here
unknown-sticker = there is no sticker "{ $name }"; there are: { $names }
unknown-sticker-of-many = there is no sticker "{ $name }"; there are: { $names } and { $more } more

## Sessions

session-outcome = “{ $label }” is over. What came of it: { $outcome }
session-stopping = kith is stopping
session-not-kept = the session could not be kept: { $error }
sessions-not-kept = sessions cannot be kept now: { $error }
session-channel-gone = the channel is gone
session-exists = there is a session "{ $label }" already
session-person-forgotten = somebody here wanted to be forgotten; not now
session-in-direct-message = a direct message has no threads
session-thread-more-open = not everybody who would see the new thread can see this one
session-without-threads = this kind of channel has no threads; go on here
sessions-full = there are { $most } sessions open, and no more may be; go on here
sessions-too-deep = sessions are opened { $depth } deep at the most; go on here
unknown-session-profile = there is no profile "{ $name }"
session-vars-missing = parameter `vars` must give what profile { $name } needs: { $missing }

## Whether a model would speak, where the score leaves it in doubt

judge-speaks = it was in doubt and asked { $name }, who would speak now
judge-keeps-silent = it was in doubt and asked { $name }, who would keep silent now
no-judge-speaks = it was in doubt, and whom it asked did not tell ({ $why }): by the score it speaks
no-judge-keeps-silent = it was in doubt, and whom it asked did not tell ({ $why }): by the score it keeps silent

## Models, and the budgets of channels, people and functions

no-model-answers = No language model answers, so on Discord it only observes and says nothing: name one in [model] of kith.toml (`kith setup` helps); that counts at once.
vision-budget-low = Today's budget for pictures is nearly or wholly spent: fewer are described, or none.
task-budget-low = Today's budget of tasks is nearly or wholly spent: fewer are worked on, or none.
summary-budget-low = Today's budget for summing up is nearly or wholly spent: less is summed up, or nothing.
judge-budget-low = Today's budget for asking whether to speak is nearly or wholly spent: the score alone decides.
channel-budget-low = Most of today's budget of #{ $place } is spent: only direct address is answered there.
person-budget-low = Most of today's budget of one person (last in #{ $place }) is spent: only direct address is answered there.
turn-budget-low = Most of today's budget of turns is spent: only direct address is answered there.
channel-budget-spent = Today's budget of #{ $place } is spent: no answer from it until midnight UTC.
person-budget-spent = Today's budget of one person (last in #{ $place }) is spent: no answer from it until midnight UTC.
turn-budget-spent = Today's budget of turns is spent: no answer from it until midnight UTC.

## The channels and people of a new room

first-channel = lounge
first-channel-topic = everything and nothing
second-channel = food
second-channel-topic = what we cooked, what we burnt
first-person = Anna
second-person = Ben
third-person = Cleo
