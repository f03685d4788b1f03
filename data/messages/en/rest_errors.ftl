### What Discord refused and how to mend it, for the host.

unauthorized = Discord refused the token (401): copy the bot's token from the developer portal again, into DISCORD_TOKEN or the file named by discord.token_file.
circuit-open = Discord has refused { $refused } requests within ten minutes and bans whoever reaches 10,000, so nothing is asked that is not vital until fewer were refused: look in the log for what is refused, and give the bot the permission it lacks.
ability-disabled = Discord does not let it { $ability } here: give it the permission "{ $permission }" in this channel; then it is tried again.
forbidden = Discord does not allow it ({ $said }): give the bot's role the permission it lacks there.
no-access = It cannot see that place (50001): it was removed from the server, or its role lacks "View Channel" there.
not-found = Discord does not know what this is about ({ $said }): it was deleted, or it cannot be seen.
auto-mod = The server's AutoMod does not let this text pass: say it in other words, or leave it.
slow-mode = The channel is in slow mode: the next message may be sent in { $seconds } s.
invalid = Discord refused the request ({ $said }): change what it names, or report it as a fault of Kith.
rate-limited = Discord asks to slow down, for { $seconds } s more: it was not asked.
expired = It could not be asked in time and is too old now: look at the network, or wait until Discord is well again.
timed-out = Discord did not answer within { $seconds } s: look at the network, or wait until Discord is well again.
unreachable = Discord cannot be reached ({ $why }): look at the network, discord.proxy and discord.api_base.
connection-broken = The connection to Discord broke ({ $why }): look at the network or a proxy in between.
failed = Discord failed ({ $status }): wait until it is well again.
unreadable = What answered was not Discord's API ({ $why }): look at discord.api_base or a proxy in between.
