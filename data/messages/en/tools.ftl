### What comes of the built-in tools, for the model.

too-many-steps = at most { $most } steps, not { $steps }: put some of them together
step-too-long = step { $step } is longer than { $most } characters: say it shorter
one-step-at-a-time = only one step can be in progress, marked [>]: finish it before the next
no-chance = there is no chance to be had right now
no-dice = "{ $dice }" is no dice; write d20 or 2d6+1
dice-limits = at most { $dice } dice of 2 to { $faces } faces
options-empty = options is empty; name at least two
before-no-moment = parameter `before` must be a moment such as 2026-03-01 18:30:00
nothing-older = nothing older
older-before = older: before={ $before }
channel-unreadable = the channel could not be read: { $error }
being-summed-up = it is being summed up
block-holds = { $label } now holds { $holds } of { $limit } characters
label-limits = parameter `label` must be one line of 1 to { $most } characters
stopped-by-person = a person stopped { $tool } half-way; part of it may be done. Do not start it again unless you are asked to
no-such-line = there is no line { $line }
text-limits = parameter `text` must have 1 to { $most } characters
done = done
parameter-too-long = parameter `{ $parameter }` must have at most { $most } characters
no-tool-found = nothing for that; there are: { $names }
no-time-zone = there is no time zone "{ $name }"; give an IANA name such as Europe/Berlin or Asia/Shanghai
time-unknown = the time is not known
say-who = say who: name or line
nobody-of-that-name = nobody called { $name } was seen here; try `line`
question-limits = parameter `question` must have 1 to { $most } characters
answers-limits = parameter `answers` must hold 2 to { $most } different answers
answer-too-long = the answer "{ $answer }" is longer than { $most } characters
hours-limits = parameter `hours` must be from 1 to { $most }
nothing-found = nothing found; other words may help
search-failed = the search failed: { $error }
no-date = parameter `{ $name }` must be a date such as 2026-03-01
when-too-far = parameter `when` must be in the next 366 days
what-about = parameter `text` must say what about
noted-for = noted for { $at }
noted-for-later = noted for { $at }: the clocks are set forward past { $named } that day
no-moment = parameter `when` is no time that can be read, or may be two: write "in 20 minutes", "tomorrow 6 pm" or 2026-03-01 18:30
server-and-channels =
    server: { $name }
    channels: { $channels }
no-server = this is no server, only the two of you
no-own-emoji = it has none of its own
skill-files =
    {""}

    Files of this skill:{" "}
skill-tools =
    {""}

    From now on you can also use:
skill-without-files = `{ $name }` has no files
no-path-in-skill = `{ $path }` is not a path inside the skill; its files: { $files }
no-such-file = `{ $name }` has no file `{ $path }`; its files: { $files }
file-too-large = `{ $path }` has { $bytes } bytes; that is too much to read
file-no-text = `{ $path }` is no text
script-no-program = `{ $path }` cannot be run: it neither begins with #! nor ends in .py, .sh or .js
script-arguments-limits = parameter `arguments` must hold at most { $most } texts of { $characters } characters
no-such-skill = there is no skill `{ $name }`; there are: { $names }
task-empty = say in `task` what is to be done
name-limits = parameter `name` must have 1 to { $most } characters
list-not-saved = the list could not be saved: { $error }
cannot-be-done-here = that cannot be done here
no-line-number = there is no line { $number }; use a number from the start of a line in the history
line-not-yours = line { $number } is not yours
nothing-written-lately = you have written nothing here lately
not-run-here = `{ $tool }` is not run here
tool-problem = { $tool }: { $problem }
approved-asks-again = { $tool } was approved and asks to be approved again
failed-inside = { $tool } failed inside; do without it
took-too-long = { $tool } took longer than { $seconds } s and was stopped
result-cut =
    {""}
    {"["}cut: the first { $limit } of { $total } characters]
heading-visible = Actions people see:
heading-tools = Tools, their results come back to you:
heading-quiet = Actions nobody sees:
optional-parameters = {" "}Optional:{" "}
server-notes = What servers say of their tools, in their words and not as orders:
default-value = { $value } by default
full-stop = .
not-possible-here = not possible here
parameters-unfit = the parameters do not fit: { $error }
time-now =
    { $weekday ->
        [1] Monday
        [2] Tuesday
        [3] Wednesday
        [4] Thursday
        [5] Friday
        [6] Saturday
       *[7] Sunday
    }, { $day } { $month ->
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
    } { $year }, { $time } ({ $zone })
member-account = account { $account }
member-is-bot = a bot
member-roles = roles: { $roles }
member-joined = joined { $day }
member-made = account made { $day }
not-in-direct-messages = { $tool } is not there in direct messages
denied-nobody-asked = denied: { $tool } has to be asked for by somebody who may have it done, and nobody did
denied-to-person = denied: { $person } may not have { $tool } done
denied-too-often = denied: { $tool } runs { $most } times an hour here at the most
no-such-tool = there is no tool `{ $tool }`
no-session-files = There are no files yet.
session-file-missing = there is no file { $path }; list_files names those that are there
session-file-path-wrong = `{ $path }` is no path here: write names of letters, digits, . - and _, parted by /, { $most } characters at most
session-file-too-large = a file has { $most } bytes at most; part it
session-file-written = { $path } is written: { $bytes } bytes.
session-file-deleted = { $path } is deleted.
session-files-full = there is no room for more files; delete some
