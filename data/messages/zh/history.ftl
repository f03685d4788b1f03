### 历史里代替非文字内容的词：[图片: cat.png]。

poll = 投票
poll-ended = 投票结束
poll-winner = { $answer }，{ $total } 票中得 { $votes } 票
poll-tie = 平局，共 { $total } 票
message-in = （#{ $channel } 里的消息）
discord-link = （Discord 链接）
sticker = 贴纸
forwarded = [转发]
someone = 某人
role = 身份组
unknown-channel = 未知频道
button = 按钮
menu = 菜单
embed = 嵌入内容
voice-message = 语音消息
image = 图片
video = 视频
audio = 音频
file = 文件
