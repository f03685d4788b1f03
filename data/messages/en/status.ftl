### The card of `/kith status`.

title = { $name } in { $place }
mode = Mode
now = Now
waits-for = Waits for
waits-for-click = Waits for a click
last-day = Last 24 hours
reception = Reception
persona = Persona
model = Model
budget-today = Budget today
projected-month = Projected month
who-may = Who may
mode-by-host = { $mode }, by the host's settings
mode-by-person = { $mode } for { $since }, by { $by }
mode-by-moderator = { $mode } for { $since }, by a moderator
only-observes = no model is set up: it only observes
may-not-write = it may not write here
paused = paused for { $left } more
asked-for-quiet = asked for quiet: nothing unasked for { $left } more
asleep = asleep
quiet-hours = quiet hours { $from }-{ $to }{ $zone }
thinking = thinking
reset-drops-it = (`/kith reset` drops it)
approvals-in-log = { $count }, in the log channel
until-word = "{ $word }"
until-time = in { $duration }
or-between = {" "}or{" "}
intent = • { $things }: { $note } ({ $lapses } left)
allowance = unasked at most { $wanted } of what the others write; the median member writes { $median }
persona-line = { $name }, talkativeness { $chatty } of at most { $most }
no-model = none
model-line = { $model } at { $hostname }
budget-share = { $share } spent
budget-spent = { $spent } of { $cap } tokens ({ $share })
about-tokens = about { $about } tokens
about-tokens-here = about { $about } tokens here
who-changes-direct = change this: you; mode and model: the host
who-changes-guild = change this: members with Manage Server, and the host
no-bots-answered = be answered: people, no bots
bots-answered = be answered: people, and bots now and then
hourly = about { $hourly } an hour
# $read and $would choose the form of the plural; $read_number and $would_number are the same numbers as people write them.
observed-of-late =
    read { $read_number } { $read ->
        [one] message
       *[other] messages
    }, would have spoken { $would_number } { $would ->
        [one] time
       *[other] times
    }
# $read and $spoke choose the form of the plural; $read_number and $spoke_number are the same numbers as people write them.
spoke-of-late =
    read { $read_number } { $read ->
        [one] message
       *[other] messages
    }, spoke { $spoke_number } { $spoke ->
        [one] time
       *[other] times
    }
