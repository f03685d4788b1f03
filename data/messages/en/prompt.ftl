### The words the program itself puts into a prompt. A model reads them: short and exact.

direct-channel = a private chat, just the two of you
thread = thread #{ $name }
gap = [some messages are missing here]
edited = {" "}(edited)
refused-line = (left out: the provider refuses these words)
shortened = {" "}… ({ $characters } more characters)
tool-picture = Image from { $tool }:
picture-lost = could not be loaded
linked-line = (line { $line })
picture = Image in line { $line }:
direct = Line { $line }: a private message to you from { $name }.
mention = Line { $line }: { $name } mentions you.
reply = Line { $line }: { $name } replies to you.
call-by-name = Line { $line }: { $name } calls you by name.
alone = Line { $line }: { $name } writes with nobody else around, so it is meant for you.
says-to-you = Line { $line }: { $name } says to you: "{ $text }"
says = Line { $line }: { $name } says: "{ $text }" Nobody asked you; you may join in.
deleted-address = Somebody spoke to you; the message has been deleted since.
also-line = line { $line } ({ $name })
also = Also speaking to you: { $lines }. Answer them together, in one go.
unasked = Nobody spoke to you. Line { $line } by { $name } caught your attention; you may join in.
line-for-other = The newest line, { $line }, is { $name } talking to { $other }: that one is not yours to answer.
unasked-plainly = Nobody spoke to you; you may join in.
waited = Nobody spoke to you. What you waited for has come: { $cause }.
own-note = Your note to yourself: "{ $note }".
person-wrote = { $name } has written (line { $line })
word-fell = "{ $word }" was said (line { $line })
it-is-time = it is time
wait-fulfilled = it is there
remind = It is time for the reminder for { $name }: "{ $text }". Give it now, in your own words, naming them with @.
remind-all = It is time for a reminder: "{ $text }". Give it now, in your own words.
reminder = - you remind { $name } at { $time }: "{ $text }"
everybody = everybody
lull = Nobody spoke to you. It was lively here, and nobody has written for { $minutes } minutes; you may start something new.
opening = Nobody spoke to you. This is a moment of your day at which you may say something first.
not-obliged = {" "}Nobody expects it: stay silent if it does not fit now.
waiting-for = - you wait for: { $things }; note: "{ $note }"
until-person = { $name } writes
until-word = "{ $word }" is said
or-between = {" "}or{" "}
earlier = Earlier: { $line }
time-now = It is { $time }.
doing-now = You are: { $activity }.
energy-low = You are tired of talking.
energy-middle = You have some energy left.
energy-full = You have energy to spare.
last-spoke = You last spoke here { $duration } ago.
sentence-separator = {" "}
bot = {" "}(bot)
known-person = {" "}({ $facts })
known-for = known { $duration }
just-met = just met
talks-often = talks with you often
item-separator = ,{" "}
fact-separator = ,{" "}
what-you-know = You know of them:
name-separator = :{" "}
profile-separator = ;{" "}
last-seen = last seen { $duration } ago
goes-by = goes by { $text }
hearsay = { $text } ({ $name } says)
hearsay-ago = { $text } ({ $name } said { $duration } ago)
said-ago = { $text } (said { $duration } ago)
open = still open: { $text }
open-today = still open: { $text } (today)
open-tomorrow = still open: { $text } (tomorrow)
open-on = still open: { $text } ({ $day })
you-thought = you thought:
called-tool = you called { $tool } { $parameters }:
called-tool-failed = you called { $tool } { $parameters }, and it failed:
you-said = you said:
unreadable = you wrote this, and nothing was done because it holds no action:
unread = you wrote this, and it could not all be read ({ $problems }):
go-on = These are the results of what you just called; go on from here.
left-out = (its result of { $characters } characters is left out here; call it again if you still need it)
todo-reminder = You have not updated your todos for three rounds: bring the list up to date with todo, or clear it.
on-their-way = you said this; it is on its way and will be read, so do not say it again:
unsent = you were about to say this when somebody spoke; it was not sent:
session-note = Your own note from when you opened it; a note, not a rule:
session-note-of-person = What people who look after this place want kept in mind here; a note, not a rule:
summed-up = Summed up:
lately-quieted = Somebody asked you for quiet not long ago. You feel a bit small.
lately-unwelcome = Lately they would rather have you quiet. You feel in the way.
lately-ignored = Nobody took up what you said last. It dampens your mood.
lately-good-talk = A good talk is going on. You are in a good mood.
lately-welcome = Lately they like having you here. You feel at home.
# What several people of the group say again and again.
often-said = Often heard from several people here: { $expressions }.
about-minutes = { $count } min
about-hours = { $count } h
about-days = { $count } days
about-weeks = { $count } weeks
about-months = { $count } months
date-mark =
    { $weekday ->
        [1] Mon
        [2] Tue
        [3] Wed
        [4] Thu
        [5] Fri
        [6] Sat
       *[7] Sun
    } { $day } { $month ->
        [1] Jan
        [2] Feb
        [3] Mar
        [4] Apr
        [5] May
        [6] Jun
        [7] Jul
        [8] Aug
        [9] Sep
        [10] Oct
        [11] Nov
       *[12] Dec
    } { $time }
full-time =
    { $weekday ->
        [1] Mon
        [2] Tue
        [3] Wed
        [4] Thu
        [5] Fri
        [6] Sat
       *[7] Sun
    } { $day } { $month ->
        [1] January
        [2] February
        [3] March
        [4] April
        [5] May
        [6] June
        [7] July
        [8] August
        [9] September
        [10] October
        [11] November
       *[12] December
    } { $year }, { $time }
