### Words in a line of the history for what is no text: [image: cat.png].

poll = poll
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
