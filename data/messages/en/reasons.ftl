### Why it would speak or keep silent, as one sentence; $adds is a number such as +0.3.

asked-it = { $author } asked it
wrote-to-it-alone = { $author } wrote to it alone
mentioned-it = { $author } mentioned it
replied-to-it = { $author } replied to it
called-it = { $author } called it by name
alone-with-it = nobody but { $author } is here
may-write-on = { $author } may write on
between = between { $author } and { $other }
spoke-before = it spoke { $time } ago
people-like-it = people like it here
people-want-quiet = people would rather it kept quiet
nothing-unasked = nothing unasked is wanted here
taken-back = ; { $taken_back } taken back
asked-for-quiet = ; asked for quiet { $hushed }×
too-early = too early to tell
like-anybody = received like anybody
meant-to-answer = it meant to answer this
said-enough = it has said enough for now
said-little = it has said little lately
not-taken-up = { $count ->
    [one] nobody took up its last remark
   *[other] nobody took up its last { $count } remarks
}
join-movers = {" "}and{" "}
silent-off = kept silent, the channel is off
silent-observe = kept silent, it only observes here
silent-asleep = kept silent, it is asleep
silent-budget = kept silent, the budget is spent
silent-stale = kept silent, the message is too old to answer
silent-not-a-person = kept silent, a bot wrote this
silent-paused = kept silent, it is paused here
silent-quiet = kept silent, it is to be quiet now
silent-no-permission = kept silent, it may not write here
not-weighed = not weighed: they wrote on, so their next line was
silent-seen-in-turn = kept silent, it looked at this while it answered something else
silent-bot-limit = kept silent, enough talk with bots
silent-quota = kept silent, it woke often enough today
silent-unanswered = kept silent, nobody answered it before
answers-direct = answers a direct message
answers-mention = answers a mention
answers-reply = answers a reply to it
answers-name = answers to its name
answers-alone = answers the only one here
waits-whether-they-write-on = waits whether they write on
speaks = would speak
silent = kept silent
term = { $reason } ({ $adds })
sentence-without-reasons = { $opening }: { $threshold }
sentence = { $opening }: { $reasons }: { $threshold }
against-threshold = { $score } against a threshold of { $threshold }
against-moved-threshold = { $score } against a threshold of { $threshold } ({ $why })
threshold-higher = usually { $usual }; higher because { $movers }
threshold-lower = usually { $usual }; lower because { $movers }
reception = { $verdict }: of its last { $messages } messages { $replied } got a reply, { $reacted } a reaction, { $silence } neither
