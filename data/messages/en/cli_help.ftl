### What `kith --help` says. A command's text has the command's words as its key, an argument's the command and the
### argument; what stands under `any` holds for every command that has the argument.

kith = Kith is a companion for group chats: it reads along, decides when a good friend would speak, and then says something in character. Most of the time it is silent, and silence costs nothing.
kith-more = Without a command it runs: on Discord where it has a token, else in a chat room on this machine, whose address it prints.
kith-examples =
    Examples:
      kith                                      open the room, with an Ollama on this machine if there is one
      OPENAI_API_KEY=sk-… KITH_MODEL=gpt-4.1-mini kith
                                                the same with a model of OpenAI
      kith setup                                step by step: a model, a persona, a Discord bot
      kith --persona persona/ayou.toml          be somebody else
      kith check                                what is wrong with my settings?
      kith replay friends.jsonl --as 42         would it have spoken where person 42 did?
      kith tools call get_time '{"{}"}'             what does a tool answer?

    Settings are read from kith.toml; SETTINGS.md explains every one of them.
    Exit codes: 0 well, 1 a problem was found or it failed, 2 the arguments are wrong.

## Arguments of several commands

any--config = The settings file [default: kith.toml, if it exists]
any--listen = Where the room is served: a port, or an address of this machine alone; port 0 takes any free one
any--persona = The persona file
any--data-dir = The folder of the database
any--model = The model's name, as its server spells it
any--person = The person's id or name; `kith people` lists both
any--guild = Only in this guild [default: everywhere]
any--id = Its number

## The companion and its settings

run = Run the companion (also without any command)

setup = Set it up for the first time: asks, tries the model and the Discord token, and writes kith.toml
setup--config = The settings file to write
setup--language = Language of the questions, of messages and of the shipped persona
setup--model-url = Address of an OpenAI-compatible server or an Ollama
setup--model-key-file = A file that holds the model's key and nothing else
setup--no-model = No model for now
setup--discord-token-file = A file that holds the Discord bot's token and nothing else
setup--no-discord = No Discord, only the room on this machine
setup--log-channel = Id of the Discord channel in which you watch every turn
setup--yes = Ask nothing: what no flag answers is as proposed
setup-examples =
    Examples:
      kith setup                            asks, step by step; Enter takes what is proposed
      kith setup --model-url http://127.0.0.1:8080/v1 --model qwen3 --no-discord --yes
                                            asks nothing: a model of your own, and the room
      kith setup --discord-token-file discord.token --yes
                                            asks nothing: Discord, and the Ollama on this machine

    Keys and tokens are never arguments, which everybody on a machine can see: they are typed unseen,
    or stand in a file, or in OPENAI_API_KEY and DISCORD_TOKEN.
    Exit codes: 0 it can start, 1 something stands in the way, 2 the arguments are wrong.

check = Check settings, personas and prompts: every problem on its own line, with file, line and cure
check--online = Also ask the model for one word, and Discord about the token, the intents and the channels named; start servers of tools, and call tools that only read and need no parameter
check--personas = Persona files to check besides those the settings name
check-examples =
    Examples:
      kith check                      kith.toml and all it names
      kith check bo.toml              and a persona file that is not in use yet
      kith check --config other.toml  another settings file
      kith check --online             and do model and Discord answer? (costs some tokens)

    Problems go to standard output as FILE:LINE: error: what is wrong; how to mend it.
    Exit codes: 0 no errors (there may be warnings), 1 at least one error.

persona = Make a persona of a character card, or add a lorebook to one
persona-import = Make a persona of a character card, or add a lorebook to one
persona-import--card = The card or lorebook
persona-import--out = The folder the files go to [default: the working directory]
persona-import--into = The persona file that a lorebook belongs to; it stands beside it
persona-import-examples =
    Examples:
      kith persona import robin.png                        robin.toml, robin.lore.toml and robin.avatar.png
      kith persona import robin.charx --out persona        the same in the folder persona
      kith persona import island.json --into robin.toml    a lorebook or world info, for a persona that is there

    Character cards V1, V2 and V3 are read as JSON, PNG or CHARX, lorebooks as JSON (V3, SillyTavern). What cannot be kept is
    listed. Nothing of a card is run, fetched or filled in, and no file is overwritten.
    Exit codes: 0 imported, 1 it failed.

tools = List the tools, show one as the model sees it, or call one by hand
tools-list = List all tools: what they are, where they come from, who may cause them, where they are on
tools-show = Print what the model is told of a tool, in every protocol and language
tools-show--name = The tool's name
tools-call = Run a tool once by hand
tools-call--name = The tool's name
tools-call--parameters = Its parameters, a JSON object
tools-call--channel = The id of the channel it is called in
tools-call-examples =
    Example:
      kith tools call get_weather '{"{"}"place": "Oslo"{"}"}'

    The result goes to standard output, everything else to standard error. The tool runs for real: with its secrets and in
    its own folder below data_dir. What is missing: nothing is remembered, nobody has spoken, no platform is there, and
    nobody's permission is asked.
    Exit codes: 0 well; 1 the tool failed, or there is none of this name.

