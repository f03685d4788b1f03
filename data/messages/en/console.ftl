### Every sentence of the console that the room's page does not say, too. As there, a text is filled in by the page.

console = Console
skip-navigation = Skip the navigation
to-room = Back to the room
view-overview = Channels
view-memory = Memory
view-turns = Turns
view-spend = Spending
view-faults = Errors
view-approvals = Approvals
view-personas = Personas
view-settings = Settings
nothing-here = There is nothing here.

# Channels.
server = Server
all-servers = All servers
the-room = The room
find-channel = Find a channel
order = Order
order-heard = last written in
order-spoke = last spoken in
order-name = name
channel = Channel
mode = Mode
all-modes = All modes
state-on = on
state-observe = reads along
state-off = off
state-gone = gone
willingness-now = Willingness now
score-of-bar = { $score }, threshold { $bar }
thinking-now = thinking now
heard-last = Last message
spoke-last = Last spoke
tokens-today = Tokens today
of-cap = { $used } of { $cap }
cost-today = Cost today
processes = Processes
runs-partitions = partition { $partitions }
waits-to-take-over = waits to take over
this-process = { $name } (this one)
no-channel-fits = No channel fits.
no-channel-of-its-own = in no channel
page-before = Page before
page-after = Next page
page-of = Page { $page } of { $pages }

# The memory.
memory-in = Memory in { $channel }
memory-everywhere = Memory of all channels
memory-choose-channel = Choose a channel: what stands in every prompt belongs to its server, or to it alone.
all-channels = All channels
person = Person
everybody = Everybody

# A channel's day.
day = Day
day-before = Day before
day-after = Next day
day-plot = The day
day-plot-of = The day of { $channel }: messages, willingness, threshold and turns; the table below tells the same by the hour
day-plot-note = Circles: how willing each message made it. Dashes: the threshold. Large circles: its turns; click one to open it. Grey: messages in a quarter of an hour.
quiet-day = Nothing was said on this day.
left-out-messages = The first { $count } messages of the day are left out.
axis-willingness = Willingness
axis-messages = Messages
threshold = Threshold
time = Time
by-hour = By the hour
hour = Hour
from-people = From people
its-own = Its own
unasked-turns = Spoke unasked
all-turns-here = All turns here
talk-rate = How often it speaks unasked
rate-share = Its lines, beside those of the others
rate-median = Lines of the median member, of all lines of people
rate-messages = Messages not addressed to it
rate-wanted = Wanted
rate-reached = Reached
rate-note = Wanted: the most that its talkativeness allows it unasked now, beside what the median member writes lately. What it answered to whoever called it is not counted. Going on in its own conversation is counted as reached, but is not bounded.
rate-asleep = The channel is not awake, so that what is wanted is not known.

# Turns.
turn = Turn
turn-number = Turn { $turn }
turn-before = The turn before
turns-in = Turns in { $channel }
turns-everywhere = Turns of all channels
no-turns-yet = There is no turn yet.
outcome = Outcome
began = Began
took = Took
rounds = Rounds
tokens-word = Tokens
cached = Cached
cost = Cost
unasked = unasked
waterfall = Where the time went
prompt-gone = The prompt is not kept any more: only those of the newest turns are.
whole-prompt = The whole prompt
diff-to-turn-before = Against the turn before
diff-to-round-before = Against the round before
diff-summary = { $against }: { $added } lines new, { $removed } gone
nothing-to-compare = No prompt before it is kept.
cached-part = { $share } from the provider's cache (shaded)
unchanged-lines = { $count } unchanged lines

# Spending.
last-days = { $count } days
span-of-time = Time
calls-word = Calls
prompt-tokens = Tokens in
answer-tokens = Tokens out
function = For
nothing-spent = Nothing was spent in this time.
spend-by-day = By day
spend-by-channel = By channel
spend-by-function = By what it was for
spend-by-model = By model
as-table = As a table
days-are-utc = Days begin at midnight UTC, as budgets do.

# Errors.
faulty-turns = Turns in which something failed
fault-log = Warnings and errors of the log since the start
when = When
how-bad = Kind
what-failed = What failed
what-happened = What happened
went-on = went on
log-error = error
log-warning = warning
no-faults = No turn on record had an error.
no-fault-log = The log has warned of nothing.

# Settings and approvals.
setting = Setting
value = Value
comes-from = From
settings-file = Written in { $file }. Secrets are not shown.
settings-warnings = Probably not meant
find-setting = Find a setting
with-defaults = Defaults, too
no-setting-fits = No setting fits. Where nothing was set, only defaults hold.
origin-default = default
origin-found = found at the start
nothing-pending = Nothing waits for approval.

# Personas.
no-personas = The settings name no persona file, so that the shipped one speaks. Copy one from persona/ and name it in kith.toml under `persona` to change it here.
persona-note = It is checked while you write, as by kith check. Saved, it speaks from the next turn on. Ctrl+S saves.
persona-fine = No problems: this is { $name }.
persona-saved = Saved to { $file }.
line-number = line { $line }
