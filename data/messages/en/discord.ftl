### What the host reads about the connection to Discord.

commands-not-registered = The slash commands could not be registered: { $why }
commands-tried-again = The slash commands could not be registered; it is tried again. { $why }
trying-again = Trying again in { $seconds } s.
messages-without-text = Messages come without their text: switch on "Message Content Intent" for the application at https://discord.com/developers/applications (Bot, Privileged Gateway Intents), then start Kith again.
unreadable-event = Discord told something that I cannot read ({ $what }), so it is left out; everything else goes on. Update Kith, or report it with this line. The log counts how often.
token-refused = Discord refused the token: copy it again from the developer portal (your application, Bot, Reset Token) into DISCORD_TOKEN or discord.token_file, and start again.
shard-refused = Discord refused the shard number (4010), which is an error of Kith: start it again, and report it if that does not help.
too-few-shards = The bot is in more guilds than one link may serve (4011): start Kith again, it asks Discord for the number of shards at each start.
gateway-version-unknown = Discord no longer speaks the gateway version this Kith knows (4012): update Kith.
intents-unknown = Discord does not know one of the intents this Kith asks for (4013): update Kith.
intents-refused = Discord does not let the bot read messages (4014): switch on "Message Content Intent" in the developer portal (your application, Bot, Privileged Gateway Intents), and start again.
back-again = Discord was out of reach for { $seconds } s and is back.
out-of-reach = Discord cannot be reached ({ $why }); trying again, at least every { $seconds } s.
few-session-starts = Discord lets the bot start { $count } more sessions in the next { $renews } min; the next starts in { $minutes } min. Look for another program that uses the same token.
message-content-missing = The bot may not read what is written: switch on "Message Content Intent" at https://discord.com/developers/applications/{ $application }/bot (Privileged Gateway Intents), and start again.
starts-used-up = Only { $left } of { $total } session starts are left today, and Discord resets the token of a bot that uses them up: look for what restarts all the time, or for another program with this token, and start again when they renew in { $minutes } min.
cannot-start = Kith cannot start on Discord. { $why }
answer-lacks = Discord's answer lacks "{ $what }": look at discord.api_base, it may be another server's.
log-channel-closed = I may not write into the log channel { $channel }: give the bot View Channel, Send Messages and Embed Links there, or name another one in the settings; I try again every 15 minutes.
log-channel-missing = I find no log channel { $channel }: correct its id in the settings (right-click the channel, Copy Channel ID), or let the bot see it; I try again every 15 minutes.
server-not-joined = I am not in the server { $guild } that the settings name: invite me with { $invite } , or correct [guild.{ $guild }] (right-click the server, Copy Server ID).
channel-not-seen = I do not see the channel { $channel } that the settings name: give the bot View Channel there, or correct [channel.{ $channel }] (right-click the channel, Copy Channel ID).
messages-not-sent = When it stopped, { $count } of its messages were not sent in { $place }. They are not sent any more: they are too old, not wanted now, or refused.
nickname-not-allowed = In { $place } I may not call myself { $name }: give my role the permission "Change Nickname" there, or switch discord.nick_follows_persona off.
avatar-not-changed = My avatar could not be changed ({ $why }). I try again at the next start or change of settings.
link-lost = The link to Discord was lost; what was said meanwhile is being read.
store-queue-full = The database has taken nothing for so long that no more can wait: what people write now is fetched from Discord when it is mended; reactions, and changes of older messages, are lost until then.
store-failing = What people write cannot be stored now: { $error }. It waits and is tried again; until then nobody is answered.
# The one text here that everybody reads: it is said once in a server, to who mentions it where it is off.
asleep-in-server = I'm asleep on this server and read nothing. Someone who can Manage Server wakes me in a channel with `/kith on` (or `/kith observe` to let me only read along).
