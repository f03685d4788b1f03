### Why the room does not do what its page asks, for people. Each is one sentence: what, and what to do instead.

no-channel = there is no such channel
no-message = there is no such message in this channel
no-person = there is no such person in the room
no-session = there is no such session
no-turn = there is no such turn
turn-over = that turn does not run, or not any more
name-taken = { $name } is taken; choose another name
channel-name-taken = #{ $name } is taken; choose another name
last-person = somebody must be left to write as; add another person first
last-channel = a room needs a channel; add another one first
channel-off = #{ $name } is off: nothing is read or kept there; switch it on in kith.toml
own-words = these are the companion's words; delete them if they should not stand
posted-before = this was posted before and is gone; write it anew
intention-over = it does not wait for that any more
already-decided = it was decided before, or its time is over
nothing-pending = nothing is known of that any more, so nothing is done
no-memory = nothing of that number is remembered that can be seen here
memory-of-another = that is about somebody else, so only they can correct it; it can be deleted
nothing-superseded = that took the place of nothing, so there is nothing to go back to
memory-length = write what is right in 1 to { $most } characters
memory-sensitive = that tells of health, sexuality, religion, politics or whereabouts, which is only kept where the person asks for it
no-earlier-block = no edit of that block is known that could be taken back
no-persona-file = the settings name no such persona file
