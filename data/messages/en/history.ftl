poll = poll
sticker = sticker
forwarded = [forwarded]
someone = someone
role = role
unknown-channel = unknown
