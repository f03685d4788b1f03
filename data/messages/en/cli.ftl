### What the commands of `kith` print, and why they fail.

## The help

commands-heading = Commands:
arguments-heading = Arguments:
options-heading = Options:
print-help = Print help
print-version = Print version
explain-commands = Print this message or the help of the given commands
help-with-default = { $text } [default: { $default }]
help-with-values = { $text } [possible values: { $values }]

## All commands

error = error: { $why }
warning = warning: { $what }
secrets-kept = the environment keeps its secrets, where programs may read them: { $error }
written = Written: { $file }
pages-unwritable = the pages cannot be written: { $error }

## Wrong arguments

unknown-argument = unexpected argument '{ $argument }' found
unknown-command = unrecognized subcommand '{ $command }'
argument-missing = the following required arguments were not provided: { $arguments }
argument-conflict = the argument '{ $argument }' cannot be used with '{ $other }'
argument-twice = the argument '{ $argument }' cannot be used multiple times
value-missing = a value is required for '{ $argument }' but none was supplied
invalid-value = invalid value '{ $value }' for '{ $argument }' [possible values: { $known }]
refused-value = invalid value '{ $value }' for '{ $argument }': { $why }
similar = {"  "}tip: a similar argument exists: '{ $name }'
usage-of = Usage: { $usage }
see-help = For more information, try '--help'.
native-answer = native calls come beside the text, so there is no text to read; leave --protocol out to read a provider's calls written as JSON
answer-forms = the forms of an answer are xml and json

## run

kith-is-here = Kith is here: { $address }
kith-is-on-discord = Kith is on Discord as { $name }; invite it with { $invite }
waits-for-others = Another Kith runs this companion; this one takes over when it ends. Stop with Ctrl-C.
room-is-undivided = `store.partitions` is for Discord, and there is no token: give one, or leave `store.partitions` out
console-is-here = The console is here: { $address }
hidden-token = { $address } (the token is in { $file }, and not in this log)
daily-cap = Daily cap: { $tokens } tokens (budget.daily_tokens). Stop with Ctrl-C.
no-signals = the system lets nobody listen for Ctrl-C
daemon-died = the daemon died; see the log
page-not-on-loopback = the page does not open on { $address }: what it says is not encrypted, so it is for this machine only; write 127.0.0.1 in `{ $setting }`
page-port-in-use = the page cannot open on { $address }: the port is in use, perhaps by another kith; stop that one, or choose another port in `{ $setting }` (0 finds a free one)
page-unopenable = the page cannot open on { $address }: { $error }; choose another port in `{ $setting }`
page-token-unkept = the token of the page cannot be kept in { $folder }: { $error }; check `data_dir`
metrics-unopenable = metrics cannot be served on { $address }: { $error }; choose another port in `metrics.listen`

## Database and people

no-threads = the system gives no threads: { $error }; stop other programs
no-database = there is no database { $file }; check data_dir, or name the right --config
kith-is-running = { $holder } is running here and still has the person in mind; let them type `{ $command }` in Discord, or stop it and try again
unknown-guild = nothing is known of guild { $guild }; check the id, or leave --guild out
nobody-is-called = nobody is called { $name }; `kith people` lists everybody
several-are-called =
    several people are called { $name }; give an id:
    { $people }
message-count =
    { $count ->
        [one] { $count } message
       *[other] { $count } messages
    }
channel-count =
    { $count ->
        [one] { $count } channel
       *[other] { $count } channels
    }
person-count =
    { $count ->
        [one] { $count } person
       *[other] { $count } people
    }

## backup, restore, recover

database-holds = { $file }: { $summary }
database-summary = { $megabytes } MB with { $messages } in { $channels } by { $people }, and { $memories }
database-summary-of-days = { $megabytes } MB with { $messages } in { $channels } by { $people } from { $first } to { $last }, and { $memories }
memory-count =
    { $count ->
        [one] { $count } memory
       *[other] { $count } memories
    }
backup-keeps = It holds what people wrote until you delete it, also what they delete or have forgotten later
no-backup = there is no backup: { $why }
nothing-changed = nothing was changed: { $why }
stop-holder = the database { $file } is in use by { $holder }; stop it and try again
wishes-unknown = there was no database here, so nobody knows what was deleted, forgotten or wished since the backup: ask people to say it again
since-backup = since the backup: { $forgotten } forgotten, { $deleted } deleted, { $edited } edited; that holds in it, and so do wishes of people
partly-unreadable = of the database that was here not all could be read of: { $tables }. What was deleted, forgotten or wished since the backup may be back: ask people to say it again
wishes-lost =
    { $count ->
        [one] { $count } wish could not be carried over, for the backup is of another database: ask people to say it again
       *[other] { $count } wishes could not be carried over, for the backup is of another database: ask people to say it again
    }
