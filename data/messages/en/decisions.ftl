### What woke the companion and what kept it from speaking, to go on with: Woken by a mention.

woken-by-wait = by what it waited for
woken-by-lull = by a long lull
woken-by-day = by its own day
woken-by-direct-message = by a direct message
woken-by-mention = by a mention
woken-by-reply = by a reply to it
woken-by-name = by its name
woken-by-only-one = by the only one here
woken-by-itself = because it wanted to speak
refused-off = the channel is off
refused-observing = it only observes here
refused-asleep = it is asleep
refused-budget = the budget is spent
refused-stale = the message is too old to answer
refused-bot = a bot wrote this
refused-paused = it is paused here
refused-quiet = it is to be quiet now
refused-no-permission = it may not write here
refused-writing-on = they wrote on
refused-looked-already = it looked at this while it answered something else
refused-bot-talk = it has talked with bots enough
refused-own-limit = it woke by itself often enough today
refused-unanswered = nobody answered when it spoke first
mode-off = off
mode-observe = observe
mode-on = on
