### What the stand-in says where no model is configured. What can be said again comes in several ways, because a companion
### must not repeat itself. $name and $text are the author and the text of the line it answers, $time is what the tool told.

label = (stand-in){" "}
thinks-hello = demo: say what this is and what to do next
thinks-reply = demo: a reply to one line
thinks-react = demo: a reaction instead of words
thinks-about-itself = they want to know what I am: say it plainly
asks-tool = demo: ask a tool first, answer in the next round
saw-time = the tool has answered: pass it on
silence = demo: silence is a result too; it costs nothing and its reason is reported
said-already = demo: everything the script has for this was said a moment ago
not-asked = nobody spoke to me, and a demo has nothing to add
nobody = there is no line to answer
hello-first = { $name }, i read “{ $text }”, but i'm a demo and not a language model: click “Connect a model” on this page for real answers
hello-second = “{ $text }”, i see. this is still the demo: “Connect a model” takes an address and a key, and tests them
hello-third = noted, { $name }: “{ $text }”. nobody is thinking here, it's all scripted
what-it-is-first = hi { $name }. i'm a short demo, not a language model: use “Connect a model” on this page, start Ollama, or set OPENAI_API_KEY and KITH_MODEL
what-it-is-second = same answer as before, { $name }: a script, not a language model
what-it-is-third = nothing but a few canned lines, { $name }; not a language model at all
read-you-first = a reply to “{ $text }”. look on the right to see why i woke
read-you-second = { $name } wrote “{ $text }”; a real model would have something to say to that
read-you-third = that line, “{ $text }”, made me wake; the bars beside the chat show what counted
read-you-fourth = here an answer to “{ $text }” would stand, with a model behind it
time-is-first = the tool says: { $time }. for more than this demo, click “Connect a model” on this page
time-is-second = { $time }, says get_time; call and result are on the right
time-is-third = it told me { $time }, and this is the second round of the turn
time-failed-first = the get_time tool failed; its error is on the right
time-failed-second = no luck with get_time, the page shows why
