### The permissions the companion asks for, as Discord names them, and what for.

permission-view-channel = View Channels
reason-view-channel = to read along
permission-send-messages = Send Messages
reason-send-messages = to speak, and to show that it types
permission-send-messages-in-threads = Send Messages in Threads
reason-send-messages-in-threads = to speak in threads and forum posts
permission-read-message-history = Read Message History
reason-read-message-history = to reply and react, and to read what was said while it was away
permission-add-reactions = Add Reactions
reason-add-reactions = to react, and for the small 💤 where it cannot answer
permission-embed-links = Embed Links
reason-embed-links = for the log channel's entries
permission-attach-files = Attach Files
reason-attach-files = for the files that /kith export me and Prompt and answer are handed over in
permission-change-nickname = Change Nickname
reason-change-nickname = because discord.nick_follows_persona is on
permission-create-public-threads = Create Public Threads
reason-create-public-threads = because the tool create_thread is switched on
permission-send-polls = Create Polls
reason-send-polls = because the tool create_poll is switched on
reason-tool-on = because { $tool } is switched on
