### 同伴申请的权限（按 Discord 的叫法），以及用来做什么。

permission-view-channel = 查看频道
reason-view-channel = 才能读到聊天
permission-send-messages = 发送消息
reason-send-messages = 才能说话、显示正在输入
permission-send-messages-in-threads = 在子区内发送消息
reason-send-messages-in-threads = 才能在子区和论坛帖子里说话
permission-read-message-history = 阅读消息历史记录
reason-read-message-history = 才能回复、添加反应、补读离线时的消息
permission-add-reactions = 添加反应
reason-add-reactions = 才能添加反应，以及无法回答时的 💤
permission-embed-links = 嵌入链接
reason-embed-links = 用于日志频道的记录
permission-attach-files = 附加文件
reason-attach-files = 用于 /kith 导出 我 和“提示词和回答”的文件
permission-change-nickname = 更改昵称
reason-change-nickname = 因为打开了 discord.nick_follows_persona
permission-create-public-threads = 创建公开子区
reason-create-public-threads = 因为开启了工具 create_thread
permission-send-polls = 创建投票
reason-send-polls = 因为开启了工具 create_poll
reason-tool-on = 因为开启了 { $tool }
