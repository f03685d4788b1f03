### Words in a line of the history for what is no text: [image: cat.png].

poll = poll
poll-ended = poll ended
poll-winner = { $answer }, { $votes } of { $total } votes
poll-tie = a tie, { $total } votes
message-in = (message in #{ $channel })
discord-link = (Discord link)
sticker = sticker
forwarded = [forwarded]
someone = someone
role = role
unknown-channel = unknown
button = button
menu = menu
embed = embed
voice-message = voice message
image = image
video = video
audio = audio
file = file
