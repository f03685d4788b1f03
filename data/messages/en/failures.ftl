### Why something was not delivered or given up, for people and for the model.

late-delivery-failure = a message you wrote a while ago could not be delivered: { $why }
message-undelivered = "{ $said }" could not be delivered: { $why }
actions-failed-before = before you were last restarted this failed and was not done: { $what }
# $what: the call, $why: its error.
action-failed = what you did last, { $what }, failed: { $why }
reminder-given-up = twice the program ended while you were reminding { $name }; the reminder was given up
reminder-for-all-given-up = twice the program ended while you were giving a reminder; it was given up
wait-given-up = twice the program ended while you were coming back to what you waited for; it was given up
answer-given-up = twice the program ended while you were answering { $line }; it was given up
auto-mod = the server's AutoMod did not let it pass
no-permission = it lacks the permission, or is timed out
target-gone = what it was about is gone
rate-limited = slow mode or a limit: the wait was too long
no-answer = Discord did not answer
hook-refused = a hook of the host did not let it pass
refused = it was refused; the log says why
# Leaves out: $kind
in-own-words = { $why }
