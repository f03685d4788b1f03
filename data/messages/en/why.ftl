### The card of `/kith why`.

energy = Energy
budget-today = Budget today
why-it-spoke = Why it spoke
why-it-failed = Why it failed
why-it-kept-silent = Why it kept silent
willingness = Willingness
strongest-reasons = Strongest reasons
when-it-looked = When it looked
turn = Turn
sentence-end = .{" "}
not-looked-at = not by itself: a message beside it in the same burst counted, or it has not looked yet
spoken-to = it was spoken to
own-reason = it had a reason of its own
wanted-to-speak = it wanted to speak
in-doubt = in doubt, so it asked a model whether to speak
not-enough = not enough to speak
waited-for-place = it waited for a free place to think
looked = { $outcome } ({ $after } later, { $against })
channel-off = { $place } is off: nothing is read here.
nothing-thought-about = Nothing was thought about in { $place } yet.
not-scored = { $name } has read that, but not thought about whether to answer: it was fetched later, or is its own.
not-stored = { $name } knows nothing of that message: it was written while the channel was off, is older than { $days } days, was deleted or forgotten, or its author does not want to be read.
unknown-turn = There is no such turn: it still runs, or it is not kept any more.
