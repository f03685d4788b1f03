### The entries of log channels and of `why`.

direct-message = a direct message
not-answered = Not answered in { $place }
session-opened = Session { $id } opened in { $place }
session-profile = Profile
session-begins-with = Begins with
picture-is-sticker = A picture of { $place } is a sticker now
picture-no-sticker = A picture of { $place } is no sticker any more
slow-call = { $tool } still runs after { $seconds } s in { $place }
budget-open = The budget is open again: I answer as usual.
budget-nearly-spent = Most of today's budget is spent: until midnight UTC only those who speak to me are answered.
budget-spent-today = Today's budget is spent: nobody is answered until midnight UTC.
tokens-of-cap = { $spent } of { $cap } tokens
willingness = Willingness
thoughts = Thoughts
calls = Calls
tokens = Tokens
cost = Cost
time = Time
notes = Notes
spoke = Spoke in { $place }
silent = Chose silence in { $place }
failed = Failed in { $place }
woken = Woken { $by }.
woken-by-several = Woken { $by }; answers all { $calls } calls at once.
budget-spent = The budget is spent.
model-failed = The model call failed.
nothing-came = Nothing came of it.
more-calls = and { $more } more
unknown-tool = (unknown)
call-denied = {" "}(denied)
waited = waited
first-token = first token
answered = answered
delivered = delivered
open-message = open the message
more-fields = { $count } more
why-button = Why?
prompt-and-answer-button = Prompt and answer
pause-button = Pause 30 min
stop-button = Stop it
take-back-button = Take it back
entries-left-out = { $entries } older entries were left out: more came than can be shown.
turn-and-rounds =
    { $rounds ->
        [one] turn { $turn } · { $rounds } round
       *[other] turn { $turn } · { $rounds } rounds
    }
tokens-used = { $about }{ $prompt } in, { $cached } of them cached · { $out } out
note-count =
    { $count ->
        [one] { $count } note
       *[other] { $count } notes
    }
repair-count =
    { $count ->
        [one] { $count } repair
       *[other] { $count } repairs
    }