## While it runs

approvals = List what waits for approval in a running room, approve it or deny it
approvals--room-address = Where the room is served [default: as the settings say]
approvals-approve = Have it done
approvals-deny = Drop it
approvals-examples =
    Examples:
      kith approvals                  what waits, each with its number
      kith approvals approve 7        it is done now, exactly as it is shown
      kith approvals deny 7           it is dropped for good

    Works beside a running kith that opened a room. On Discord the cards in the log channel do the same.
    Exit codes: 0 well, 1 it failed, 2 the arguments are wrong.

usage = Print what the models took, and what the month will come to
usage--days = So many days, today included [default: this month]
usage-examples =
    Examples:
      kith usage                      this month so far, and what it will come to
      kith usage --days 7             the last seven days

    Days are days of UTC, as providers bill them. Money is counted where [model] has a price, at the price of that time.
    Works beside a running kith.
    Exit codes: 0 printed, also where nothing was spent; 1 it failed.

## What is kept of people

export = Print everything that is kept about a person, as JSON
export-examples =
    Examples:
      kith export --person Anna > anna.json
      kith export --person 80351110224678912 --guild 197038439483310086

    For the host, while kith is not running. Members ask for their own with `/kith export me`.
    Exit codes: 0 written, also where nothing is kept; 1 it failed.

people = List everybody of whom something is kept, with their ids
people-examples =
    Examples:
      kith people                     each with the id on a line

    For the host, while kith is not running.
    Exit codes: 0 listed, 1 it failed.

forget = Erase a person: what they wrote, and every trace of them
forget--yes = Do not ask
forget-examples =
    Examples:
      kith forget --person 80351110224678912                              asks, then erases
      kith forget --person 80351110224678912 --guild 197038439483310086 --yes

    What they wrote, their reactions and direct messages, their name and id, what is remembered of
    them, and every word of the turns they may have been part of. It does not come back by itself:
    the ids of their messages are kept to know them by. Messages on Discord stay where they are.
    For the host, while kith is not running. Members do it themselves with `/kith forget me`.
    Exit codes: 0 erased, 1 it failed or was not wanted after all, 2 the arguments are wrong.

memory = What is remembered of people and of what happened: list, search, show, edit, forget, undo
memory--json = Print JSON, one object
memory-list = List what is remembered, newest first
memory-list--person = Only what is about this person, or has them in it
memory-list--limit = At most so many entries
memory-show = Show one entry, with its sources and what it took the place of
memory-search = Search for words
memory-search--words = Any of which will do
memory-search--person = Only what is about this person, or has them in it
memory-search--limit = At most so many entries
memory-edit = Say an entry in other words
memory-edit--text = What it says from now on
memory-forget = Erase an entry for good
memory-undo = Take an edit back: what the entry took the place of holds again
memory-undo--id = The number the edit gave it
memory-examples =
    Examples:
      kith memory list                                  people and what is known of them, episodes, core memory
      kith memory list --person 80351110224678912 --json
      kith memory search 'cello concert'
      kith memory show 12                               one entry with the messages it was taken from
      kith memory edit 12 'plays the viola'             what it said before is kept, for undo
      kith memory undo 13                               the entry that 13 took the place of holds again
      kith memory forget 12                             erased for good, with what it took the place of

    For the host, while kith is not running. Members use `/kith memory me` for what is about them.
    To erase a whole person there is `kith forget`.
    Exit codes: 0 well, 1 it failed or there is no such entry, 2 the arguments are wrong.

## The database

backup = Copy the database into a file, also while kith is running
backup--file = The file to write
backup-examples =
    Examples:
      kith backup kith-monday.db                     a copy of the database, as it is at this moment
      kith backup /mnt/disk/kith.db --config other.toml

    Also while kith is running, which goes on meanwhile. Only you can open the file, and a file that is there is never
    overwritten. It holds what people wrote: what is deleted or forgotten later stays in it until you delete it.
    `kith restore FILE` puts it back.
    Exit codes: 0 there is a backup, 1 there is none.

restore = Put a backup in the place of the database; what was forgotten since stays forgotten
restore--file = A file that `kith backup` wrote
restore-examples =
    Examples:
      kith restore kith-monday.db                      into the data_dir of kith.toml
      kith restore kith-monday.db --config other.toml

    While no kith is running. The file is looked through before anything is changed, and stays as it is. What was deleted,
    edited, forgotten or wished since the backup, by what the present database says, is done again to what is put back; the
    present database is kept beside it.
    Exit codes: 0 the backup is in place, 1 nothing was changed.

recover = Copy what can be read of a damaged database into a new one, and keep the damaged one
recover-examples =
    Examples:
      kith recover                      the database of kith.toml
      kith recover --config other.toml

    For a database that kith says is damaged, where there is no backup; while no kith is running. The damaged one is kept
    beside the new one. Delete it when you do not need it any more: what people delete later stays in it.
    Exit codes: 0 there is a new database, 1 nothing was changed.