former-database = the database that was here is { $file }. What is deleted from now on stays in that, and in the backup: delete it when all is well, within days
table-rows =
    { $count ->
        [one] { $table }: { $count } row
       *[other] { $table }: { $count } rows
    }
all-recovered = every table could be read to its end
partly-recovered = not all could be read of: { $tables }
preferences-lost = { $tables } say what people want to be forgotten or ignored: ask them to say it again
recovered = { $file } is new; the damaged one is { $kept }. What is deleted from now on stays in that: delete it soon

## migrate

name-a-database = name the database that is to be moved (--from), or where it is to go (--to); the other one is that of the settings
no-address = the address of the server is none: write postgres://HOST/DATABASE, with USER:PASSWORD@ before HOST
copying-table = copying { $table }
comparing-table = comparing { $table }
completing = making indexes
not-moved = the database was not moved, and { $from } is as it was: { $why }
moved = { $place } has all of it, counted and compared: { $messages } in { $channels } by { $people }, and { $memories } ({ $rows } rows in { $seconds } s)
moved-on = it went on where an earlier attempt was cut off
copied-again = copied twice, for they had changed since they were copied first: { $tables }
start-on-it = the settings name { $place } already: start Kith
name-server = now put the address of { $place } into the settings, as `url` under [store], or into a file that `url_file` there names. Then start Kith
name-folder = now take `url` and `url_file` out of [store] in the settings, and let data_dir be the folder of { $place }, which is to be called kith.db there. Then start Kith
keep-old-database = { $from } is as it was. Never run it beside the new one. What is deleted from now on stays in it: delete it when all is well, within days

## export, forget

gathering = gathering what is kept
erasing = erasing
nobody-to-ask = nobody can be asked here whether this is meant; add --yes if it is
confirm-erasure = Erase everything that is kept about { $person }? It cannot be undone. [y/N]
nothing-erased = Nothing was erased.
erased = { $person } is forgotten: { $messages } in { $channels } erased, { $turns } left with bare numbers.
turn-count =
    { $count ->
        [one] { $count } turn
       *[other] { $count } turns
    }

## usage

nothing-spent = Nothing was spent from { $first } to { $last } (UTC): 0 tokens in 0 calls.
no-database-yet = There is no database { $file } yet.
no-channel = no channel
usage-by-day = day
usage-by-model = model
usage-by-channel = channel
usage-by-function = function
usage-calls = calls
usage-prompt = prompt
usage-cached = cached
usage-answers = answers
usage-cost = cost
usage-all = all
month-at-this-pace = A month at this pace: about { $tokens } tokens.
month-with-cost = A month at this pace: about { $tokens } tokens, { $cost } in money.

## memory

nothing-remembered = Nothing is remembered that fits.
core-memory = core memory { $block } of { $scope }:
memory-score = score { $score }: { $words }
memory-superseded = superseded by { $id }
memory-in-place-of = in the place of { $entry }
memory-edit-length = write what is right in 1 to { $most } characters, in quotes
memory-changed = { $id } is changed; `kith memory undo { $new }` takes it back:
memory-forgotten = { $id } is forgotten, with all it took the place of.
memory-without-past = there is nothing that { $id } took the place of; `kith memory show { $id }` says what it is
memory-taken-back = { $id } is taken back; this holds again:
unknown-memory = there is no entry { $id }; `kith memory list` shows the numbers
memory-channel = channel { $id }
memory-said-by = (said by { $person })
memory-source = from { $id }  { $author }: { $text }
memory-source-gone = from { $id }, which is too old to be kept
memory-kind-name = name
memory-kind-about = about
memory-kind-relation = relation
memory-kind-manner = manner
memory-kind-promise = promise
memory-kind-episode = episode

## approvals

nothing-waits = Nothing waits for approval.
waiting-call = { $id }  #{ $channel }  { $call }  for { $people }
approved = { $id } approved: it is done now
denied = { $id } denied: nothing is done
token-unreadable = the token in { $folder } cannot be read: { $error }
no-room-opened = no room was opened with the data folder { $folder }: start kith, or name the right --config
room-refused = it was refused
no-room-answers = no room answers at { $address }: start kith, or name its address with --listen

