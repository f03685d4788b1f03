poll = 投票
sticker = 贴纸
forwarded = [转发]
someone = 某人
role = 身份组
unknown-channel = 未知频道
