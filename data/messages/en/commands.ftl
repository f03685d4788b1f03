### Answers to what people ask the companion about itself, on Discord, the page and the command line.

export-too-often = You had it several times just now, and each time everything is looked through: wait { $minutes } min.
export-of-server = Everything that is kept about you from this server. Ask me in a direct message for the rest.
export-of-everything = Everything that is kept about you.
export-of-partition = This is kept about you in one of the parts that my servers are divided into. Each other part that keeps something of you sends a file of its own. If one seems to be missing, ask again later.
erase-too-often = Erasing takes a while, and you asked several times: ask again in { $minutes } min.
forget-only-own = You can have your own messages forgotten; for those of others ask a member with Manage Server.
message-not-kept = Nothing of that message is kept.
message-forgotten = It is forgotten, with every quote of it. It is still there for everybody else to see.
fresh-already = Nothing was read in { $place } yet: it is fresh already.
fresh-start = { $name } starts afresh in { $place }: what was said until now is not shown to it any more. Nothing was deleted.
memory-failed = That did not work, my memory cannot be read or written now: try again in a minute. The host's log says why.
direct-is-hosts-choice = Whether direct messages are read is the host's choice; to be left alone, use `/kith optout`.
forum-announcement =
    {" "}All posts in it are read. A forum takes no messages itself, so nobody there was told: please tell its members yourself, in its guidelines for example.
    > { $words }
cannot-announce = {" "}I may not write there, so please tell its members yourself what is read, or let me send messages there and switch it on again.
host-keeps-off = The host of { $name } keeps { $place } off, so nobody here can switch it on.
host-lets-observe = The host of { $name } lets it only observe in { $place }: use `/kith observe` or `/kith off`.
on-without-model = { $place } is on. But no model is set up: until the host does that, { $name } only observes.
switched-on = { $place } is on: { $name } reads along and may speak.
observed = { $place } is observed: { $name } reads along, no model sees it, and it never speaks.
switched-off = { $place } is off: nothing is read there any more. What was stored before goes after { $days } days, or with `/kith forget me`.
ignored-erase-failed = From now on you are ignored; but what I had of you could not be erased: try `/kith forget me` in a minute.
ignored-not-erased-yet = From now on you are ignored; but what I have of you is not erased yet. { $why }
preference-remember = Welcome back: { $name } treats you like everybody from now on.
preference-dont-remember = From now on { $name } still answers you, but what you write is gone after 24 hours and is never remembered. `/kith forget me` erases what is there now.
preference-ignore = From now on { $name } does not read, keep or answer anything you write, and what there was of you is erased. `/kith optout` takes you back in.
pause-too-long = A pause lasts 365 days at most: use `/kith observe` or `/kith off` for longer.
pause-ended = { $name } is back in { $place }.
paused = { $name } answers nobody in { $place } for { $duration }; it goes on reading. `/kith pause 0` ends it.
call-stopped = `{ $tool }` is stopped. What it had done by then stays done.
call-over = That is over already: there is nothing to stop.
no-personas = The host offers no personas to choose from: the settings file lists them under [personas].
unknown-persona = There is no such persona; the host offers: { $names }.
raw-of-direct-message = What was said in a direct message stays there: ask Why? in it, and press the button below the answer.
raw-of-hidden-channel = Not everybody can see that channel: ask Why? in it, and press the button below the answer.
raw-without-prompt = The raw answers; the prompts are not kept any more.
raw-with-prompt = The prompts and raw answers of this turn.
waits-dropped = {" "}What it waited for is dropped.
this-direct-message = this direct message
about-another-place = That is about a channel of another place: ask there.
only-moderators = Only members with the permission Manage Server may do that: ask one of them.
channel-not-found = I cannot find that channel: choose one of this server that I can see.
no-sessions = No session is open here.
more-sessions = … and { $more } more
close-session-hint = `/kith sessions close:ID` closes one.
session-opening = being opened
session-at-rest = {" "}· at rest
unknown-session = There is no session { $id } here: `/kith sessions` lists them.
session-open = Session { $id } is open: <#{ $channel }>.
session-renamed = Session { $id } is called “{ $label }” now.
session-prompted = Session { $id } keeps that in mind from its next answer on.
session-without-note = Session { $id } keeps nothing special in mind any more.
session-label-limits = A session's name has 1 to { $most } characters.
session-note-limits = That is too long: write at most { $most } characters.
session-not-opened = It is not opened: { $why }
session-closed = Session { $id } is closed: its thread is archived, and whoever writes there meets me as elsewhere.
sticker-needs-server = Stickers are kept for a server: do it there.
sticker-removed = “{ $name }” is no sticker of mine any more.
sticker-unread-message = I have not read that message, so I would not know when it is deleted: choose one of a channel I read, of somebody who lets me.
sticker-no-picture = There is no picture in that message: choose one with a PNG, JPEG, GIF or WebP file.
sticker-too-large = That picture is too large: { $most } MiB at most.
stickers-full = There are { $most } stickers already: take one out first, with the same menu on its message.
sticker-kept = Kept as the sticker “{ $name }”. The same menu on the message takes it out again; it goes with the message, too.
not-its-own = { $name } did not say that, as far as I remember, so I leave it alone.
taken-back = It is taken back.
nothing-left-of-turn = Nothing is left of what that turn said: there is nothing to take back.
talkativeness-limits = The host allows a talkativeness from 0 (shy) to { $most }, or up to { $hourly } messages an hour: choose one within that.
write-a-time = Write a time like 30m, 2h or 1d, or 0 to end a pause.
no-answer-found = I could not find an answer, perhaps because I am stopping; try again in a minute.
prompt-and-answer = Prompt and answer
better-not = Better not
file-too-large = The file has { $size } MB, which is more than Discord takes: ask the host to export it with `kith export`.
write-level-or-hourly = Write one of the two: a level from 0, shy, to 1, chatty, for example 0.3; or about how many unasked messages an hour, from 0 to 60.
write-persona-name = Write the name of a persona.
write-session-number = Write the number of a session.
unknown-command = I don't know this command; restart Discord (Ctrl+R) to see the ones I know.
forgotten-everywhere = everywhere
forgotten-in-server = in this server
forgotten-in-direct-message = in this direct message
nothing-to-forget = Nothing of you is kept { $place }: there was no message of yours, and every other trace is erased.
# Follows both answers.
earlier-copies = {" "}Backups and exports that were made before may still hold some of it, until they are deleted.
# $count chooses the form of the plural, $number is the same number as people write it.
forgotten =
    Forgotten { $place }: { $number } { $count ->
        [one] message
       *[other] messages
    }, your reactions, and what was thought and noted because of them. None of it comes back. What you write from now on is read again; `/kith optout` changes that.
