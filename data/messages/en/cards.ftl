### What `kith persona import` says of a character card or a lorebook, and the few words it writes into a persona.

# What is wrong with a file.
card-too-large = the file has more than { $limit } MiB; take the pictures and sounds out of it
card-json-too-large = what is packed in the file has more than { $limit } MiB; no card is that large
no-card-file = this is neither a character card nor a lorebook: a card is a PNG picture, a CHARX archive or JSON, a lorebook is JSON
no-card-in-picture = there is no character card in this picture; pictures lose it when a site shrinks or converts them, so get the original file
no-card-in-archive = there is no card.json in this archive
broken-card-picture = the picture is damaged: a part of it claims to be longer than the file, or cannot be unpacked
broken-card-archive = the archive is damaged or larger than any card
strange-card-archive = the archive is encrypted or packed in an unusual way; save the card anew with the program it comes from
broken-card-json = the card is damaged, or nested deeper than any card: { $error }
broken-card-base64 = the card in the picture is damaged: it is no base64
no-card-name = the card has no name
too-many-lore-entries = there are { $found } entries of lore, and { $most } is the most; split the book

# What is written into a persona.
other-person = the other person
bare-identity = You are { $name }.
more-background = more about { $name }
imported-from = Imported from a character card{ $version } by `kith persona import`. Change what you like.
imported-creator = Made by { $creator }.
imported-notes = What its maker says of it:
imported-lore = Lore, imported by `kith persona import`. An entry comes into the prompt when one of its keys is written in the chat.

# What could not be kept.
note-name-shortened = The name was shortened to 32 characters.
note-macros = Placeholders are never filled in, so these were taken out: { $macros }.
note-text-long = The description has { $characters } characters, more than stands in every prompt. The rest of it stands as an entry of lore that is always considered; shorten it.
note-text-cut = A text was cut after { $characters } characters.
note-examples = { $count ->
    [one] One example line was left out: it was not the character's own, or longer than a chat message.
   *[other] { $count } example lines were left out: they were not the character's own, or longer than a chat message.
}
note-greetings = The greetings are not said: Kith never opens a scene. Short spoken lines of them stand among the examples.
note-scenario = The scenario stands at the end of `background`.
note-instructions = Instructions to the model (`{ $field }`) were left out: how Kith works stands in its own prompts.
note-creator-notes = The maker's notes stand in the file as a comment, for you alone.
note-tags = Tags were left out: they sort cards and are nothing it likes to talk about.
note-depth-prompt = The character's note that other programs put into the middle of the chat became an entry of lore that is always there.
note-scripts = Scripts of the card (`{ $field }`) were left out: nothing of a card is ever run.
note-extensions = Settings of other programs were left out: { $names }.
note-linked-world = The card belongs with the lorebook "{ $name }", which is a file of its own: import it with --into.
note-assets = { $count ->
    [one] One further picture or sound was left out.
   *[other] { $count } further pictures and sounds were left out.
}
note-picture = The picture was left out: it is not a PNG, JPEG or GIF below 8 MiB and 8192 pixels a side, or stands on another server.
note-lore-positions = Where in the prompt an entry stands was left out: all lore stands in one place.
note-lore-timing = { $count ->
    [one] One entry stays, rests or waits for some messages in other programs; here only its keys count.
   *[other] { $count } entries stay, rest or wait for some messages in other programs; here only their keys count.
}
note-lore-groups = { $count ->
    [one] One entry belongs to a group of which one is chosen in other programs; here each comes in by itself.
   *[other] { $count } entries belong to groups of which one is chosen in other programs; here each comes in by itself.
}
note-lore-filters = { $count ->
    [one] One entry was for certain characters only; here it is for whoever has the file.
   *[other] { $count } entries were for certain characters only; here they are for whoever has the file.
}
note-lore-decorators = Lines of orders in entries were left out: { $names }.
note-lore-keys = These keys cannot be searched for: { $keys }.
note-lore-without-keys = { $count ->
    [one] One entry has no key that can be searched for and is switched off (`enabled = false`).
   *[other] { $count } entries have no key that can be searched for and are switched off (`enabled = false`).
}
note-lore-empty = { $count ->
    [one] One entry without a text was left out.
   *[other] { $count } entries without a text were left out.
}
note-lore-budget = The book's own budget was left out: `context.lore_tokens` in kith.toml counts for all lore.

# What the command says.
card-written = Written: { $file }
card-file-exists = { $file } is there already; move it away, or name another folder with --out
card-world-needs-persona = this is a lorebook: say with --into which persona file it belongs to
card-into-is-for-worlds = this is a character card, not a lorebook: leave --into out
card-not-kept = What could not be kept as it is:
card-hears = It hears { $names }; add in `aliases` what else it is called.
card-use-it = Try it: kith --persona { $file }