migrate = Move the database from a file to a PostgreSQL server, or back
migrate--from = The database that is moved: a file, or postgres://… [default: that of the settings]
migrate--to = Where it goes, a new database: a file, or postgres://… [default: that of the settings]
migrate-examples =
    Examples:
      kith migrate --from data/kith.db        to the server that kith.toml names (`store.url` or `store.url_file`)
      kith migrate --to data/kith.db          from the server that kith.toml names
      kith migrate --from data/kith.db --to postgres://kith@db.example/kith

    While no kith is running on either. What is moved is only read. All rows are copied, then read anew on both sides and
    compared; until that is done nobody can start on the new database. Cut off at any moment, the same command goes on where
    it was. Let the settings name the server: what is typed here, a password too, others of this machine can see.
    Exit codes: 0 the new database has everything, 1 it was not moved.

## Recorded chats

parse = Read a model's raw answer from standard input and print the calls in it as JSON
parse--protocol = The protocol the answer was asked for in, xml or json [default: whichever is found]
parse--member = How somebody in the chat is called, whose words are not the companion's; for several, give it several times
parse-examples =
    Example:
      echo '<turn><send_message>hi</send_message></turn>' | kith parse
      {"{"}"thoughts":"","calls":[{"{"}"name":"send_message","params":{"{"}"text":"hi"{"}}"}],"repairs":[]{"}"}

    Exit codes: 0 something was read, 1 nothing could be read.

replay = Replay recorded chats: when would it have spoken, and why?
replay--logs = Recorded chats: JSON Lines, or a JSON export of DiscordChatExporter
replay--me = Who in the chat is the companion, by id or name
replay--live-in = Nobody in the chat is the companion: somebody new is there, and what it would say stays in the chat. Print who writes how much
replay--points = Replay every person and decide every message that this file of points names
replay--root = The folder the points' logs are in, with eval/personas.json
replay--out = Where the decisions go
replay--prompts = Where the prompts go that would have been sent, one file each
replay--reply-links = Take `reply_to` in JSON Lines as typed by its author; in Discord exports it always is
replay--turns = Run the turns against the configured model and print what it would have said
replay--lint = With --turns: also print how the companion sounds
replay--sweep = Replay at several levels and print a table: talkativeness=0.1..0.9 in steps of 0.1, or talkativeness=0.2,0.5,0.8
replay--plot = With --sweep: draw an SVG of how often it would speak at each level
replay--compare = Replay under other settings as well and print the decisions that differ. The file is a persona, which takes the place of the persona, or a kith.toml, which takes the place of settings and persona
replay-examples =
    Examples:
      kith replay friends.jsonl --as 42                   would it have spoken where person 42 did?
      kith replay export.json --as 42 --out decisions.jsonl --prompts prompts-sent/
      kith replay friends.jsonl --as 42 --turns --lint    what would it have said, and how does it sound?
      kith replay --points eval/dev.points.jsonl --root groupchat/ --out decisions.jsonl
      kith replay friends.jsonl --live-in                  how much would it write among them?
      kith replay friends.jsonl --as Anna --sweep talkativeness=0.1..0.9 --plot levels.svg
                                                          how often would it have spoken at each level?
      kith replay friends.jsonl --as 42 --compare quiet.toml
                                                          where would these settings, or this persona, differ?

    The person named by --as is taken as the companion: what that person wrote is its own past.
    --out gets one decision a line for each message of another person, the score being the
    willingness as a probability: {"{"}"f","p","id","score","speak","why":{"{…}}"}.
    A summary follows on standard output.

    --turns asks the model of the settings. What that costs is no part of `kith usage`: it is held to the
    daily budget of the settings, each run from the start.

recall = What would it remember of recorded chats? Answers questions with the lines that recall finds
recall--logs = Recorded chats: JSON Lines, or a JSON export of DiscordChatExporter
recall--questions = The questions, one a line
recall--out = Where the answers go
recall--data = Keep the store that the chats are read into in this folder
recall-examples =
    Examples:
      kith recall chat.jsonl --questions questions.jsonl --out hits.jsonl
      kith recall chats/*.jsonl --questions questions.jsonl --out hits.jsonl --data kept/

    A question is a line {"{"}"id": "q1", "text": "when is Anna's exam?", "f": "chat.jsonl"{"}"}; it is asked of the log of that
    file name. With "at" (a time) only what was said before counts, with "asker" (the log's id of a person) it is
    known who asks. An answer is a line {"{"}"id": "q1", "hits": [ids of lines, best first, 20 at most]{"}"}.

## The shell

completions = Print what a shell needs to complete commands and flags
completions--shell = The shell
completions-examples =
    Examples:
      kith completions bash > ~/.local/share/bash-completion/completions/kith
      kith completions zsh  > ~/.zfunc/_kith
      kith completions fish > ~/.config/fish/completions/kith.fish

man = Print the manual page, or write one for each command
man--out = The folder the pages go to; without it the page of kith goes to standard output
man-examples =
    Examples:
      kith man | man -l -                       read the page of kith
      kith man --out ~/.local/share/man/man1    write it and one for each command
