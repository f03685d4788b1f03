### Discord 拒绝了什么、怎么解决，给主机看。

unauthorized = Discord 拒绝了令牌（401）：请从开发者后台重新复制机器人令牌，填入 DISCORD_TOKEN 或 discord.token_file 指定的文件。
circuit-open = Discord 在十分钟内拒绝了 { $refused } 个请求，达到 10,000 个会被封禁，所以暂时只发送必要的请求：请在日志里查看被拒绝的是什么，并给机器人所缺的权限。
# Leaves out: $ability
ability-disabled = Discord 不允许它在这里这样做：请在此频道给它“{ $permission }”权限，之后会再试。
forbidden = Discord 不允许（{ $said }）：请给机器人的身份组所缺的权限。
no-access = 它看不到那里（50001）：它被移出了服务器，或者它的身份组在那里没有“查看频道”权限。
not-found = Discord 找不到所指的对象（{ $said }）：它已被删除，或者无法看到。
auto-mod = 服务器的 AutoMod 不让这段文字通过：请换个说法，或者不说。
slow-mode = 频道开启了慢速模式：{ $seconds } 秒后才能再发消息。
invalid = Discord 拒绝了请求（{ $said }）：请修改它所指的内容，或作为 Kith 的错误反馈。
rate-limited = Discord 要求放慢速度，还要 { $seconds } 秒：这次没有发出请求。
expired = 没能及时发出，现在已经太晚：请检查网络，或等 Discord 恢复。
timed-out = Discord 在 { $seconds } 秒内没有回答：请检查网络，或等 Discord 恢复。
unreachable = 无法连接 Discord（{ $why }）：请检查网络、discord.proxy 和 discord.api_base。
connection-broken = 和 Discord 的连接中断了（{ $why }）：请检查网络或中间的代理。
failed = Discord 出了故障（{ $status }）：请等它恢复。
unreadable = 回答的不是 Discord 的 API（{ $why }）：请检查 discord.api_base 或中间的代理。