name-hidden-to-switch-on = { $place } cannot be seen by everybody, so it has to be named: `/kith on channel:{ $place }`.
name-hidden-to-observe = { $place } cannot be seen by everybody, so it has to be named: `/kith observe channel:{ $place }`.
name-restricted-to-switch-on = { $place } is age-restricted, so it has to be named: `/kith on channel:{ $place }`.
name-restricted-to-observe = { $place } is age-restricted, so it has to be named: `/kith observe channel:{ $place }`.
in-whole-server = in this whole server
in-place = in { $place }
persona-chosen = The persona is { $name } { $place } from now on.
talkativeness-chosen = The talkativeness is { $level } { $place } from now on.
nothing-to-reset = Nothing was set by hand { $place }: the settings of the host count.
settings-reset = What was set by hand { $place } is taken back: the settings of the host count again.
messages-taken-back =
    { $count ->
        [one] It is taken back.
       *[other] All { $count } messages are taken back.
    }
button-of-other-version = This button is of another version; use a command instead.
question-for-somebody-else = This question is for somebody else.
nothing-changed = Nothing was changed.
ask-forget-everything = Erase everything you wrote, everywhere, and every trace of you? This cannot be undone.
forget-everything-button = Erase everything
ask-reset-everything = Take back everything that was set by commands in this whole server?
reset-everything-button = Take it all back
channel-not-visible = I can't see that channel.
messages-not-taken-back = { $count } of { $all } messages could not be taken back. { $why }
sticker-not-fetched = The picture could not be fetched: try again in a minute.
sticker-picture-gone = The picture is not there, or is too large.
sticker-no-whole-picture = That file is no whole PNG, JPEG, GIF or WebP picture.
sticker-message-changed = The message was changed meanwhile: look again.
sticker-not-kept = It could not be kept; the host's log says why.
memory-nothing = Nothing is remembered of you that can be shown here. Ask me in another channel or in a direct message for what was said there.
memory-page =
    { $count ->
        [one] One thing is remembered of you here.
       *[other] { $count } things are remembered of you here; this is page { $page } of { $pages }.
    }
memory-hint = `/kith memory delete` and `/kith memory correct` take one of these numbers. What was said in private channels shows only there.
memory-said-by-you = you said it
memory-said-by = { $person } said it
memory-said-by-nobody = nobody's word
memory-sources =
    { $count ->
        [0] from { $place }
        [one] from a message in { $place }
       *[other] from { $count } messages in { $place }
    }
memory-kind-name = name
memory-kind-about = about you
memory-kind-relation = relation
memory-kind-manner = how to speak to you
memory-kind-promise = open
memory-kind-episode = what happened
memory-unknown = Nothing of yours with the number { $id } can be seen here: `/kith memory me` shows the numbers.
memory-of-another = Number { $id } is about somebody else, so only they can correct it. You can have it deleted: `/kith memory delete`.
memory-deleted = Number { $id } is forgotten.
memory-corrected = It is corrected, by your word; its number is { $id } now.
memory-not-kept = That is not written down: it tells of health, sexuality, religion, politics or whereabouts of several people, or number { $id } is gone by now.
memory-write-text = Write what is right instead, in at most { $most } characters.
