### What `kith setup` asks and says.

language-prompt = Language
welcome = Each answer is tried at once; Enter takes what stands in [ ]. Nothing is written before the end.
overwrite = { $file } is there already. Write a new one, and keep the old one as { $backup }?
kept = { $file } is there already and stays as it is: move it away, or name another file with --config.
written = Written: { $file }
start-it = Start it: kith run{ $config_flag }
before-start = Before you start it with `kith run{ $config_flag }`:
without-discord = No Discord: kith opens a room on this machine.
keep-token = Keep this token all the same?
correct-token = correct or unset DISCORD_TOKEN, and start again.
token-from-environment = The token is taken from DISCORD_TOKEN.
token-prompt = Discord bot token (it is not shown; Enter for no Discord, just the room)
token-from-file = Use the token in { $file }?
asking-discord = asking Discord …
look-again = Look again?
invite = Invite it with this link, as somebody with Manage Server:
permissions-asked = It asks for these permissions and no others:
off-until-switched-on = There it is off until a moderator writes /kith on in a channel.
log-channel-prompt = Id of a channel in which you watch every turn (right-click, Copy Channel ID; Enter for none)
no-channel-id = That is no id: it is a number of 17 to 19 digits.
without-model = No model for now: in the room a stand-in answers, on Discord it reads along and does not speak.
where-is-model = Where is the model? Address of an OpenAI-compatible server or an Ollama, { $no_model } for none [{ $proposed }]
model-named = { $name } is the name of a model: taken at { $address }.
model-needs-address = { $name } is the name of a model. Which server has it?
key-or-variable = Its key (it is not shown; Enter for the one in { $variable })
key-prompt = Its key (it is not shown; Enter for none)
looking-for-ollama = looking for an Ollama …
asking-for-models = asking for its models …
model-name-prompt = The model's name, or Enter for another server
asking-model = asking the model for one word …
try-another = Try another one?
more-models = {"      "}and { $more } more
which-model = Which one? Number or name
who-is-it = Who is it? A persona file, or Enter for { $shipped }, who is shipped
no-model-there = There is no model: load one there, or get one with `ollama pull qwen3:8b`.
this-is-bot = This is { $bot } of the application { $application }.
settings-unreadable = { $file } cannot be changed: { $why }
settings-unwritable = { $file } cannot be written: { $why }
unknown-language = write one of { $codes }
persona-unusable = the persona cannot be used: mend what is told above, or leave --persona out.
name-a-model = { $count } models are offered: name one with --model.
input-unreadable = standard input cannot be read
terminal-unreadable = the terminal cannot be read
nobody-answers = kith setup asks questions, and nobody answers here: start it on a terminal, or answer with flags and --yes (see kith setup --help).
output-redirected = what is typed here must not be seen, and that needs a terminal: do not redirect the output, or name a file with --discord-token-file or --model-key-file.
folder-unmakeable = the folder { $folder } cannot be made
unwritable = { $file } cannot be written
not-put-aside = { $file } cannot be put aside

# What stands in the settings file.
comment-head =
    Written by `kith setup`. SETTINGS.md holds every other setting with its default and the reason for it;
    `kith check` explains mistakes; a running kith picks changes up.
comment-language = The language of messages and of the shipped persona.
comment-persona = Who the companion is.
comment-token = The bot's token stands in a file of its own, so that this one can be shown.
comment-log-channel = The channel in which the host watches every turn.
comment-model = As the server spells it.
comment-key = The key stands in a file of its own, so that this one can be shown.