## check

persona-fine = no problems in { $file }: this is { $name }, and it hears { $names }
settings-fine = no problems in { $file }: { $summary }
secrets-not-tried = nobody was asked whether keys and tokens are right: `kith check --online` asks
the-defaults = the defaults
problem-counts = { $errors }, { $warnings }
error-count =
    { $count ->
        [one] { $count } error
       *[other] { $count } errors
    }
warning-count =
    { $count ->
        [one] { $count } warning
       *[other] { $count } warnings
    }
summary-in-room = { $name } in the room at { $address }, thinking with { $model }, { $tokens } tokens a day at most
summary-on-discord = { $name } on Discord, thinking with { $model }, { $tokens } tokens a day at most
any-model = whatever model is found
no-model-to-ask = no model to ask: `model.provider` is "none"
model-answers = { $line }; answers "{ $text }", first token after { $first } s, all after { $total } s
with-note = { $text }; { $note }
discord-summary =
    { $shards ->
        [one] Discord: { $name } of the application { $application }, { $shards } shard, { $remaining } of { $total } session starts left; invite it with { $invite }
       *[other] Discord: { $name } of the application { $application }, { $shards } shards, { $remaining } of { $total } session starts left; invite it with { $invite }
    }
place-not-looked-at = `{ $path }` could not be looked at: { $why }
guild-invisible = `{ $path }` is no guild the bot can see
guild-cure = invite it there, or correct the number (right-click the server, Copy Server ID)
channel-invisible = `{ $path }` is no channel the bot can see
channel-cure = give it View Channel there, or correct the number (right-click the channel, Copy Channel ID)
log-channel-invisible = `{ $path }` is { $channel }, which is no channel the bot can see
log-channel-cure = give it View Channel, Send Messages and Embed Links there, or correct the id (right-click the channel, Copy Channel ID)
log-channel-elsewhere = `{ $path }` is { $channel }, which is a channel of another server
log-channel-elsewhere-cure = name one of this server: a server's log channel shows that server only
log-channel-without-text = `{ $path }` is { $channel }, in which no messages can be written
log-channel-text-cure = name a text channel
log-channel-lacks = `{ $path }` is { $channel }, where the bot lacks { $permissions }
log-channel-allow = allow it in the channel's settings (Edit Channel, Permissions, the bot's role)
view-channel = View Channel
send-messages = Send Messages
embed-links = Embed Links
both = { $first } and { $second }
fault-with-cure = { $message }; { $cure }
tool-not-called = the tool { $name } is not called here: it may do something, or needs parameters; try it with `kith tools call { $name }`
tool-complains = {"  "}{ $name } writes to standard error: { $line }
server-ready = the server { $name } is there and has { $count } tools
server-unavailable = the server { $name } is not there: { $why }
server-silent = the server { $name } has not answered within { $seconds } s
tool-answers = the tool { $name } answers: { $answer }
tool-failed = the tool { $name } failed: { $answer }

## tools

list-two = { $first }, { $second }
origin-kith = the tools that ship with kith
origin-server = the MCP server { $name }
tool-read-only = read only
tool-idempotent = idempotent
tool-to-be-found = has to be found
tool-built-in = built in
action-tool = tool
action-quiet = quiet action
action-visible = visible action
caused-by = caused by { $who }
anyone = anyone
roles = roles { $roles }
moderators = moderators
host = host
times-an-hour = { $most } times an hour
not-in-direct-messages = not in direct messages
with-approval = with approval
on = on
off = off
on-in-guild = on in guild { $id }
off-in-guild = off in guild { $id }
on-in-channel = on in channel { $id }
off-in-channel = off in channel { $id }
tool-line = { $name } { $about }; { $places }
tool-line-with-origin = { $name } { $about }; { $places } ({ $origin })
tool-origin = { $kind }, from { $origin }; { $places }
unknown-tool-like = there is no tool { $name }; did you mean { $nearest }?
unknown-tool = there is no tool { $name }; `kith tools list` names them
parameters-malformed = the parameters are no JSON object: { $error }; write them like '{"{\"a\": 1}"}'
standard-error = standard error: { $text }
published = published { $channel }: { $data }
details = details: { $details }
call-pending = nothing is done: in a chat a person would have to approve it
call-ends-turn = it ends the turn
